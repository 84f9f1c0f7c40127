/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The side that a block lacks is a disk of a node that has a plain replica on its other disk. Nodes
 * have two disks each.
 */
@Tag("full")
class BesideSideTest {
  @TempDir Path dir;

  /** With a third replica there it needs no new one first. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void theReplicaBesideItGoesOnceThereIsOneElsewhere(int replicas) throws Exception {
    HdfsConfiguration conf = OneSuperchunk.conf(dir);
    try (MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(conf).numDataNodes(3).storagesPerDatanode(2).build()) {
      cluster.waitActive();
      BlockManager blocks = cluster.getNamesystem().getBlockManager();
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      OneSuperchunk plan = new OneSuperchunk();
      access.attach(plan);
      DegradedBlocks degraded = access.repair(plan, plan);
      long id = write(cluster, replicas);
      DatanodeStorageInfo near = replica(cluster, id, 0);
      DatanodeStorageInfo inTheWay = replica(cluster, id, 1);
      DatanodeStorageInfo far =
          Arrays.stream(inTheWay.getDatanodeDescriptor().getStorageInfos())
              .filter(each -> each != inTheWay)
              .findFirst()
              .orElseThrow();
      plan.sides = List.of(target(near), target(far));
      if (replicas == 3) {
        cluster.getFileSystem().setReplication(new org.apache.hadoop.fs.Path("/f"), (short) 2);
      }
      access.lookAgain(List.of(id));
      List<Copy> copies = new ArrayList<>();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () -> {
                assertThat(liveReplicas(blocks, id)).isGreaterThanOrEqualTo(2);
                copies.addAll(degraded.handOut(OneSuperchunk.ID, 10, node -> true));
                return !copies.isEmpty();
              });
      assertThat(copies.get(0).target()).isEqualTo(target(far));
      assertThat(replica(cluster, id, 2)).as("the one elsewhere").isNotNull();
    }
  }

  private static int liveReplicas(BlockManager blocks, long id) {
    return blocks.countNodes(blocks.getStoredBlock(new Block(id))).liveReplicas();
  }

  private static Target target(DatanodeStorageInfo storage) {
    return new Target(storage.getStorageID(), storage.getDatanodeDescriptor().getDatanodeUuid());
  }

  /** Where a node has its replica. */
  private static DatanodeStorageInfo replica(MiniDFSCluster cluster, long id, int node) {
    BlockManager blocks = cluster.getNamesystem().getBlockManager();
    DataNode dataNode = cluster.getDataNodes().get(node);
    return blocks
        .getStoredBlock(new Block(id))
        .findStorageInfo(blocks.getDatanodeManager().getDatanode(dataNode.getDatanodeUuid()));
  }

  private static long write(MiniDFSCluster cluster, int replicas) throws Exception {
    DistributedFileSystem fs = cluster.getFileSystem();
    InetSocketAddress[] nodes =
        cluster.getDataNodes().subList(0, replicas).stream()
            .map(DataNode::getXferAddress)
            .toArray(InetSocketAddress[]::new);
    try (FSDataOutputStream out =
        fs.create(
            new org.apache.hadoop.fs.Path("/f"),
            FsPermission.getFileDefault(),
            true,
            4096,
            (short) replicas,
            1 << 20,
            null,
            nodes)) {
      out.write(BridgeCluster.bytes(1000, 1));
    }
    var located = fs.getClient().getLocatedBlocks("/f", 0, Long.MAX_VALUE);
    long id = located.get(0).getBlock().getBlockId();
    await()
        .until(
            () ->
                liveReplicas(cluster.getNamesystem().getBlockManager(), id) == replicas
                    && replica(cluster, id, replicas - 1) != null);
    return id;
  }
}
