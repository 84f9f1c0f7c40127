/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * Lowers the replication of a file to the most that its blocks can have. A wish that the placement
 * cannot grant would stay under-replicated for good: in {@code fsck} and metrics, in the queue of
 * the redundancy monitor, in the way of decommissioning. {@code dfs.replication.max} is no help: it
 * refuses the file.
 *
 * <p>The change is one of HDFS's own, as by {@code setrep}: logged, so a standby and an image have
 * it too, and counted in quotas. It is not synced: what is lost in a crash is done again.
 *
 * <p>Reaches, package-private: FSDirAttrOp.unprotectedSetReplication, FSDirectory's lock,
 * FSEditLog.logSetReplication, FSNamesystem.checkNameNodeSafeMode. Takes the namesystem's write
 * lock, for the time of {@code setrep}; so no lock of the NameNode may be held. Checked for Hadoop
 * 3.5.0. Thread-safe.
 */
public final class ReplicationCap {
  private final FSNamesystem namesystem;
  private final LongAdder lowered = new LongAdder();

  public ReplicationCap(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /**
   * Lowers the replication of a file if it is higher; does nothing when there is no such file, or
   * when it is erasure-coded.
   *
   * @throws IOException also in safe mode and in a standby
   */
  public void lower(String path, short replication) throws IOException {
    namesystem.writeLock(RwLockMode.GLOBAL);
    try {
      namesystem.checkOperation(OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot lower the replication of " + path);
      FSDirectory directory = namesystem.getFSDirectory();
      directory.writeLock();
      try {
        INodesInPath file = directory.getINodesInPath(path, DirOp.WRITE);
        if (isHigher(file.getLastINode(), replication)) {
          FSDirAttrOp.unprotectedSetReplication(directory, file, replication);
          directory.getEditLog().logSetReplication(file.getPath(), replication);
          lowered.increment();
        }
      } finally {
        directory.writeUnlock();
      }
    } finally {
      namesystem.writeUnlock(RwLockMode.GLOBAL, "lowerReplication");
    }
  }

  private static boolean isHigher(INode inode, short replication) {
    return inode != null
        && inode.isFile()
        && !inode.asFile().isStriped()
        && inode.asFile().getFileReplication() > replication;
  }

  /** How often a file's wish was lowered since this was made. */
  public long loweredFiles() {
    return lowered.sum();
  }
}
