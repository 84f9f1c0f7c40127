/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk fails, or a node leaves, while a balance moves blocks to a node that has come late. */
@Tag("soak")
@Timeout(1200)
class RaidpBalanceSoak {
  private static final int BLOCK = 1 << 20;
  private static final int FILES = 12;

  /** With frames for what a disk loses. */
  private static final MiniRaidp.Shape SHAPE =
      new MiniRaidp.Shape(8, 2, 1, 6, 16L << 20, 1 << 16, BLOCK);

  private final Map<String, byte[]> files = new HashMap<>();

  @TempDir Path root;

  @Test
  void aDiskThatFailsDuringABalanceIsRecovered() throws Exception {
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, quick())) {
      CompletableFuture<MiniRaidp.Printed> balance = balanceOntoLastNode(raidp);
      FailedDisks.failAndRecover(raidp, files, 0);
      balance.get(5, TimeUnit.MINUTES);
      assertThat(
              RaidpBalanceTest.status(raidp)
                  .path("balance")
                  .path("inFlight")
                  .path("count")
                  .asLong())
          .isZero();
      RaidpBalanceTest.verify(raidp, files);
      Soundness.assertSound(raidp);
    }
  }

  /** Blocks that are on their way to a superchunk of the node, or from it, are left. */
  @Test
  void aNodeLeavesDuringABalance() throws Exception {
    Path excludes = Files.createFile(root.resolve("excludes"));
    Configuration extra = quick();
    extra.set("dfs.hosts.exclude", excludes.toString());
    extra.setInt("dfs.namenode.decommission.interval", 1);
    try (MiniRaidp raidp = MiniRaidp.start(root, SHAPE, extra)) {
      CompletableFuture<MiniRaidp.Printed> balance = balanceOntoLastNode(raidp);
      DataNode leaving = raidp.dfs().getDataNodes().get(1);
      String uuid = leaving.getDatanodeUuid();
      Files.writeString(excludes, "127.0.0.1:" + leaving.getXferAddress().getPort());
      DatanodeManager nodes = raidp.dfs().getNamesystem().getBlockManager().getDatanodeManager();
      nodes.refreshNodes(raidp.conf());
      MiniRaidp.await("DECOMMISSIONED")
          .until(() -> nodes.getDatanode(uuid).getAdminState() == AdminStates.DECOMMISSIONED);
      balance.get(5, TimeUnit.MINUTES);
      MiniRaidp.await("no superchunk is left on the node")
          .untilAsserted(
              () ->
                  assertThat(raidp.admin("-layout", "-json").json().path("superchunks").toString())
                      .doesNotContain(uuid));
      RaidpBalanceTest.verify(raidp, files);
      Soundness.assertSound(raidp);
    }
  }

  private static Configuration quick() {
    Configuration extra = new Configuration(false);
    extra.set("dfs.parity.raidp.node.stale.timeout", "2s");
    return extra;
  }

  /** Starts a balance that has moved some blocks, and has others on their way. */
  private CompletableFuture<MiniRaidp.Printed> balanceOntoLastNode(MiniRaidp raidp)
      throws Exception {
    DataNodeProperties away = raidp.dfs().stopDataNode(SHAPE.nodes() - 1);
    RaidpBalanceTest.awaitSilent(raidp, SHAPE, 1);
    for (int i = 0; i < FILES; i++) {
      RaidpBalanceTest.write(raidp, files, "/file" + i, MiniRaidp.bytes(i, 4 * BLOCK - i * 1000));
    }
    raidp.dfs().restartDataNode(away, true);
    RaidpBalanceTest.awaitSilent(raidp, SHAPE, 0);
    CompletableFuture<MiniRaidp.Printed> balance =
        RaidpBalanceTest.admin(raidp, "-balance", "-threshold", "2", "-throttle", "1", "-progress");
    RaidpBalanceTest.awaitBlocksOnTheirWay(raidp);
    return balance;
  }
}
