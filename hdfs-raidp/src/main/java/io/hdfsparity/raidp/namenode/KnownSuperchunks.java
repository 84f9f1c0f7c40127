/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.namenode.RowStorages.Rows;
import java.util.List;
import java.util.Optional;

/**
 * Superchunk of a block where blocks in superchunks and plain ones lie on the same storages: the
 * one that rows of it have named. Storages say nothing: of two that share a superchunk a plain
 * block may have replicas on both. A block is plain when each of its storages was asked and has no
 * row of it. Thread-safe; asks nobody.
 */
final class KnownSuperchunks implements BlockSuperchunks {
  private final RowStorages storages;
  private final BlockHomes homes;
  private final RowlessReplicas rowless;
  private final MovingBlocks moving;

  /**
   * @param moving blocks that are on their way to another superchunk
   */
  KnownSuperchunks(
      RowStorages storages, BlockHomes homes, RowlessReplicas rowless, MovingBlocks moving) {
    this.storages = storages;
    this.homes = homes;
    this.rowless = rowless;
    this.moving = moving;
  }

  /** A block that moves belongs where it goes, and none of its replicas is one too many. */
  @Override
  public Optional<Home> of(long blockId, List<String> storageIds) {
    Optional<SharedSuperchunk> target = moving.of(blockId);
    if (target.isPresent()) {
      return target.map(to -> new Home(to.id(), to.epoch(), List.of()));
    }
    return homes.of(storages.view(), blockId, storageIds).map(KnownSuperchunks::home);
  }

  @Override
  public boolean isPlain(long blockId, List<String> storageIds) {
    ClusterView view = storages.view();
    return !storageIds.isEmpty()
        && storageIds.stream().allMatch(id -> isRowless(view, blockId, id))
        && homes.of(view, blockId, storageIds).isEmpty();
  }

  @Override
  public boolean isProvenPlain(long blockId, List<String> storageIds) {
    ClusterView view = storages.view();
    return isPlain(blockId, storageIds)
        && storageIds.stream().allMatch(id -> isProvenRowless(view, blockId, id));
  }

  /** Whether a storage has said that it has no row of the block, or can have none. */
  boolean isProvenRowless(ClusterView view, long blockId, String storageId) {
    return rowless.contains(blockId, storageId) || storages.rowsOf(view, storageId) == Rows.NONE;
  }

  /**
   * Whether nobody has to be asked for rows of the block on a storage, so that it may be copied.
   */
  boolean isRowless(ClusterView view, long blockId, String storageId) {
    return isProvenRowless(view, blockId, storageId)
        || storages.rowsOf(view, storageId) == Rows.GONE;
  }

  /** Whether it can be said which replicas of a block with too many may go. */
  boolean isDecided(long blockId, List<String> storageIds) {
    return of(blockId, storageIds).filter(home -> home.isWhole(storageIds)).isPresent()
        || isProvenPlain(blockId, storageIds);
  }

  /** Whether rows, or the lack of them, say what a block is. */
  boolean isKnown(long blockId, List<String> storageIds) {
    return of(blockId, storageIds).isPresent() || isPlain(blockId, storageIds);
  }

  private static Home home(SuperchunkView superchunk) {
    List<Target> sides =
        superchunk.state() == SuperchunkState.ACTIVE
            ? List.of(
                new Target(superchunk.leader().storageId(), superchunk.leader().nodeUuid()),
                new Target(superchunk.follower().storageId(), superchunk.follower().nodeUuid()))
            : List.of();
    return new Home(superchunk.id(), superchunk.epoch(), sides);
  }
}
