/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * Block groups of which units were dropped, until HDFS may move their other units. With fewer units
 * a group may break the rule of racks, and HDFS copies a unit to another rack at once, perhaps to a
 * node that has not deleted its dropped unit yet. Such a node holds two units of one group. When it
 * reports the deletion, the NameNode takes the other unit for gone (BlocksMap.removeNode goes by
 * the node alone) until the node's next full report. So HDFS looks at a group some heartbeats
 * later.
 *
 * <p><b>Crash.</b> The queue is lost; a NameNode that becomes active looks at all blocks.
 *
 * <p>Reaches, package-private: BlockManager.neededReconstruction, hasEnoughEffectiveReplicas,
 * pendingReconstruction; LowRedundancyBlocks.add, remove. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class LoweredGroups {
  private final BlockManager blocks;
  private final Queue<Lowered> waiting = new ConcurrentLinkedQueue<>();

  /** A group, and when its units were dropped. */
  private record Lowered(long groupId, long atNanos) {}

  public LoweredGroups(BlockManager blocks) {
    this.blocks = blocks;
  }

  /**
   * Has HDFS leave groups alone for now, unless they lack a unit. The caller holds the lock for
   * writing.
   */
  public void add(BlockInfo[] lowered) {
    for (BlockInfo each : lowered) {
      if (each instanceof BlockInfoStriped group) {
        if (blocks.countNodes(group).liveReplicas() >= group.getRealTotalBlockNum()) {
          blocks.neededReconstruction.remove(group, LowRedundancyBlocks.LEVEL);
        }
        waiting.add(new Lowered(group.getBlockId(), System.nanoTime()));
      }
    }
  }

  /** Forgets all: another NameNode is active. */
  public void clear() {
    waiting.clear();
  }

  /** Whether a group has waited long enough. */
  public boolean isDue(long minAgeNanos) {
    Lowered oldest = waiting.peek();
    return oldest != null && System.nanoTime() - oldest.atNanos() >= minAgeNanos;
  }

  /** Has HDFS look at groups that have waited; the caller holds the lock for writing. */
  public void check(long minAgeNanos, int maxGroups) {
    for (int i = 0; i < maxGroups && isDue(minAgeNanos); i++) {
      Lowered oldest = waiting.poll();
      if (oldest != null
          && blocks.getStoredBlock(new Block(oldest.groupId())) instanceof BlockInfoStriped group
          && !group.isDeleted()
          && group.isComplete()) {
        check(blocks, group);
      }
    }
  }

  /** Queues a group that lacks units or racks; the caller holds the lock for writing. */
  static void check(BlockManager blocks, BlockInfoStriped group) {
    NumberReplicas count = blocks.countNodes(group);
    int pending = blocks.pendingReconstruction.getNumReplicas(group);
    if (!blocks.hasEnoughEffectiveReplicas(group, count, pending)) {
      blocks.neededReconstruction.add(
          group,
          count.liveReplicas(),
          count.readOnlyReplicas(),
          count.outOfServiceReplicas(),
          group.getRealTotalBlockNum());
    }
  }
}
