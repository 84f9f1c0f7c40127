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
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
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
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
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

  private static Target target(DatanodeStorageInfo storage) {
    return new Target(storage.getStorageID(), storage.getDatanodeDescriptor().getDatanodeUuid());
  }
}
