/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.ecupdate.config.StorageKey;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.raidp.admin.RaidpAdmin;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.DatanodeAdminProperties;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.CombinedHostsFileWriter;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of all kinds while a DataNode is in maintenance, or is decommissioned. */
@Tag("full")
@Timeout(900)
class NodeAdminStatesTest {
  private static final int NODES = 8;

  @TempDir Path root;
  private AllFeatures all;
  private final Map<String, byte[]> files = new TreeMap<>();

  @BeforeEach
  void start() throws Exception {
    CombinedHostsFileWriter.writeFile(hosts().toString(), Set.of());
    all =
        AllFeatures.start(
            root,
            NODES,
            Map.of(
                "dfs.namenode.hosts.provider.classname",
                CombinedHostFileManager.class.getName(),
                "dfs.hosts",
                hosts().toString(),
                "dfs.namenode.decommission.interval",
                "1",
                // For the superchunks of a node that leaves.
                "dfs.parity.raidp.layout.spare.share",
                "0.5",
                "dfs.parity.raidp.node.dead.timeout",
                "20s",
                "dfs.namenode.reconstruction.pending.timeout-sec",
                "5",
                StorageKey.SNAPSHOT_AGE.key(),
                "1s",
                "dfs.namenode.redundancy.interval.seconds",
                "1"));
    for (int i = 0; i < 4; i++) {
      for (String name : List.of("/pair/f" + i, "/code/level" + i, "/code/update" + i)) {
        files.put(name, all.write(name, AllFeatures.LENGTH));
      }
    }
    all.setLevel("/code/level0", 3);
    update(0);
    files.put("/order/f", all.write("/order/f", MiniCaso.LENGTH));
    all.caso("-organize", "/order/f", "-trace", MiniCaso.trace(root, 0));
  }

  @AfterEach
  void stop() throws Exception {
    if (all != null) {
      all.close();
    }
  }

  private Path hosts() {
    return root.resolve("hosts.json");
  }

  private void update(int seed) throws Exception {
    try (StripedFileUpdater updater = all.open("/code/update0")) {
      MiniUpdates.writeSome(updater, files.get("/code/update0"), seed);
    }
  }

  /** Waits while a file is refused: nobody decodes a block group before its updates are at rest. */
  private void assertAllRead() {
    files.forEach(
        (name, bytes) ->
            await(name)
                .atMost(Duration.ofMinutes(2))
                // A stock client that is refused fails so too.
                .ignoreExceptionsMatching(
                    e -> e instanceof IOException || e instanceof NullPointerException)
                .until(
                    () -> {
                      if (name.startsWith("/order")) {
                        all.assertParityReads(name, bytes);
                      } else {
                        all.assertReads(name, bytes);
                      }
                      return true;
                    }));
  }

  private DatanodeDescriptor descriptor(DataNode node) {
    return all.cluster()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanode(node.getDatanodeUuid());
  }

  /**
   * Sets the admin state of a DataNode, as an administrator does, and waits for what comes of it.
   */
  private void administer(DataNode node, AdminStates wanted) throws Exception {
    Map<String, DatanodeAdminProperties> hosts = new LinkedHashMap<>();
    for (DataNode each : all.cluster().getDataNodes()) {
      DatanodeAdminProperties host = new DatanodeAdminProperties();
      host.setHostName("127.0.0.1");
      host.setPort(each.getXferAddress().getPort());
      host.setAdminState(each == node ? wanted : AdminStates.NORMAL);
      hosts.put(each.getDatanodeUuid(), host);
    }
    CombinedHostsFileWriter.writeFile(hosts().toString(), new HashSet<>(hosts.values()));
    all.cluster().getNamesystem().getBlockManager().getDatanodeManager().refreshNodes(all.conf());
    await(node.getDatanodeUuid() + " is " + wanted)
        .atMost(Duration.ofMinutes(3))
        .until(() -> descriptor(node).getAdminState() == wanted);
  }

  /** A DataNode with blocks of all kinds of files. */
  private DataNode holderOfAllKinds() throws Exception {
    Set<String> holders = new TreeSet<>();
    all.cluster().getDataNodes().forEach(node -> holders.add(node.getDatanodeUuid()));
    for (String kind : List.of("/pair/", "/code/level", "/code/update0", "/order/")) {
      Set<String> ofKind = new HashSet<>();
      for (String name : files.keySet()) {
        if (name.startsWith(kind)) {
          for (LocatedBlock block : StoredBytes.blocks(all.stock(), name)) {
            Arrays.stream(block.getLocations()).forEach(at -> ofKind.add(at.getDatanodeUuid()));
          }
        }
      }
      holders.retainAll(ofKind);
    }
    assertThat(holders).isNotEmpty();
    return all.cluster().getDataNodes().stream()
        .filter(node -> holders.contains(node.getDatanodeUuid()))
        .findFirst()
        .orElseThrow();
  }

  private JsonNode raidp(String... args) throws Exception {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
    ToolRunner.run(new RaidpAdmin(new Configuration(all.conf()), out, System.err), args);
    return new ObjectMapper().readTree(said.toByteArray());
  }

  private long superchunksOf(String nodeUuid) throws Exception {
    long count = 0;
    for (JsonNode superchunk : raidp("-layout", "-json").path("superchunks")) {
      for (JsonNode replica : superchunk.path("replicas")) {
        count += replica.path("nodeUuid").asText().equals(nodeUuid) ? 1 : 0;
      }
    }
    return count;
  }

  @Test
  void maintenance() throws Exception {
    DataNode node = holderOfAllKinds();
    String uuid = node.getDatanodeUuid();
    long superchunks = superchunksOf(uuid);
    assertThat(superchunks).isPositive();
    administer(node, AdminStates.IN_MAINTENANCE);
    assertAllRead();
    DatanodeDescriptor descriptor = descriptor(node);
    MiniDFSCluster.DataNodeProperties stopped =
        all.cluster().stopDataNode(descriptor.getXferAddr());
    all.cluster().setDataNodeDead(descriptor);
    assertAllRead();
    files.put("/pair/meanwhile", all.write("/pair/meanwhile", AllFeatures.LENGTH));
    files.put("/code/meanwhile", all.write("/code/meanwhile", AllFeatures.LENGTH));
    assertAllRead();
    assertThat(raidp("-recover", "-progress", "-json").path("state").asText()).isEqualTo("DONE");
    all.cluster().restartDataNode(stopped, true);
    all.cluster().waitActive();
    administer(
        all.cluster().getDataNodes().stream()
            .filter(each -> each.getDatanodeUuid().equals(uuid))
            .findFirst()
            .orElseThrow(),
        AdminStates.NORMAL);
    await("its superchunks are its own")
        .untilAsserted(() -> assertThat(superchunksOf(uuid)).isEqualTo(superchunks));
    assertAllRead();
    update(1);
    all.setLevel("/code/level0", 1);
    assertAllRead();
  }

  @Test
  void decommission() throws Exception {
    DataNode node = holderOfAllKinds();
    administer(node, AdminStates.DECOMMISSIONED);
    DatanodeDescriptor descriptor = descriptor(node);
    all.cluster().stopDataNode(descriptor.getXferAddr());
    all.cluster().setDataNodeDead(descriptor);
    for (String name : files.keySet()) {
      for (LocatedBlock block : StoredBytes.blocks(all.stock(), name)) {
        assertThat(Arrays.stream(block.getLocations()).map(each -> each.getDatanodeUuid()))
            .as(name)
            .doesNotContain(node.getDatanodeUuid());
      }
    }
    assertAllRead();
    update(1);
    all.setLevel("/code/level0", 1);
    assertAllRead();
  }
}
