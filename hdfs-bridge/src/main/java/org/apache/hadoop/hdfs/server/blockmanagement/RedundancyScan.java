/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;

/**
 * The scan of all blocks that HDFS makes when a NameNode becomes the active one, or leaves its
 * first safe mode. Before its end HDFS counts too few blocks that lack replicas, and too few
 * missing ones.
 *
 * <p>BlockManager.getReconstructionQueuesInitProgress does not tell the end: it stays below 1 when
 * blocks are deleted meanwhile, and is 1 too early when blocks are added. Neither does the end of
 * the thread: it may have failed ({@link ScannedBlocks}).
 *
 * <p>Reaches: BlockManager.reconstructionQueuesInitializer. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class RedundancyScan {
  private final BlockManager blocks;
  private final ScannedBlocks scanned;
  private final Field thread;

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  RedundancyScan(FSNamesystem namesystem) {
    this.blocks = namesystem.getBlockManager();
    this.scanned = ScannedBlocks.install(blocks, namesystem);
    this.thread = PrivateFields.of(BlockManager.class, "reconstructionQueuesInitializer");
  }

  /**
   * Whether HDFS has looked at all blocks since this NameNode has become the active one. The caller
   * holds the block manager's lock.
   */
  boolean isDone() {
    Thread scan = (Thread) PrivateFields.get(thread, blocks);
    return blocks.isPopulatingReplQueues()
        && scan != null
        && !scan.isAlive()
        && scanned.isComplete(scan);
  }
}
