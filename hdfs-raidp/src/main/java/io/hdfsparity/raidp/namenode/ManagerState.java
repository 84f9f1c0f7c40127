/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.Protection;
import java.util.Collection;
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
  private final @Nullable MixedState mixed;
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
    mixed =
        options.placement().protection() == Protection.DIRECTORIES
            ? new MixedState(
                options.placement(),
                new MixedState.Shared(map, homes, grants, chooser),
                namespace,
                clockMs)
            : null;
    recovery =
        new RecoveryCoordinator(
            map,
            namespace,
            tables,
            rows,
            new RecoveryCoordinator.Undecided(
                chooser::takeUndecided,
                blockId -> mixed().ifPresent(each -> each.oneSided().add(blockId))),
            listers,
            options);
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

  /** What the NameNode's policy asks. */
  PairPlacement placement() {
    return mixed == null ? chooser : mixed.placement();
  }

  /** Calls that find rows for an adoption, with what the manager has to note of them. */
  RowFinder adoptionRows(RowFinder finder) {
    return mixed == null ? finder : mixed.rows(finder);
  }

  /** Calls that have replicas covered, with what the manager has to note of them. */
  CoverCalls covers(CoverCalls calls) {
    return mixed == null ? calls : mixed.covers(calls);
  }

  /** Calls that have replicas leave superchunks, with what the manager has to note of them. */
  RowReleases releases(RowReleases calls) {
    return mixed == null ? calls : mixed.releases(calls);
  }

  /** Blocks have no rows any more. */
  void released(Collection<Long> blockIds) {
    mixed().ifPresent(each -> each.released(blockIds));
  }

  /** Which blocks belong in superchunks. */
  Protection protection() {
    return mixed == null ? Protection.ALL : Protection.DIRECTORIES;
  }

  /** Where blocks in superchunks and plain ones lie on the same storages; else empty. */
  Optional<MixedState> mixed() {
    return Optional.ofNullable(mixed);
  }

  /** Takes inode ids of files with blocks in superchunks that ask for more than two replicas. */
  List<Long> takeFilesToLower(int limit) {
    return mixed == null ? List.of() : mixed.placement().filesToLower().take(limit);
  }

  void addFileToLower(long inodeId) {
    mixed().ifPresent(each -> each.placement().filesToLower().add(inodeId));
  }

  RecoveryCoordinator recovery() {
    return recovery;
  }

  /** Superchunk of a block, by what rows have said, and by its storages where these tell it. */
  BlockSuperchunks superchunks() {
    return mixed == null ? superchunks : mixed.superchunks();
  }

  /** What rows have said. */
  BlockHomes homes() {
    return homes;
  }

  /** What asks DataNodes for the superchunks of blocks. */
  HomeQuestions questions(FrameRows rows, RowFinder finder, Executor executor) {
    return mixed == null
        ? new RowQuestions(map::view, homes, rows, executor)
        : mixed.questions(finder, executor, this::copyOf);
  }

  /**
   * What tells DataNodes the superchunks of blocks that are being written or copied.
   *
   * @param lastAllocated newest block of the NameNode
   */
  SuperchunkAnswers answers(
      BlockPlacements.Blocks blocks, LongSupplier lastAllocated, HomeQuestions questions) {
    return mixed == null
        ? new BlockPlacements(blocks, map::view, clues(questions))
        : mixed.answers(blocks, lastAllocated, questions, this::copyOf);
  }

  private Optional<Copy> copyOf(long blockId) {
    return repair().flatMap(copies -> copies.copyOf(blockId));
  }

  private BlockPlacements.Clues clues(HomeQuestions questions) {
    return new BlockPlacements.Clues() {
      @Override
      public Optional<Copy> copyOf(long blockId) {
        return ManagerState.this.copyOf(blockId);
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
