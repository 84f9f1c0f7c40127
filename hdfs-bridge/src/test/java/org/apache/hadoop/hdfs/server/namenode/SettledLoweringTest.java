/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.BridgeCluster;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks.Mark;
import org.apache.hadoop.hdfs.server.namenode.ReplicationCap.Lowering;
import org.apache.hadoop.hdfs.server.namenode.ReplicationCap.Raising;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Before a file gives up its third replicas, the caller has seen each of its blocks covered. */
class SettledLoweringTest {
  @TempDir Path root;

  @Test
  void onlyAClosedFileOfWhichEachBlockIsKnownIsLowered() throws Exception {
    try (BridgeCluster cluster = BridgeCluster.start(BridgeCluster.conf(null, root), 3)) {
      ReplicationCap cap = new ReplicationCap(cluster.cluster.getNamesystem());
      org.apache.hadoop.fs.Path file = new org.apache.hadoop.fs.Path("/two-blocks");
      ProtectionMarks open = new ProtectionMarks(cluster.cluster.getNamesystem());
      try (FSDataOutputStream out = cluster.fs.create(file, true, 4096, (short) 3, 1 << 20)) {
        open.set(file.toString(), Mark.PROTECTED);
        out.write(new byte[(1 << 20) + 10]);
        out.hsync();
        assertThat(cap.lowerSettled(id(cluster, file), settled(cluster, file)))
            .isEqualTo(Lowering.OPEN);
        open.clear(file.toString());
      }
      DFSTestUtil.waitReplication(cluster.fs, file, (short) 3);
      long inode = id(cluster, file);
      Map<Long, Long> settled = settled(cluster, file);
      ProtectionMarks marks = new ProtectionMarks(cluster.cluster.getNamesystem());
      assertThat(cap.lowerSettled(inode, settled)).isEqualTo(Lowering.NOT_PROTECTED);
      marks.set("/", Mark.PROTECTED);

      Map<Long, Long> oneMissing = new HashMap<>(settled);
      oneMissing.remove(oneMissing.keySet().iterator().next());
      assertThat(cap.lowerSettled(inode, oneMissing)).isEqualTo(Lowering.CHANGED);
      Map<Long, Long> older = new HashMap<>(settled);
      older.replaceAll((block, stamp) -> stamp - 1);
      assertThat(cap.lowerSettled(inode, older)).isEqualTo(Lowering.CHANGED);
      assertThat(cap.lowerSettled(inode + 1000, settled)).isEqualTo(Lowering.GONE);

      assertThat(cluster.fs.getFileStatus(file).getReplication()).isEqualTo((short) 3);

      cluster.fs.setSafeMode(SafeModeAction.SAFEMODE_ENTER);
      assertThatThrownBy(() -> cap.lowerSettled(inode, settled))
          .isInstanceOf(SafeModeException.class);
      cluster.fs.setSafeMode(SafeModeAction.SAFEMODE_LEAVE);

      // Under another name it is the same file.
      org.apache.hadoop.fs.Path renamed = new org.apache.hadoop.fs.Path("/renamed");
      cluster.fs.rename(file, renamed);
      assertThat(cap.lowerSettled(inode, settled)).isEqualTo(Lowering.LOWERED);
      assertThat(cap.lowerSettled(inode, settled)).isEqualTo(Lowering.NOT_HIGHER);
      assertThat(cap.loweredFiles()).isEqualTo(1);
      assertThat(cluster.fs.getFileStatus(renamed).getReplication()).isEqualTo((short) 2);
      cluster.awaitReplicas("/renamed", 2);

      cluster.cluster.restartNameNode(true);
      assertThat(cluster.fs.getFileStatus(renamed).getReplication()).isEqualTo((short) 2);
    }
  }

