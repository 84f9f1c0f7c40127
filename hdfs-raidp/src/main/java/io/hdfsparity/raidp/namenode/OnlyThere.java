/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlock;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Blocks without a good replica but on one disk, and which sides lack them. Immutable. */
final class OnlyThere {
  private final List<LastBlock> blocks;
  private final boolean isSure;
  private final Set<Long> superchunks = new HashSet<>();
  private final Set<Long> superchunksThere = new HashSet<>();
  private final Set<String> damaged = new HashSet<>();

  /** A side of a superchunk. */
  record Side(String storageId, long superchunkId) {}

  /**
   * @param known the blocks
   * @param isSilent whether the disk's node does not report in time
   */
  OnlyThere(LastBlocks known, boolean isSilent) {
    this.blocks = known.blocks();
    this.isSure = !isSilent && known.hasReported();
    for (LastBlock block : blocks) {
      block.superchunkId().ifPresent(superchunks::add);
      if (block.isThere()) {
        block.superchunkId().ifPresent(superchunksThere::add);
      }
      if (mayBeOfAnySuperchunk(block)) {
        damaged.addAll(block.damagedOn());
      }
    }
  }

  /** A block that is being moved may be listed under its other superchunk. */
  private boolean mayBeOfAnySuperchunk(LastBlock block) {
    return block.isThere() || !isSure || block.superchunkId().isEmpty();
  }

  /** Whether HDFS knows what the disk has; else rows are to be counted as well. */
  boolean isSure() {
    return isSure;
  }

  /** Superchunks of blocks that the disk has. */
  Set<Long> superchunksThere() {
    return superchunksThere;
  }

  /** Whether another side lacks a good replica of such a block, or may. */
  boolean lacks(FrameView other, long superchunkId) {
    return superchunks.contains(superchunkId) || damaged.contains(other.storageId());
  }

  /** Ids of the blocks that the disk has, and of those for which sides or superchunks are named. */
  TreeSet<Long> idsOf(Set<Long> superchunkIds, Set<Side> sides) {
    Set<String> storageIds = new HashSet<>();
    sides.forEach(side -> storageIds.add(side.storageId()));
    TreeSet<Long> ids = new TreeSet<>();
    for (LastBlock block : blocks) {
      boolean isNamed =
          block.superchunkId().isPresent()
              && superchunkIds.contains(block.superchunkId().getAsLong());
      boolean isDamaged =
          mayBeOfAnySuperchunk(block) && block.damagedOn().stream().anyMatch(storageIds::contains);
      if (block.isThere() || isNamed || isDamaged) {
        ids.add(block.blockId());
      }
    }
    return ids;
  }
}
