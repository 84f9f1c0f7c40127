/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.level.StripedGroup;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.util.LightWeightHashSet;
import org.jspecify.annotations.Nullable;

/**
 * Block groups of files whose level changes: what the block manager knows of them, and the change
 * in memory.
 *
 * <p>Reaches, package-private: BlockManager.pendingReconstruction, corruptReplicas,
 * addToInvalidates; BlockInfoStriped.getBlockOnStorage; DatanodeStorageInfo.getBlockIterator,
 * getBlockReportCount; InvalidateBlocks.getDatanodes and, through containsInvalidateBlock, its
 * queues; by reflection BlockManager.invalidateBlocks and DatanodeDescriptor.invalidateBlocks,
 * private. Checked for Hadoop 3.5.0. Holds nothing but the block manager; every method says which
 * lock its caller holds.
 */
public final class StripedGroups {
  /** Maximum number of look-ups in queues of deletions for one file: some tenths of a second. */
  public static final long MAX_PROBES = 1_000_000;

  private final BlockManager blocks;
  private final InvalidateBlocks queued;
  private final Field ownQueue;
  private final LongAdder described = new LongAdder();
  private final LongAdder probed = new LongAdder();
  private final StripedSlots slots = new StripedSlots();

  /**
   * A storage of a node. Equal as long as it has sent no other full report: the count alone begins
   * again when the node registers again.
   *
   * @param reports full reports since the node registered
   * @param lastReportMs when the node's last full report was complete, monotonic
   */
  public record StorageReports(String nodeUuid, String storageId, int reports, long lastReportMs) {}

  /** A unit that its group's policy does not have. */
  public record SurplusUnit(long groupId, int unit) {}

  /**
   * @throws IllegalStateException when this Hadoop is another one
   */
  public StripedGroups(BlockManager blocks) {
    this.blocks = blocks;
    this.queued =
        (InvalidateBlocks)
            PrivateFields.get(PrivateFields.of(BlockManager.class, "invalidateBlocks"), blocks);
    this.ownQueue = PrivateFields.of(DatanodeDescriptor.class, "invalidateBlocks");
  }

  /**
   * Nodes with queued deletions, for as long as the lock is held for writing: nothing is queued
   * meanwhile.
   *
   * @param fromUnit first unit whose queued deletions matter
   * @param toUnit the unit behind the last such
   */
  public record QueuedDeletes(List<DatanodeDescriptor> nodes, int fromUnit, int toUnit) {
    /** Look-ups that are made for so many groups. */
    public long probes(int groups) {
      return (long) nodes.size() * (toUnit - fromUnit) * groups;
    }
  }

  /** No unit's deletion matters. */
  public static QueuedDeletes noDeletes() {
    return new QueuedDeletes(List.of(), 0, 0);
  }

  /** Which nodes have deletions queued; a step for each node. The caller holds the lock. */
  public QueuedDeletes queuedDeletes(int fromUnit, int toUnit) {
    if (fromUnit >= toUnit) {
      return noDeletes();
    }
    Set<DatanodeInfo> notified =
        blocks.getPendingDeletionECBlocks() > 0 ? Set.copyOf(queued.getDatanodes()) : Set.of();
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    for (DatanodeDescriptor node : blocks.getDatanodeManager().getDatanodes()) {
      // Queued for a node, or already with what its next heartbeat is answered.
      LightWeightHashSet<?> own = (LightWeightHashSet<?>) PrivateFields.get(ownQueue, node);
      if (notified.contains(node) || own.size() > 0) {
        nodes.add(node);
      }
    }
    return new QueuedDeletes(nodes, fromUnit, toUnit);
  }

  /** Groups that were described since the start: what is done under the lock. */
  public long described() {
    return described.sum();
  }

  /** Look-ups in queues of deletions since the start: what is done under the lock. */
  public long probed() {
    return probed.sum();
  }