  @Test
  void aFileThatASnapshotAloneHasIsGone() throws Exception {
    try (BridgeCluster cluster = BridgeCluster.start(BridgeCluster.conf(null, root), 3)) {
      ReplicationCap cap = new ReplicationCap(cluster.cluster.getNamesystem());
      org.apache.hadoop.fs.Path file = cluster.write("/d/f", new byte[10], 3);
      cluster.fs.allowSnapshot(file.getParent());
      cluster.fs.createSnapshot(file.getParent(), "s");
      long inode = id(cluster, file);
      Map<Long, Long> settled = settled(cluster, file);
      cluster.fs.delete(file, false);
      assertThat(cap.lowerSettled(inode, settled)).isEqualTo(Lowering.GONE);
      cluster.write("/d/f", new byte[10], 3);
      assertThat(cap.lowerSettled(inode, settled)).as("another file").isEqualTo(Lowering.GONE);
    }
  }

  @Test
  void aFileIsRaisedUnlessSomethingAsksForFewer() throws Exception {
    try (BridgeCluster cluster = BridgeCluster.start(BridgeCluster.conf(null, root), 3)) {
      ReplicationCap cap = new ReplicationCap(cluster.cluster.getNamesystem());
      ProtectionMarks marks = new ProtectionMarks(cluster.cluster.getNamesystem());
      org.apache.hadoop.fs.Path file = cluster.write("/d/f", new byte[10], 2);
      long inode = id(cluster, file);
      marks.set("/d", Mark.PROTECTED);
      assertThat(cap.raise(inode, (short) 3)).isEqualTo(Raising.PROTECTED);
      marks.clear("/d");

      org.apache.hadoop.fs.Path directory = file.getParent();
      cluster.fs.setQuota(directory, Long.MAX_VALUE, 20);
      assertThatThrownBy(() -> cap.raise(inode, (short) 3))
          .isInstanceOf(QuotaExceededException.class);
      assertThat(cluster.fs.getFileStatus(file).getReplication()).isEqualTo((short) 2);
      cluster.fs.setQuota(directory, Long.MAX_VALUE, HdfsConstants.QUOTA_RESET);

      cluster.fs.allowSnapshot(directory);
      cluster.fs.createSnapshot(directory, "two");
      assertThat(cap.raise(inode, (short) 3)).isEqualTo(Raising.FEWER_IN_SNAPSHOT);
      cluster.fs.setReplication(file, (short) 3);
      assertThat(cap.raise(inode, (short) 3))
          .as("when the file is deleted, the snapshot has two")
          .isEqualTo(Raising.FEWER_IN_SNAPSHOT);
      cluster.fs.deleteSnapshot(directory, "two");
      cluster.fs.createSnapshot(directory, "three");
      assertThat(cap.raise(inode, (short) 3)).isEqualTo(Raising.NOT_LOWER);
      cluster.fs.deleteSnapshot(directory, "three");

      assertThat(cap.raise(inode, (short) 4)).isEqualTo(Raising.RAISED);
      assertThat(cap.raise(inode, (short) 3)).isEqualTo(Raising.NOT_LOWER);
      try (FSDataOutputStream out = cluster.fs.append(file)) {
        assertThat(cap.raise(inode, (short) 5)).isEqualTo(Raising.OPEN);
      }
      cluster.fs.setReplication(file, (short) 1);
      assertThat(cap.raise(inode, (short) 3)).as("it wants one").isEqualTo(Raising.NOT_LOWER);
      cluster.fs.delete(file, false);
      assertThat(cap.raise(inode, (short) 3)).isEqualTo(Raising.GONE);
    }
  }

  private static long id(BridgeCluster cluster, org.apache.hadoop.fs.Path file) throws Exception {
    return cluster.fs.getClient().getFileInfo(file.toString()).getFileId();
  }

  private static Map<Long, Long> settled(BridgeCluster cluster, org.apache.hadoop.fs.Path file)
      throws Exception {
    Map<Long, Long> settled = new HashMap<>();
    for (LocatedBlock block : cluster.located(file.toString())) {
      settled.put(block.getBlock().getBlockId(), block.getBlock().getGenerationStamp());
    }
    return settled;
  }
}
