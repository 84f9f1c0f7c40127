/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.util.RwLock;
import org.apache.hadoop.hdfs.util.RwLockMode;

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
 * <p>Reaches, package-private: BlockManager.neededReconstruction, pendingReconstruction;
 * LowRedundancyBlocks.remove. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class LoweredGroups {
  /** Within it, DataNodes have deleted dropped units and have reported that. */
  private static final long HEARTBEATS = 10;

  /** Groups that are looked at under one hold of the lock. */
  private static final int BATCH = 500;

  private final BlockManager blocks;
  private final RwLock lock;
  private final BooleanSupplier isWritable;
  private final Queue<Lowered> waiting = new ConcurrentLinkedQueue<>();

  /** A group, and when its units were dropped. */
  private record Lowered(long groupId, long atNanos) {}

  /**
   * @param lock of the namesystem
   * @param isWritable whether the NameNode is active and out of safe mode
   */
  public LoweredGroups(BlockManager blocks, RwLock lock, BooleanSupplier isWritable) {
    this.blocks = blocks;
    this.lock = lock;
    this.isWritable = isWritable;
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

  /** Has HDFS look at groups that have waited long enough; on a standby forgets all. */
  public void checkDue() {
    if (!isWritable.getAsBoolean()) {
      waiting.clear();
      return;
    }
    long minAgeNanos =
        TimeUnit.SECONDS.toNanos(HEARTBEATS * blocks.getDatanodeManager().getHeartbeatInterval());
    while (isDue(minAgeNanos)) {
      lock.writeLock(RwLockMode.GLOBAL);
      try {
        if (!isWritable.getAsBoolean()) {
          return;
        }
        for (int i = 0; i < BATCH && isDue(minAgeNanos); i++) {
          check(waiting.remove());
        }
      } finally {
        lock.writeUnlock(RwLockMode.GLOBAL, "checkLoweredGroups");
      }
    }
  }

  private boolean isDue(long minAgeNanos) {
    Lowered oldest = waiting.peek();
    return oldest != null && System.nanoTime() - oldest.atNanos() >= minAgeNanos;
  }

  private void check(Lowered lowered) {
    BlockInfo block = blocks.getStoredBlock(new Block(lowered.groupId()));
    if (block instanceof BlockInfoStriped group && !group.isDeleted() && group.isComplete()) {
      LackingBlocks.queue(blocks, group, blocks.pendingReconstruction.getNumReplicas(group));
    }
  }
}
