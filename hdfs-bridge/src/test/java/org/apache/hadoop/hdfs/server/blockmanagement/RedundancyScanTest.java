/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import java.lang.reflect.Field;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeAdapter;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode that looks at all its blocks. */
class RedundancyScanTest {
  @TempDir static java.nio.file.Path dir;

  @Test
  void blocksThatLackReplicasAreNotCountedBeforeHdfsHasLookedAtAll() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build()) {
      FSNamesystem namesystem = cluster.getNamesystem();
      BlockManager blocks = namesystem.getBlockManager();
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      SuperchunkRepair repair =
          new SuperchunkRepair(namesystem, new NoPairs(), (id, storageIds) -> Optional.empty());
      Awaitility.await().until(access::hasLookedAtAllBlocks);
      assertThat(repair.lacking()).isEqualTo(new Lacking(Set.of(), true, 0));
      assertThat(repair.copyable()).hasValue(0);
      NameNodeLock.ALL.writeLock(namesystem);
      try {
        // As after a failover. The scan waits for the lock.
        blocks.initializeReplQueues();
        assertThat(access.hasLookedAtAllBlocks()).isFalse();
        assertThat(repair.lacking()).isEqualTo(new Lacking(Set.of(), false, 0));
        assertThat(repair.copyable()).isEmpty();
      } finally {
        NameNodeLock.ALL.writeUnlock(namesystem, "test");
      }
      Awaitility.await().until(access::hasLookedAtAllBlocks);
      assertThat(repair.lacking().isComplete()).isTrue();
      NameNodeAdapter.enterSafeMode(cluster.getNameNode(), false);
      assertThat(access.hasLookedAtAllBlocks()).as("replicas are not reported yet").isFalse();
      NameNodeAdapter.leaveSafeMode(cluster.getNameNode());
      assertThat(access.hasLookedAtAllBlocks()).isTrue();
      blocks.setInitializedReplQueues(false);
      assertThat(access.hasLookedAtAllBlocks()).as("a standby").isFalse();
    }
  }

  /** HDFS logs what its thread throws, and does not begin again. */
  @Test
  void aScanThatHasFailedHasNotLookedAtAllBlocksAndCanBeRepeated() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir.resolve("failed"));
    conf.unset("dfs.datanode.fsdataset.factory");
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build()) {
      cluster.waitActive();
      DFSTestUtil.createFile(cluster.getFileSystem(), new Path("/f"), 1, (short) 2, 0);
      FSNamesystem namesystem = cluster.getNamesystem();
      BlockManager blocks = namesystem.getBlockManager();
      NameNodeAccess access = new NameNodeAccess(cluster.getNameNode());
      CoveredQueues queues = CoveredQueues.install(blocks, namesystem);
      Awaitility.await().until(access::hasLookedAtAllBlocks);
      assertThat(access.hasScanFailed()).isFalse();
      Field thread = PrivateFields.of(BlockManager.class, "reconstructionQueuesInitializer");
      failNextScan(queues);
      scan(namesystem);
      ((Thread) PrivateFields.get(thread, blocks)).join();
      assertThat(access.hasLookedAtAllBlocks()).isFalse();
      assertThat(access.hasScanFailed()).isTrue();

      // Since then HDFS has seen that a block lacks a replica, and the next scan fails before it.
      queues.route(null);
      queueAll(namesystem);
      failNextScan(queues);
      access.repeatFailedScan();
      ((Thread) PrivateFields.get(thread, blocks)).join();
      assertThat(access.hasScanFailed()).isTrue();
      assertThat(access.underReplicatedCount()).isEqualTo(1);

      queues.route(null);
      NameNodeAdapter.enterSafeMode(cluster.getNameNode(), false);
      access.repeatFailedScan();
      assertThat(access.hasScanFailed()).as("nothing in safe mode").isTrue();
      NameNodeAdapter.leaveSafeMode(cluster.getNameNode());
      access.repeatFailedScan();
      Awaitility.await().until(access::hasLookedAtAllBlocks);
      assertThat(access.hasScanFailed()).isFalse();
      assertThat(access.underReplicatedCount()).isEqualTo(1);
      Object complete = PrivateFields.get(thread, blocks);
      access.repeatFailedScan();
      assertThat(PrivateFields.get(thread, blocks)).as("not again").isSameAs(complete);
    }
  }

  private static void failNextScan(CoveredQueues queues) {
    queues.route(
        block -> {
          throw new IllegalStateException("as a defect would");
        });
  }

  private static void queueAll(FSNamesystem namesystem) {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      BlockManager blocks = namesystem.getBlockManager();
      blocks.blocksMap.getBlocks().forEach(block -> LackingBlocks.queue(blocks, block, 0));
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }

  private static void scan(FSNamesystem namesystem) {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.getBlockManager().initializeReplQueues();
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "test");
    }
  }
}
