/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.bridge.namenode.PairPlacement;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.CorruptReplicasMap.Reason;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode with DataNodes that are made up: volumes A and C share superchunk 9. */
class SuperchunkRepairTest {
  private static final long SHARED = 9;

  @TempDir static Path dir;

  private static BlockSuperchunks.Home home(long id) {
    return new BlockSuperchunks.Home(id, 1, List.of());
  }

  private static DatanodeStorageInfo storage(String id) {
    return BlockManagerTestUtil.getDatanodeDescriptor(
            "10.0.0." + (int) id.charAt(0), "/r", new DatanodeStorage(id))
        .getStorageInfo(id);
  }

  /** It was marked because it lies outside the block's superchunk, which only the rows of A say. */
  @Test
  void aReplicaThatIsMarkedAsCorruptSaysNothingOfTheSuperchunk() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 100_000);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build()) {
      FSNamesystem namesystem = cluster.getNamesystem();
      BlockManager blocks = namesystem.getBlockManager();
      cluster.getFileSystem().create(new org.apache.hadoop.fs.Path("/f"), (short) 2).close();
      INodeFile file = INodeFile.valueOf(namesystem.getFSDirectory().getINode("/f"), "/f");
      SuperchunkRepair repair =
          new SuperchunkRepair(
              namesystem,
              new NoPairs(),
              (blockId, storageIds) ->
                  storageIds.containsAll(List.of("A", "C"))
                      ? Optional.of(home(SHARED))
                      : Optional.empty());
      repair.attach();
      DatanodeStorageInfo first = storage("A");
      DatanodeStorageInfo other = storage("C");
      NameNodeLock.ALL.writeLock(namesystem);
      BlockInfo block = new BlockInfoContiguous(new Block(1L << 30, 1000, 1), (short) 3);
      try {
        block.setBlockCollectionId(file.getId());
        blocks.addBlockCollection(block, file);
        first.addBlock(block, block);
        other.addBlock(block, block);
        assertThat(repair.keyOf(block)).hasValue(SHARED);
        mark(blocks, block, other);
        assertThat(repair.keyOf(block)).hasValue(CoveredQueues.UNKNOWN);
        LackingBlocks.queue(blocks, block, 0);
      } finally {
        NameNodeLock.ALL.writeUnlock(namesystem, "test");
      }
      assertThat(repair.refile(1))
          .containsExactly(new Unfiled(block.getBlockId(), List.of("A", "C")));
      mark(blocks, block, first);
      assertThat(repair.keyOf(block)).as("no good one is left").hasValue(SHARED);
    }
  }

  /** A and C share the superchunk, and hold blocks that are HDFS's alone too. */
  private static final class Mixed extends NoPairs implements BlockSuperchunks {
    private boolean plain;
    private boolean covered;
    private List<String> asked = List.of();

    @Override
    public Optional<Home> of(long blockId, List<String> storageIds) {
      return covered
          ? Optional.of(
              new Home(
                  SHARED,
                  1,
                  List.of(
                      new PairPlacement.Target("A", "nodeA"),
                      new PairPlacement.Target("C", "nodeC"))))
          : Optional.empty();
    }

    @Override
    public boolean isPlain(long blockId, List<String> storageIds) {
      asked = storageIds;
      return plain;
    }
  }

  @Test
  void onStoragesOfBothKindsABlockWaitsUntilItIsKnown() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir.resolve("mixed"));
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 100_000);
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build()) {
      FSNamesystem namesystem = cluster.getNamesystem();
      BlockManager blocks = namesystem.getBlockManager();
      cluster.getFileSystem().create(new org.apache.hadoop.fs.Path("/f"), (short) 3).close();
      INodeFile file = INodeFile.valueOf(namesystem.getFSDirectory().getINode("/f"), "/f");
      AtomicLong now = new AtomicLong();
      UnloweredFiles files = new UnloweredFiles(now::get);
      Mixed mixed = new Mixed();
      SuperchunkRepair repair = new SuperchunkRepair(namesystem, mixed, mixed, files);
      repair.attach();
      DatanodeStorageInfo first = storage("A");
      DatanodeStorageInfo other = storage("C");
      BlockInfo block = new BlockInfoContiguous(new Block(1L << 30, 1000, 1), (short) 3);
      Awaitility.await().until(new RedundancyScan(namesystem)::isDone);
      NameNodeLock.ALL.writeLock(namesystem);
      try {
        block.setBlockCollectionId(file.getId());
        blocks.addBlockCollection(block, file);
        assertThat(repair.keyOf(block)).as("no replica").hasValue(CoveredQueues.NOWHERE);
        LackingBlocks.queue(blocks, block, 0);
        assertThat(blocks.getMissingBlocksCount()).isOne();
        assertThat(repair.blockCount()).isOne();
        assertThat(repair.copyable()).hasValue(0);
        first.addBlock(block, block);
        other.addBlock(block, block);
        assertThat(repair.keyOf(block)).hasValue(CoveredQueues.UNKNOWN);
        LackingBlocks.queue(blocks, block, 0);
        assertThat(repair.copyable()).hasValue(1);
      } finally {
        NameNodeLock.ALL.writeUnlock(namesystem, "test");
      }
      assertThat(repair.lacking()).isEqualTo(new Lacking(Set.of(), true, 1));
      assertThat(repair.hasUnknownBlock(List.of("B", "C"))).isTrue();
      assertThat(repair.hasUnknownBlock(List.of("B"))).isFalse();
      assertThat(repair.refile(1))
          .containsExactly(new Unfiled(block.getBlockId(), List.of("A", "C")));
      mark(blocks, block, other);
      assertThat(repair.keyOf(block)).hasValue(CoveredQueues.UNKNOWN);
      assertThat(mixed.asked).as("a damaged replica has a row too").containsExactly("A", "C");
      assertThat(repair.refile(1))
          .containsExactly(new Unfiled(block.getBlockId(), List.of("A", "C")));
      mixed.plain = true;
      assertThat(repair.keyOf(block)).as("HDFS's").isEmpty();
      mixed.plain = false;
      mixed.covered = true;
      assertThat(repair.keyOf(block)).hasValue(SHARED);

      // Its file asks for three, and nobody lowers it: a snapshot may be in the way.
      files.note(file.getId());
      now.addAndGet(UnloweredFiles.WAIT_NANOS / 2);
      files.note(file.getId());
      now.addAndGet(UnloweredFiles.WAIT_NANOS / 2);
      files.note(file.getId());
      assertThat(repair.keyOf(block)).as("a side is damaged").hasValue(SHARED);
      blocks.corruptReplicas.removeFromCorruptReplicasMap(block, other.getDatanodeDescriptor());
      assertThat(repair.keyOf(block)).as("HDFS makes the third").isEmpty();
      block.setReplication((short) 2);
      assertThat(repair.keyOf(block)).hasValue(SHARED);
    }
  }

  private static void mark(BlockManager blocks, BlockInfo block, DatanodeStorageInfo storage) {
    blocks.corruptReplicas.addToCorruptReplicasMap(
        block, storage.getDatanodeDescriptor(), "stray", Reason.CORRUPTION_REPORTED, false);
  }
}
