/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A DataNode is taken out of service with HDFS's own commands while clients write: no write fails,
 * its superchunks get partners on other nodes, it becomes DECOMMISSIONED, and everything is sound.
 */
@Tag("full")
@Timeout(1200)
class RaidpDecommissionTest {
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 2, 1, 6, 32L << 20, 1 << 16, 1 << 20);

  @Test
  void aNodeLeavesUnderLoadAndComesBack(@TempDir Path root) throws Exception {
    Path excludes = Files.createFile(root.resolve("excludes"));
    Configuration extra = new Configuration(false);
    extra.set("dfs.hosts.exclude", excludes.toString());
    extra.setInt("dfs.namenode.decommission.interval", 1);
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      DataNode leaving = raidp.dfs().getDataNodes().get(2);
      String uuid = leaving.getDatanodeUuid();
      assertThat(superchunksOf(raidp, uuid)).isPositive();
      try (LedgerLoad load = new LedgerLoad(raidp.conf(), 4, 2 << 20, 60L << 20, 11)) {
        MiniRaidp.await("some files on the node").until(() -> load.acks() > 20);
        setExcluded(raidp, excludes, leaving.getXferAddress().getPort());
        MiniRaidp.await("DECOMMISSIONED")
            .until(() -> state(raidp, uuid) == AdminStates.DECOMMISSIONED);
        long acks = load.acks();
        MiniRaidp.await("writes go on").until(() -> load.acks() > acks + 10);
        load.pause();
        assertThat(load.causes()).as("failed writes").isEmpty();
        MiniRaidp.await("no superchunk is left on the node")
            .untilAsserted(
                () ->
                    assertThat(superchunksOf(raidp, uuid))
                        .as(raidp.admin("-layout").out())
                        .isZero());
        stopAndCheck(raidp, load, uuid);
        setExcluded(raidp, excludes);
        MiniRaidp.await("in service").until(() -> state(raidp, uuid) == AdminStates.NORMAL);
        MiniRaidp.await("its frames are free again")
            .untilAsserted(
                () ->
                    assertThat(raidp.admin("-layout", "-json").json().path("spares").toString())
                        .contains(uuid));
        Soundness.assertSound(raidp);
        assertThat(load.verify()).isEmpty();
      }
    }
  }

  /** Without the node everything is there; then it starts again. */
  private static void stopAndCheck(MiniRaidp raidp, LedgerLoad load, String uuid) throws Exception {
    int index =
        raidp.dfs().getDataNodes().stream().map(DataNode::getDatanodeUuid).toList().indexOf(uuid);
    var stopped = raidp.dfs().stopDataNode(index);
    assertThat(load.verify()).as("read without the node").isEmpty();
    raidp.dfs().restartDataNode(stopped, true);
    raidp.dfs().waitActive();
  }

  private static AdminStates state(MiniRaidp raidp, String uuid) {
    return node(raidp, uuid).getAdminState();
  }

  private static DatanodeDescriptor node(MiniRaidp raidp, String uuid) {
    return raidp.dfs().getNamesystem().getBlockManager().getDatanodeManager().getDatanode(uuid);
  }

  private static long superchunksOf(MiniRaidp raidp, String nodeUuid) throws Exception {
    long count = 0;
    for (JsonNode chunk : raidp.admin("-layout", "-json").json().path("superchunks")) {
      for (JsonNode replica : chunk.path("replicas")) {
        count += replica.path("nodeUuid").asText().equals(nodeUuid) ? 1 : 0;
      }
    }
    return count;
  }

  private static void setExcluded(MiniRaidp raidp, Path excludes, int... ports) throws Exception {
    List<String> lines = Arrays.stream(ports).mapToObj(port -> "127.0.0.1:" + port).toList();
    Files.write(excludes, lines);
    // What "hdfs dfsadmin -refreshNodes" makes the NameNode do; by RPC it would read hdfs-site.xml
    // anew, which this JVM does not have.
    raidp.dfs().getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(raidp.conf());
  }
}
