/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.level.StripedGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Block groups of files whose level changes: what the block manager knows of them, and the change
 * in memory.
 *
 * <p>Reaches, package-private: BlockManager.pendingReconstruction, corruptReplicas,
 * addToInvalidates; BlockInfoStriped.getBlockOnStorage; DatanodeStorageInfo.getBlockIterator,
 * getBlockReportCount; InvalidateBlocks through containsInvalidateBlock. Checked for Hadoop 3.5.0.
 * Holds nothing but the block manager; every method says which lock its caller holds.
 */
public final class StripedGroups {
  private final BlockManager blocks;
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

  public StripedGroups(BlockManager blocks) {
    this.blocks = blocks;
  }

  /**
   * What is known of a group; the caller holds the lock, for reading at least.
   *
   * @param fromUnit first unit whose queued deletions matter
   * @param toUnit the unit behind the last such
   */
  public StripedGroup describe(BlockInfo block, int fromUnit, int toUnit) {
    BlockInfoStriped group = (BlockInfoStriped) block;
    int present = 0;
    int repeated = 0;
    int draining = 0;
    int stale = 0;
    boolean excess = false;
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      int bit = 1 << each.getBlockIndex();
      DatanodeDescriptor node = each.getStorage().getDatanodeDescriptor();
      repeated |= present & bit;
      present |= bit;
      draining |= node.isInService() ? 0 : bit;
      stale |= each.getStorage().areBlockContentsStale() ? bit : 0;
      excess |= blocks.isExcess(node, group);
    }
    return new StripedGroup(
        group.getBlockName(),
        group.isComplete(),
        group.getRealDataBlockNum(),
        present,
        repeated,
        draining,
        stale,
        queuedDeletes(group, fromUnit, toUnit),
        blocks.corruptReplicas.numCorruptReplicas(group),
        blocks.pendingReconstruction.getNumReplicas(group),
        excess);
  }

  private int queuedDeletes(BlockInfoStriped group, int fromUnit, int toUnit) {
    if (fromUnit >= toUnit) {
      return 0;
    }
    // Nodes times units is a long way to go under the lock; mostly nothing is queued.
    boolean some = blocks.getPendingDeletionECBlocks() > 0;
    int queued = 0;
    for (DatanodeDescriptor node : blocks.getDatanodeManager().getDatanodes()) {
      for (int unit = fromUnit; unit < toUnit; unit++) {
        Block replica =
            new Block(group.getBlockId() + unit, group.getNumBytes(), group.getGenerationStamp());
        // Queued for a node, or already with what its next heartbeat is answered.
        if (some && blocks.containsInvalidateBlock(node, replica)
            || node.containsInvalidateBlock(replica)) {
          queued |= 1 << unit;
        }
      }
    }
    return queued;
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
    BlockInfo block = blocks.getStoredBlock(new Block(surplus.groupId()));
    return block instanceof BlockInfoStriped group && !group.isDeleted() && group.isComplete()
        ? drop(group, surplus.unit(), surplus.unit() + 1)
        : 0;
  }

  /** Completes a group that a torn change left open; the caller holds the lock for writing. */
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
