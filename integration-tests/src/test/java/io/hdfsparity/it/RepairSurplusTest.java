/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.it.RepairCluster.Group;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.protocol.BlockECReconstructionCommand.BlockECReconstructionInfo;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A unit that the policy of a lowered file does not have, and that is not deleted yet: the NameNode
 * names it first among the sources of a rebuild.
 */
@Tag("full")
class RepairSurplusTest {
  private static final int K = 4;
  private static final int CELL = 16 * 1024;

  /** Two, and one of them is ordered: a surplus unit counts as live. */
  private static final Set<Integer> LOST = Set.of(1, K);

  private static final int REBUILT = 1;
  private static final int SURPLUS = K + 2;

  /** The NameNode orders nothing meanwhile, and deletes nothing. */
  private static Configuration conf() {
    Configuration conf = RepairCluster.withPlugin(RepairCluster.conf());
    conf.setLong(DFSConfigKeys.DFS_BLOCK_SIZE_KEY, 64L * CELL);
    conf.setInt(DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_INTERVAL_SECONDS_KEY, 24 * 3600);
    return conf;
  }

  @ParameterizedTest
  @ValueSource(strings = {"izs", "rs"})
  void aUnitBeyondThePolicyIsNoSource(String codec, @TempDir Path root) throws IOException {
    try (RepairCluster cluster = RepairCluster.start(root, conf(), K + 4)) {
      // Units of less parity are the same, so this is as if the level had been lowered from 3 to 2.
      Group group = cluster.write(cluster.directory(codec, K, 3, CELL), "f", 5 * K * CELL + 77);
      ErasureCodingPolicy lowered = new ErasureCodingPolicy(new ECSchema(codec, K, 2), CELL);
      DataNode target =
          cluster.cluster().getDataNodes().stream()
              .filter(node -> group.written().values().stream().noneMatch(u -> u.node() == node))
              .findFirst()
              .orElseThrow();
      target
          .getErasureCodingWorker()
          .processErasureCodingTasks(List.of(order(cluster, group, lowered, target)));
      await().until(() -> cluster.nodeMetric("EcReconstructionTasks") == 1);
      assertThat(cluster.nodeMetric("EcFailedReconstructionTasks")).isZero();
      await().until(() -> target.getFSDataset().isValidBlock(group.block(REBUILT)));
      assertThat(group.stored(REBUILT, target).data())
          .isEqualTo(group.written().get(REBUILT).data());
      await()
          .untilAsserted(
              () ->
                  assertThat(cluster.cluster().getDataNodes())
                      .allMatch(node -> node.getXmitsInProgress() == 0));
    }
  }

  private static BlockECReconstructionInfo order(
      RepairCluster cluster, Group group, ErasureCodingPolicy policy, DataNode target)
      throws IOException {
    LocatedStripedBlock located = group.located();
    byte[] indices = located.getBlockIndices();
    int[] sources =
        IntStream.range(0, indices.length)
            .filter(i -> !LOST.contains((int) indices[i]))
            .boxed()
            .sorted((a, b) -> Boolean.compare(indices[b] == SURPLUS, indices[a] == SURPLUS))
            .mapToInt(i -> i)
            .toArray();
    byte[] live = new byte[sources.length];
    DatanodeInfo[] nodes = new DatanodeInfo[sources.length];
    for (int i = 0; i < sources.length; i++) {
      live[i] = indices[sources[i]];
      nodes[i] = located.getLocations()[sources[i]];
    }
    assertThat(live[0]).isEqualTo((byte) SURPLUS);
    DatanodeInfo to =
        List.of(cluster.fs().getDataNodeStats()).stream()
            .filter(node -> node.getDatanodeUuid().equals(target.getDatanodeUuid()))
            .findFirst()
            .orElseThrow();
    String storage =
        target
            .getFSDataset()
            .getStorageReports(located.getBlock().getBlockPoolId())[0]
            .getStorage()
            .getStorageID();
    return new BlockECReconstructionInfo(
        located.getBlock(),
        nodes,
        new DatanodeInfo[] {to},
        new String[] {storage},
        new StorageType[] {StorageType.DISK},
        live,
        new byte[0],
        policy);
  }
}
