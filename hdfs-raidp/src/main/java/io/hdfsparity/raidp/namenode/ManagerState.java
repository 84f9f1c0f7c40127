/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.raidp.config.ManagerOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The manager without its NameNode and its RPC: what it knows, promises and does. Thread-safe. */
final class ManagerState {
  private final SuperchunkMap map;
  private final Grants grants;
  private final PlacementChooser chooser;
  private final RecoveryCoordinator recovery;
  private final LayoutApplier layout;
  private final BlockHomes homes = new BlockHomes();
  private final ReplicaSuperchunks superchunks;
  private volatile boolean attached;
  private volatile @Nullable BlockRepair repair;

  ManagerState(
      ManagerOptions options,
      Namespace namespace,
      LstorTables tables,
      FrameRows rows,
      Executor listers,
      NodeRoster roster,
      LongSupplier clockMs,
      Supplier<? extends RandomGenerator> random) {
    map =
        new SuperchunkMap(options.silence(), options.layout().coefficients(), clockMs.getAsLong());
    superchunks = new ReplicaSuperchunks(map::view, homes);
    grants = new Grants(options.placement().grantLeaseMs());
    chooser =
        new PlacementChooser(
            map::view,
            grants,
            roster,
            map::allHadTime,
            options.placement().unitBytes(),
            options.placement().maxBlockBytes(),
            clockMs,
            random);
    recovery =
        new RecoveryCoordinator(
            map, namespace, tables, rows, chooser::takeUndecided, listers, options);
    layout = new LayoutApplier(map, options.layout());
  }

  SuperchunkMap map() {
    return map;
  }

  Grants grants() {
    return grants;
  }

  PlacementChooser chooser() {
    return chooser;
  }

  RecoveryCoordinator recovery() {
    return recovery;
  }

  /** Superchunk of a block, by its storages and by what rows have said. */
  ReplicaSuperchunks superchunks() {
    return superchunks;
  }

  /** What rows have said. */
  BlockHomes homes() {
    return homes;
  }

  /** What tells superchunks of blocks that are being written or copied. */
  BlockPlacements.Clues clues(RowQuestions questions) {
    return new BlockPlacements.Clues() {
      @Override
      public Optional<Copy> copyOf(long blockId) {
        return repair().flatMap(copies -> copies.copyOf(blockId));
      }

      @Override
      public Optional<SuperchunkView> byRows(
          ClusterView view, long blockId, List<String> storageIds) {
        return homes.of(view, blockId, storageIds);
      }

      @Override
      public void want(long blockId, List<String> storageIds) {
        questions.want(blockId, storageIds);
      }

      @Override
      public Optional<SuperchunkView> roomiest(String storageId) {
        return chooser.roomiest(storageId);
      }
    };
  }

  /** What copies missing replicas; empty without a NameNode. */
  Optional<BlockRepair> repair() {
    return Optional.ofNullable(repair);
  }

  void repairBy(BlockRepair newRepair) {
    repair = newRepair;
  }

  /** Whether both frames of a superchunk are in service. */
  boolean isPaired(long superchunkId) {
    SuperchunkView superchunk = map.view().superchunks().get(superchunkId);
    return superchunk != null && superchunk.state() == SuperchunkState.ACTIVE;
  }

  LayoutApplier layout() {
    return layout;
  }

  /** Whether the NameNode's policy asks this manager. */
  boolean isAttached() {
    return attached;
  }

  void attached() {
    attached = true;
  }

  void detached() {
    attached = false;
  }
}
