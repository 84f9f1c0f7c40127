/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.BridgeCluster;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is looked at for a block. */
class PlacedBlocksTest {
  private static final long BLOCK = 1L << 30;

  @TempDir Path dir;

  @Test
  void whatTheFileSaysIsTold() throws Exception {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    // Two locks, where this Hadoop has them; 3.4 does not know the key.
    conf.set(
        "dfs.namenode.lock.model.provider.class",
        "org.apache.hadoop.hdfs.server.namenode.fgl.FineGrainedFSNamesystemLock");
    try (MiniDFSCluster cluster = new MiniDFSCluster.Builder(conf).numDataNodes(0).build()) {
      FSNamesystem namesystem = cluster.getNamesystem();
      cluster.getFileSystem().create(new org.apache.hadoop.fs.Path("/f"), (short) 2).close();
      new ProtectionMarks(namesystem).set("/", Mark.PROTECTED);
      INodeFile file = INodeFile.valueOf(namesystem.getFSDirectory().getINode("/f"), "/f");
      BlockInfo block = new BlockInfoContiguous(new Block(BLOCK, 1000, 1), (short) 2);
      NameNodeLock.ALL.writeLock(namesystem);
      try {
        block.setBlockCollectionId(file.getId());
        namesystem.getBlockManager().addBlockCollection(block, file);
      } finally {
        NameNodeLock.ALL.writeUnlock(namesystem, "test");
      }
      var marked = new PlacedBlocks(namesystem).find(List.of(BLOCK)).get(BLOCK);
      assertThat(marked.owner().isProtected()).isTrue();
      assertThat(marked.owner().inodeId()).isEqualTo(file.getId());
      assertThat(marked.owner().wantedReplicas()).isEqualTo(2);
    }
  }
}
