/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Collection;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;

/**
 * Blocks with too few or too many replicas that were left as they are, because nobody knew whether
 * they are in a superchunk.
 *
 * <p>Reaches, package-private: BlockManager.hasEnoughEffectiveReplicas, pendingReconstruction,
 * postponeBlock. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class UndecidedBlocks {
  /** Blocks that are looked at under one hold of the lock: some milliseconds. */
  static final int BATCH = 1000;

  private final FSNamesystem namesystem;
  private final BlockManager blocks;

  UndecidedBlocks(FSNamesystem namesystem) {
    this.namesystem = namesystem;
    this.blocks = namesystem.getBlockManager();
  }

  /**
   * Has HDFS look at the redundancy of blocks, as it does when a replica is reported: queues those
   * that lack replicas, and chooses replicas to delete of those that have too many. Does nothing in
   * a standby and in safe mode.
   */
  void lookAgain(Collection<Long> blockIds) {
    forEach(blockIds, this::look);
  }

  /** Has replicas to delete chosen of blocks that have too many, also if one lacks a side. */
  void lookAtExcess(Collection<Long> blockIds) {
    forEach(
        blockIds,
        blockId -> {
          BlockInfo block = blocks.getStoredBlock(new Block(blockId));
          if (block != null && !block.isDeleted() && block.isComplete()) {
            lookAtExcess(block, blocks.countNodes(block));
          }
        });
  }

  private void forEach(Collection<Long> blockIds, LongConsumer action) {
    List<Long> all = List.copyOf(blockIds);
    for (int from = 0; from < all.size(); from += BATCH) {
      List<Long> batch = all.subList(from, Math.min(all.size(), from + BATCH));
      NameNodeLock.ALL.writeLock(namesystem);
      try {
        if (blocks.isPopulatingReplQueues()) {
          batch.forEach(action::accept);
        }
      } finally {
        NameNodeLock.ALL.writeUnlock(namesystem, "lookAgainAtBlocks");
      }
    }
  }

  private void lookAtExcess(BlockInfo block, NumberReplicas count) {
    if (count.liveReplicas() > blocks.getExpectedRedundancyNum(block)) {
      blocks.processMisReplicatedBlocks(List.of(block));
      if (count.replicasOnStaleNodes() > 0) {
        blocks.postponeBlock(block);
      }
    }
  }

  private void look(long blockId) {
    BlockInfo block = blocks.getStoredBlock(new Block(blockId));
    if (block == null || block.isDeleted() || !block.isComplete()) {
      return;
    }
    NumberReplicas count = blocks.countNodes(block);
    int pending = blocks.pendingReconstruction.getNumReplicas(block);
    if (!blocks.hasEnoughEffectiveReplicas(block, count, pending)) {
      LackingBlocks.queue(blocks, block, pending);
    } else {
      lookAtExcess(block, count);
    }
  }
}
