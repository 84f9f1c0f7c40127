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
import io.hdfsparity.bridge.namenode.DegradedBlocks.Degraded;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlock;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.io.EnumSetWritable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block has both replicas of its superchunk, and its file asks for a third. */
@Tag("full")
class WholeBlocksTest {
  @TempDir Path dir;

  /**
   * Such a file may be open for long, its writer gone. A recovery that waited for its third replica
   * would not end.
   */
  @Test
  void aBlockThatItsSuperchunkCanGiveNothingDoesNotCountAsMissing() throws Exception {
    HdfsConfiguration conf = OneSuperchunk.conf(dir);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      BlockManager blocks = cluster.getNamesystem().getBlockManager();
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      OneSuperchunk plan = new OneSuperchunk();
      access.attach(plan);
      DegradedBlocks degraded = access.repair(plan, plan);
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/f");
      try (FSDataOutputStream out = cluster.getFileSystem().create(path, (short) 3)) {
        out.write(BridgeCluster.bytes(1000, 1));
      }
      var located = cluster.getFileSystem().getClient().getLocatedBlocks("/f", 0, Long.MAX_VALUE);
      BlockInfo block = blocks.getStoredBlock(new Block(located.get(0).getBlock().getBlockId()));
      await().until(() -> List.of(blocks.getStorages(block)).size() == 2);
      plan.sides =
          List.of(blocks.getStorages(block)).stream().map(WholeBlocksTest::target).toList();
      access.lookAgain(List.of(block.getBlockId()));
      await().until(() -> degraded.copyable().equals(OptionalLong.of(1)));
      assertThat(degraded.handOut(OneSuperchunk.ID, 10, node -> true)).isEmpty();
      assertThat(degraded.copyable()).hasValue(0);
      assertThat(degraded.blockCount()).as("HDFS counts it as it always does").isOne();

      DatanodeStorageInfo side = blocks.getStorages(block)[0];
      NameNodeLock.ALL.writeLock(cluster.getNamesystem());
      try {
        blocks.findAndMarkBlockAsCorrupt(
            located.get(0).getBlock(), side.getDatanodeDescriptor(), side.getStorageID(), "test");
      } finally {
        NameNodeLock.ALL.writeUnlock(cluster.getNamesystem(), "test");
      }
      assertThat(degraded.copyable()).as("a side is damaged").hasValue(1);
    }
  }

  /** Of a block with a damaged replica the other disk has the last one, whoever still writes it. */
  @Test
  void theLastGoodReplicasAreThoseOfBlocksThatNoOtherStorageHas() throws Exception {
    HdfsConfiguration conf = OneSuperchunk.conf(dir.resolve("last"));
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 100_000);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      BlockManager blocks = cluster.getNamesystem().getBlockManager();
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      OneSuperchunk plan = new OneSuperchunk();
      access.attach(plan);
      DegradedBlocks degraded = access.repair(plan, plan);
      BlockInfo wanting = block(cluster, write(cluster, "/three", (short) 3));
      BlockInfo full = block(cluster, write(cluster, "/two", (short) 2));
      for (BlockInfo block : List.of(wanting, full)) {
        await().until(() -> List.of(blocks.getStorages(block)).size() == 2);
      }
      plan.sides = List.of(blocks.getStorages(full)).stream().map(WholeBlocksTest::target).toList();
      access.lookAgain(List.of(wanting.getBlockId()));
      assertThat(degraded.superchunks()).containsExactly(new Degraded(OneSuperchunk.ID, 1));
      List<String> here = storagesOn(cluster, 0);
      await().until(() -> lastOn(degraded, here, false, Map.of()).hasReported());
      assertThat(lastOn(degraded, here, false, Map.of()).blocks()).as("it lacks none").isEmpty();
      assertThat(lastOn(degraded, here, true, Map.of()).blocks())
          .as("nobody else may be there")
          .containsExactlyInAnyOrder(last(wanting, true, Set.of()), last(full, true, Set.of()));
      Map<Long, Long> copied = Map.of(full.getBlockId(), OneSuperchunk.ID);
      assertThat(lastOn(degraded, List.of("never seen"), true, copied).blocks())
          .as("one lacks a replica, one is being copied")
          .containsExactlyInAnyOrder(last(wanting, false, Set.of()), last(full, false, Set.of()));

      cluster
          .getNameNodeRpc()
          .append("/two", "writer", new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND)));
      assertThat(full.isComplete()).as("as long as it is written to, it is in no queue").isFalse();
      String written = mark(cluster, "/two", 1);
      assertThat(lastOn(degraded, here, false, Map.of()).blocks())
          .containsExactly(last(full, true, Set.of(written)));
      String marked = mark(cluster, "/three", 1);
      assertThat(lastOn(degraded, here, false, Map.of()).blocks())
          .contains(last(wanting, true, Set.of(marked)));
      assertThat(lastOn(degraded, storagesOn(cluster, 1), false, Map.of()).blocks()).isEmpty();
      assertThat(lastOn(degraded, List.of("never seen"), false, Map.of()).hasReported()).isFalse();
    }
  }

  /** Such a block is in no queue, and nothing is marked: the other replica is just an old one. */
  @Test
  void theLastReplicaMayBeThatOfABlockThatAClientAppendsTo() throws Exception {
    HdfsConfiguration conf = OneSuperchunk.conf(dir.resolve("appended"));
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 100_000);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(2).build()) {
      cluster.waitActive();
      BlockManager blocks = cluster.getNamesystem().getBlockManager();
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      OneSuperchunk plan = new OneSuperchunk();
      access.attach(plan);
      DegradedBlocks degraded = access.repair(plan, plan);
      BlockInfo block = block(cluster, write(cluster, "/f", (short) 2));
      await().until(() -> List.of(blocks.getStorages(block)).size() == 2);
      plan.sides =
          List.of(blocks.getStorages(block)).stream().map(WholeBlocksTest::target).toList();
      List<String> here = storagesOn(cluster, 0);
      await().until(() -> lastOn(degraded, here, false, Map.of()).hasReported());
      assertThat(lastOn(degraded, here, false, Map.of()).blocks()).isEmpty();
      try (FSDataOutputStream out =
          cluster.getFileSystem().append(new org.apache.hadoop.fs.Path("/f"))) {
        out.write(BridgeCluster.bytes(1000, 2));
        out.hflush();
        assertThat(lastOn(degraded, here, false, Map.of()).blocks()).as("both have it").isEmpty();
        cluster.stopDataNode(1);
        out.write(BridgeCluster.bytes(1000, 3));
        out.hflush();
        assertThat(lastOn(degraded, here, false, Map.of()).blocks())
            .containsExactly(last(block, true, Set.of()));
      }
    }
  }

  private static LastBlock last(BlockInfo block, boolean isThere, Set<String> damagedOn) {
    return new LastBlock(block.getBlockId(), OptionalLong.of(OneSuperchunk.ID), isThere, damagedOn);
  }

  private static LastBlocks lastOn(
      DegradedBlocks degraded, List<String> storageIds, boolean areSilent, Map<Long, Long> copies) {
    return degraded.lastOn(storageIds, id -> areSilent, copies).orElseThrow();
  }

  private static String write(MiniDFSCluster cluster, String path, short replication)
      throws Exception {
    org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path(path);
    try (FSDataOutputStream out = cluster.getFileSystem().create(file, replication)) {
      out.write(BridgeCluster.bytes(1000, 1));
    }
    return path;
  }

  private static LocatedBlock located(MiniDFSCluster cluster, String path) throws Exception {
    return cluster.getFileSystem().getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).get(0);
  }

  private static BlockInfo block(MiniDFSCluster cluster, String path) throws Exception {
    return cluster
        .getNamesystem()
        .getBlockManager()
        .getStoredBlock(located(cluster, path).getBlock().getLocalBlock());
  }

  private static List<String> storagesOn(MiniDFSCluster cluster, int node) throws Exception {
    return SuperchunkRouter.ids(
        List.of(
            cluster
                .getNamesystem()
                .getBlockManager()
                .getDatanodeManager()
                .getDatanode(cluster.getDataNodes().get(node).getDatanodeUuid())
                .getStorageInfos()));
  }

  private static String mark(MiniDFSCluster cluster, String path, int node) throws Exception {
    BlockManager blocks = cluster.getNamesystem().getBlockManager();
    List<String> wanted = storagesOn(cluster, node);
    DatanodeStorageInfo side =
        List.of(blocks.getStorages(block(cluster, path))).stream()
            .filter(each -> wanted.contains(each.getStorageID()))
            .findFirst()
            .orElseThrow();
    ExtendedBlock damaged = located(cluster, path).getBlock();
    NameNodeLock.ALL.writeLock(cluster.getNamesystem());
    try {
      blocks.findAndMarkBlockAsCorrupt(
          damaged, side.getDatanodeDescriptor(), side.getStorageID(), "test");
    } finally {
      NameNodeLock.ALL.writeUnlock(cluster.getNamesystem(), "test");
    }
    return side.getStorageID();
  }

  private static Target target(DatanodeStorageInfo storage) {
    return new Target(storage.getStorageID(), storage.getDatanodeDescriptor().getDatanodeUuid());
  }
}
