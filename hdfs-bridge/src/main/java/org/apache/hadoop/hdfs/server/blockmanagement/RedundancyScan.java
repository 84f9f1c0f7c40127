/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.jspecify.annotations.Nullable;

/**
 * The scan of all blocks that HDFS makes when a NameNode becomes the active one, or leaves its
 * first safe mode. Before its end HDFS counts too few blocks that lack replicas, and too few
 * missing ones.
 *
 * <p>BlockManager.getReconstructionQueuesInitProgress does not tell the end: it stays below 1 when
 * blocks are deleted meanwhile, and is 1 too early when blocks are added. Neither does the end of
 * the thread: it may have failed ({@link ScannedBlocks}).
 *
 * <p>HDFS does not repeat a scan that has failed: {@link #repeat} does.
 *
 * <p>Reaches: BlockManager.reconstructionQueuesInitializer. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class RedundancyScan {
  private final FSNamesystem namesystem;
  private final BlockManager blocks;
  private final ScannedBlocks scanned;
  private final Field thread;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  RedundancyScan(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.blocks = namesystem.getBlockManager();
    this.scanned = ScannedBlocks.install(blocks, namesystem);
    this.thread = PrivateFields.of(BlockManager.class, "reconstructionQueuesInitializer");
  }

  /**
   * Whether HDFS has looked at all blocks since this NameNode has become the active one. The caller
   * holds the block manager's lock.
   */
  boolean isDone() {
    Thread ended = ended();
    return ended != null && scanned.isComplete(ended);
  }

  /**
   * Whether the scan of this active NameNode has ended before it had gone through all blocks. The
   * caller holds the block manager's lock.
   */
  boolean hasFailed() {
    Thread ended = ended();
    return ended != null && !scanned.isComplete(ended);
  }

  /**
   * Begins a scan that has failed again, as HDFS does at a failover, but without emptying the
   * queues first. Nothing in safe mode, or if no scan has failed.
   */
  void repeat() {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      if (hasFailed() && !namesystem.isInSafeMode()) {
        CoveredQueues.install(blocks, namesystem).keepAllDuring(blocks::processMisReplicatedBlocks);
      }
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "repeatRedundancyScan");
    }
  }

  /** The thread of the scan, if it has ended and this NameNode is the active one. */
  private @Nullable Thread ended() {
    Thread scan = (Thread) PrivateFields.get(thread, blocks);
    return blocks.isPopulatingReplQueues() && scan != null && !scan.isAlive() ? scan : null;
  }
}
