/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.CorruptReplicasMap.Reason;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.util.RwLockMode;
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
              new ExcessReplicasTest.Pairs("AC"),
              (blockId, storageIds) ->
                  storageIds.containsAll(List.of("A", "C"))
                      ? Optional.of(home(SHARED))
                      : Optional.empty(),
              null);
      repair.attach();
      DatanodeStorageInfo first = storage("A");
      DatanodeStorageInfo other = storage("C");
      namesystem.writeLock(RwLockMode.GLOBAL);
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
        namesystem.writeUnlock(RwLockMode.GLOBAL, "test");
      }
      assertThat(repair.refile(1)).containsExactly(new Unfiled(block.getBlockId(), List.of("A")));
      mark(blocks, block, first);
      assertThat(repair.keyOf(block)).as("no good one is left").hasValue(SHARED);
    }
  }

  private static void mark(BlockManager blocks, BlockInfo block, DatanodeStorageInfo storage) {
    blocks.corruptReplicas.addToCorruptReplicasMap(
        block, storage.getDatanodeDescriptor(), "stray", Reason.CORRUPTION_REPORTED, false);
  }
}
