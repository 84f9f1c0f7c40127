/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.namenode.NameNode.OperationCategory;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiff;
import org.apache.hadoop.hdfs.server.namenode.snapshot.FileDiffList;

/**
 * Lowers the replication of a file, all of whose blocks lie in pairs, to the most that they can
 * have, and raises it again before they leave their pairs. A wish that the placement cannot grant
 * would stay under-replicated for good: in {@code fsck} and metrics, in the queue of the redundancy
 * monitor, in the way of decommissioning. {@code dfs.replication.max} is no help: it refuses the
 * file.
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
    /** New blocks of the file are not protected: its administrator wants plain replicas. */
    NOT_PROTECTED,
    /** The file is being written. */
    OPEN,
    /** The file has a block that the caller does not name, or not as it is now. */
    CHANGED,
    /** There is no such file, or snapshots alone have it. */
    GONE
  }

  /** What {@link #raise} has done. */
  public enum Raising {
    RAISED,
    /** The file asks for as many replicas already, or for one only. */
    NOT_LOWER,
    /** New blocks of the file are protected. */
    PROTECTED,
    /** The file is being written. */
    OPEN,
    /** A snapshot asks for fewer: when the file is deleted, its blocks have that many. */
    FEWER_IN_SNAPSHOT,
    /** There is no such file, or snapshots alone have it, or it is erasure-coded. */
    GONE
  }

  private final FSNamesystem namesystem;
  private final LongAdder lowered = new LongAdder();

  public ReplicationCap(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /**
   * Lowers the replication of a file to two if it is higher, the file is closed and protected, and
   * the caller knows each of its blocks. HDFS then chooses replicas to delete as after {@code
   * setrep}.
   *
   * @param settled generation stamps of blocks that are whole in their superchunk, by block id
   * @throws IOException also in safe mode and in a standby
   */
  public Lowering lowerSettled(long inodeId, Map<Long, Long> settled) throws IOException {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot lower the replication of inode " + inodeId);
      FSDirectory directory = namesystem.getFSDirectory();
      directory.writeLock();
      try {
        INodesInPath place = place(inodeId).orElse(null);
        if (place == null) {
          return Lowering.GONE;
        }
        INode last = place.getLastINode();
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
      NameNodeLock.ALL.writeUnlock(namesystem, "lowerSettled");
    }
  }

  /** Where a file is; empty: there is none, or snapshots alone have it. */
  private Optional<INodesInPath> place(long inodeId) {
    FSDirectory directory = namesystem.getFSDirectory();
    INode inode = directory.getInode(inodeId);
    return inode == null || !inode.isFile() ? Optional.empty() : CurrentPlace.of(directory, inode);
  }

  /**
   * Raises the replication of a closed file that is not protected any more, unless it asks for as
   * many already. A file that asks for one replica is left: nobody wants more of it.
   *
   * @throws QuotaExceededException if the directory has no room for more replicas
   * @throws IOException also in safe mode and in a standby
   */
  public Raising raise(long inodeId, short replication) throws IOException {
    Raising done;
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      namesystem.checkOperation(OperationCategory.WRITE);
      namesystem.checkNameNodeSafeMode("Cannot raise the replication of inode " + inodeId);
      FSDirectory directory = namesystem.getFSDirectory();
      directory.writeLock();
      try {
        INodesInPath place = place(inodeId).orElse(null);
        done = place == null ? Raising.GONE : judgeRaising(place, replication);
        if (place != null && done == Raising.RAISED) {
          FSDirAttrOp.unprotectedSetReplication(directory, place, replication);
          directory.getEditLog().logSetReplication(place.getPath(), replication);
        }
      } finally {
        directory.writeUnlock();
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "raiseReplication");
    }
    if (done == Raising.RAISED) {
      // Before a parity is given up for it. This waits, as no thread of a call comes here: see
      // DurableLog for those.
      namesystem.getEditLog().logSync();
    }
    return done;
  }

  /** What is to be done; {@link Raising#RAISED}: to be raised. */
  private static Raising judgeRaising(INodesInPath place, short replication) {
    INodeFile file = place.getLastINode().asFile();
    if (file.isStriped()) {
      return Raising.GONE;
    }
    if (file.isUnderConstruction()) {
      return Raising.OPEN;
    }
    if (ProtectionMarks.isProtected(file)) {
      return Raising.PROTECTED;
    }
    if (file.getFileReplication() < PAIR) {
      return Raising.NOT_LOWER;
    }
    if (SnapshotHold.isShared(place, file) && hasFewerInSnapshot(file, replication)) {
      return Raising.FEWER_IN_SNAPSHOT;
    }
    return file.getFileReplication() < replication ? Raising.RAISED : Raising.NOT_LOWER;
  }

  /** A snapshot since which the file has not changed has it as it is now. */
  private static boolean hasFewerInSnapshot(INodeFile file, short replication) {
    if (file.getFileReplication() < replication) {
      return true;
    }
    FileDiffList diffs = file.getDiffs();
    if (diffs != null) {
      for (FileDiff diff : diffs) {
        if (diffs.getSnapshotINode(diff.getSnapshotId(), file).getFileReplication() < replication) {
          return true;
        }
      }
    }
    return false;
  }

  /** What is to be done; {@link Lowering#LOWERED}: to be lowered. */
  private static Lowering judge(INodeFile file, Map<Long, Long> settled) {
    if (!isHigher(file)) {
      return Lowering.NOT_HIGHER;
    }
    if (!ProtectionMarks.isProtected(file)) {
      return Lowering.NOT_PROTECTED;
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
