/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.FSDirectory.DirOp;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * Lowers the replication of a file, all of whose blocks lie in pairs, to the most that they can
 * have. A wish that the placement cannot grant would stay under-replicated for good: in {@code
 * fsck} and metrics, in the queue of the redundancy monitor, in the way of decommissioning. {@code
 * dfs.replication.max} is no help: it refuses the file.
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
  /** Replicas of a pair. */
  private static final short PAIR = 2;

  /** What {@link #lowerSettled} has done. */
  public enum Lowering {
    LOWERED,
    /** The file asks for two replicas or fewer, or is erasure-coded. */
    NOT_HIGHER,
    /** The file is being written. */
    OPEN,
    /** The file has a block that the caller does not name, or not as it is now. */
    CHANGED,
    /** There is no such file, or snapshots alone have it. */
    GONE
  }

  private final FSNamesystem namesystem;
  private final LongAdder lowered = new LongAdder();

  public ReplicationCap(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /**
   * Lowers the replication of a file to two if it is higher, the file is closed, and the caller
   * knows each of its blocks. HDFS then chooses replicas to delete as after {@code setrep}.
   *
   * @param settled generation stamps of blocks that are whole in their superchunk, by block id
   * @throws IOException also in safe mode and in a standby
   */
  public Lowering lowerSettled(long inodeId, Map<Long, Long> settled) throws IOException {
    namesystem.writeLock(RwLockMode.GLOBAL);
    try {
      namesystem.checkOperation(OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot lower the replication of inode " + inodeId);
      FSDirectory directory = namesystem.getFSDirectory();
      directory.writeLock();
      try {
        INode inode = directory.getInode(inodeId);
        INodesInPath place =
            inode == null || !inode.isFile()
                ? null
                : directory.getINodesInPath(inode.getFullPathName(), DirOp.WRITE);
        INode last = place == null ? null : place.getLastINode();
        if (place == null || last == null || last.getId() != inodeId) {
          return Lowering.GONE;
        }
        Lowering verdict = judge(last.asFile(), settled);
        if (verdict == Lowering.LOWERED) {
          FSDirAttrOp.unprotectedSetReplication(directory, place, PAIR);
          directory.getEditLog().logSetReplication(place.getPath(), PAIR);
          lowered.increment();
        }
        return verdict;
      } finally {
        directory.writeUnlock();
      }
    } finally {
      namesystem.writeUnlock(RwLockMode.GLOBAL, "lowerSettled");
    }
  }

  /** What is to be done; {@link Lowering#LOWERED}: to be lowered. */
  private static Lowering judge(INodeFile file, Map<Long, Long> settled) {
    if (!isHigher(file)) {
      return Lowering.NOT_HIGHER;
    }
    if (file.isUnderConstruction()) {
      return Lowering.OPEN;
    }
    BlockInfo[] blocks = file.getBlocks();
    boolean known =
        blocks.length > 0
            && Arrays.stream(blocks)
                .allMatch(
                    block ->
                        block.isComplete()
                            && Long.valueOf(block.getGenerationStamp())
                                .equals(settled.get(block.getBlockId())));
    return known ? Lowering.LOWERED : Lowering.CHANGED;
  }

  private static boolean isHigher(INodeFile file) {
    return !file.isStriped() && file.getFileReplication() > PAIR;
  }

  /** How often a file's wish was lowered since this was made. */
  public long loweredFiles() {
    return lowered.sum();
  }
}