  /** What is known of a group; the caller holds the lock, for reading at least. */
  public StripedGroup describe(BlockInfo block, QueuedDeletes deletes) {
    described.increment();
    BlockInfoStriped group = (BlockInfoStriped) block;
    int present = 0;
    int repeated = 0;
    int draining = 0;
    int stale = 0;
    int unavailable = 0;
    boolean excess = false;
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      int bit = 1 << each.getBlockIndex();
      DatanodeDescriptor node = each.getStorage().getDatanodeDescriptor();
      repeated |= present & bit;
      present |= bit;
      draining |= node.isInService() ? 0 : bit;
      stale |= each.getStorage().areBlockContentsStale() ? bit : 0;
      unavailable |= AvailableReplicas.isOn(blocks, each.getStorage()) ? 0 : bit;
      excess |= blocks.isExcess(node, group);
    }
    return new StripedGroup(
        group.getBlockId(),
        group.isComplete(),
        group.getRealDataBlockNum(),
        new StripedGroup.Units(
            present, repeated, draining, stale, unavailable, deletesOf(group, deletes)),
        blocks.corruptReplicas.numCorruptReplicas(group),
        blocks.pendingReconstruction.getNumReplicas(group),
        excess);
  }

  private int deletesOf(BlockInfoStriped group, QueuedDeletes deletes) {
    int units = 0;
    for (DatanodeDescriptor node : deletes.nodes()) {
      for (int unit = deletes.fromUnit(); unit < deletes.toUnit(); unit++) {
        Block replica =
            new Block(group.getBlockId() + unit, group.getNumBytes(), group.getGenerationStamp());
        probed.increment();
        if (blocks.containsInvalidateBlock(node, replica)
            || node.containsInvalidateBlock(replica)) {
          units |= 1 << unit;
        }
      }
    }
    return units;
  }

  /** Gives a group another policy; the caller holds the lock for writing. */
  public void setPolicy(BlockInfo group, ErasureCodingPolicy target) {
    slots.setPolicy((BlockInfoStriped) group, target);
  }

  /**
   * Forgets the units of a group that its policy does not have, and has them deleted. The caller
   * holds the lock for writing, in an active NameNode, and what took the units from the policy is
   * durable.
   *
   * @return how many
   */
  public int dropSurplus(BlockInfo block) {
    return block instanceof BlockInfoStriped group && group.isComplete()
        ? drop(group, group.getTotalBlockNum(), Integer.MAX_VALUE)
        : 0;
  }

  private int drop(BlockInfoStriped group, int fromUnit, int toUnit) {
    List<DatanodeStorageInfo> surplus = new ArrayList<>();
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      int unit = each.getBlockIndex();
      if (unit >= group.getTotalBlockNum() && unit >= fromUnit && unit < toUnit) {
        surplus.add(each.getStorage());
      }
    }
    for (DatanodeStorageInfo storage : surplus) {
      blocks.addToInvalidates(group.getBlockOnStorage(storage), storage.getDatanodeDescriptor());
      // A node holds one unit of a group at most, so this takes no other unit with it.
      blocks.removeStoredBlock(group, storage.getDatanodeDescriptor());
    }
    return surplus.size();
  }

  /**
   * As {@link #dropSurplus(BlockInfo)}, for one unit found by {@link #surplus}; nothing when the
   * group is gone or has the unit again.
   */
  public int dropSurplus(SurplusUnit surplus) {
    BlockInfo block = find(surplus.groupId());
    return block instanceof BlockInfoStriped group && !group.isDeleted() && group.isComplete()
        ? drop(group, surplus.unit(), surplus.unit() + 1)
        : 0;
  }

  /** A group by its id; null: there is none. The caller holds the lock. */
  public @Nullable BlockInfo find(long groupId) {
    return blocks.getStoredBlock(new Block(groupId));
  }

  /**
   * Completes a group that an interrupted change left open; the caller holds the lock for writing.
   */
  public void complete(BlockInfo group) throws IOException {
    if (!group.isComplete()) {
      blocks.forceCompleteBlock(group);
    }
  }

  /** Storages in order of all nodes that are alive. */
  public List<StorageReports> storages() {
    List<StorageReports> storages = new ArrayList<>();
    for (DatanodeDescriptor node : blocks.getDatanodeManager().getDatanodes()) {
      if (node.isAlive()) {
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
          if (storage.getState() == DatanodeStorage.State.NORMAL) {
            storages.add(
                new StorageReports(
                    node.getDatanodeUuid(),
                    storage.getStorageID(),
                    storage.getBlockReportCount(),
                    node.getLastBlockReportMonotonic()));
          }
        }
      }
    }
    return List.copyOf(storages);
  }

  /**
   * Units in a storage that their groups' policies do not have. The caller holds the lock for
   * reading: one step for each block of the storage.
   */
  public List<SurplusUnit> surplus(StorageReports where) {
    DatanodeDescriptor node = blocks.getDatanodeManager().getDatanode(where.nodeUuid());
    DatanodeStorageInfo storage = node == null ? null : node.getStorageInfo(where.storageId());
    List<SurplusUnit> surplus = new ArrayList<>();
    if (storage == null) {
      return surplus;
    }
    for (Iterator<BlockInfo> all = storage.getBlockIterator(); all.hasNext(); ) {
      if (all.next() instanceof BlockInfoStriped group && group.isComplete()) {
        int unit = group.getStorageBlockIndex(storage);
        if (unit >= group.getTotalBlockNum()) {
          surplus.add(new SurplusUnit(group.getBlockId(), unit));
        }
      }
    }
    return surplus;
  }
}
