/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.refusal.Refusal;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.util.RwLock;

/**
 * Block groups of which units were dropped, until their other units may come to other nodes. With
 * fewer units a group may break the rule of racks, and HDFS copies a unit to another rack at once,
 * perhaps to a node that has not deleted its dropped unit yet. A file that is raised gets new units
 * on such a node, too. The node then holds two units of one group. When it reports the deletion,
 * the NameNode takes the other unit for gone (BlocksMap.removeNode goes by the node alone) until
 * the node's next full report. So HDFS looks at a group some heartbeats later, and the group is not
 * raised until then.
 *
 * <p><b>Crash.</b> What waits is lost; a NameNode that becomes active looks at the racks of all
 * blocks. It does not know which files were lowered just before, and raises them.
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

  /** Groups that wait, each with when it was lowered last. */
  private final Map<Long, Long> lastNanos = new ConcurrentHashMap<>();

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
  public void add(BlockInfo... lowered) {
    for (BlockInfo each : lowered) {
      if (each instanceof BlockInfoStriped group) {
        if (blocks.countNodes(group).liveReplicas() >= group.getRealTotalBlockNum()) {
          blocks.neededReconstruction.remove(group, LowRedundancyBlocks.LEVEL);
        }
        long nowNanos = System.nanoTime();
        lastNanos.put(group.getBlockId(), nowNanos);
        waiting.add(new Lowered(group.getBlockId(), nowNanos));
      }
    }
  }

  /**
   * Refuses to raise a group of which a node may still delete a unit; the caller holds the lock.
   */
  public Optional<Refusal> refuseRaise(BlockInfo group, String path) {
    Long loweredNanos = lastNanos.get(group.getBlockId());
    long ageNanos = loweredNanos == null ? Long.MAX_VALUE : System.nanoTime() - loweredNanos;
    if (ageNanos > minAgeNanos()) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            "queued-delete",
            "Cannot change the level: loweredBeforeMs="
                + TimeUnit.NANOSECONDS.toMillis(ageNanos)
                + ", expected more than "
                + TimeUnit.NANOSECONDS.toMillis(minAgeNanos())
                + ", file="
                + path
                + " group="
                + group.getBlockName(),
            "wait until the DataNodes have deleted the dropped unit ("
                + HEARTBEATS
                + " heartbeats), then run it again"));
  }

  /** Has HDFS look at groups that have waited long enough; on a standby forgets all. */
  public void checkDue() {
    if (!isWritable.getAsBoolean()) {
      waiting.clear();
      lastNanos.clear();
      return;
    }
    long minAgeNanos = minAgeNanos();
    while (isDue(minAgeNanos)) {
      NameNodeLock.ALL.writeLock(lock);
      try {
        if (!isWritable.getAsBoolean()) {
          return;
        }
        for (int i = 0; i < BATCH && isDue(minAgeNanos); i++) {
          check(waiting.remove());
        }
      } finally {
        NameNodeLock.ALL.writeUnlock(lock, "checkLoweredGroups");
      }
    }
  }

  private long minAgeNanos() {
    return TimeUnit.SECONDS.toNanos(
        HEARTBEATS * blocks.getDatanodeManager().getHeartbeatInterval());
  }

  private boolean isDue(long minAgeNanos) {
    Lowered oldest = waiting.peek();
    return oldest != null && System.nanoTime() - oldest.atNanos() >= minAgeNanos;
  }

  private void check(Lowered lowered) {
    lastNanos.remove(lowered.groupId(), lowered.atNanos());
    BlockInfo block = blocks.getStoredBlock(new Block(lowered.groupId()));
    if (block instanceof BlockInfoStriped group && !group.isDeleted() && group.isComplete()) {
      LackingBlocks.queue(blocks, group, blocks.pendingReconstruction.getNumReplicas(group));
    }
  }
}
