/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.Owner;
import org.apache.hadoop.hdfs.server.blockmanagement.PlacedBlocks.PlacedBlock;

/**
 * What the manager knows and decides where blocks in superchunks and plain ones lie on the same
 * storages. Thread-safe.
 */
final class ProtectionState {
  private final BlockHomes homes;
  private final RowlessReplicas rowless = new RowlessReplicas();
  private final OpenBlocks openBlocks = new OpenBlocks();
  private final OneSidedBlocks oneSided = new OneSidedBlocks();
  private final RowStorages storages;
  private final MovingBlocks moving;
  private final KnownSuperchunks superchunks;
  private final ProtectedPlacement placement;
  private final Namespace namespace;

  /** What the manager has beside. */
  record Shared(SuperchunkMap map, BlockHomes homes, Grants grants, PlacementChooser chooser) {}

  ProtectionState(
      ManagerOptions.Placement options, Shared shared, Namespace namespace, LongSupplier clockMs) {
    this.namespace = namespace;
    homes = shared.homes();
    storages =
        new RowStorages(
            shared.map()::view,
            namespace::nodes,
            shared.chooser()::leavesToHdfs,
            shared.map()::allHadTime,
            clockMs);
    moving = new MovingBlocks(clockMs);
    superchunks = new KnownSuperchunks(storages, homes, rowless, moving);
    placement =
        new ProtectedPlacement(
            shared.chooser(),
            shared.map()::view,
            shared.grants(),
            options,
            ProtectedPlacement.ProtectedPaths.of(namespace),
            clockMs);
  }

  /** What the NameNode's policy asks. */
  ProtectedPlacement placement() {
    return placement;
  }

  /** Superchunk of a block, or that it is plain, by what rows have said. */
  KnownSuperchunks superchunks() {
    return superchunks;
  }

  /** Blocks that are on their way to another superchunk. */
  MovingBlocks moving() {
    return moving;
  }

  /** A block has come to another superchunk; HDFS deletes what lies outside it. */
  void moved(long blockId, SharedSuperchunk to) {
    setHome(blockId, to);
    moving.end(blockId);
    namespace.lookAgain(List.of(blockId));
  }

  private void setHome(long blockId, SharedSuperchunk home) {
    SuperchunkView now = storages.view().superchunks().get(home.id());
    homes.forget(blockId);
    if (now != null && now.state() == SuperchunkState.ACTIVE && now.epoch() == home.epoch()) {
      homes.put(blockId, now);
    }
  }

  /**
   * A block is left on its way. It belongs where it was, since the new superchunk may cover a part
   * of it only; if its old one has changed, its rows are asked for. Then HDFS looks at it.
   */
  void left(long blockId, SharedSuperchunk from) {
    setHome(blockId, from);
    moving.end(blockId);
    oneSided.add(blockId);
  }

  /** Blocks that may lack a side. */
  OneSidedBlocks oneSided() {
    return oneSided;
  }

  /**
   * Calls that find rows, whatever for: what they say is noted, and a block with one is called
   * plain no more.
   */
  RowFinder rows(RowFinder finder) {
    return (peer, storageId, blockIds) -> {
      List<SlotEntry> rows = finder.findRows(peer, storageId, blockIds);
      Map<Integer, SuperchunkView> byFrame = storages.view().superchunksByFrame(storageId);
      for (SlotEntry row : rows) {
        SuperchunkView superchunk = byFrame.get(row.frameIndex());
        if (row.state() != SlotState.LIMBO && superchunk != null) {
          rowless.forget(row.blockId());
          if (SurplusRows.isCovered(row)) {
            homes.put(row.blockId(), superchunk);
          } else {
            homes.putForNow(row.blockId(), superchunk);
          }
        }
      }
      return rows;
    };
  }

  /**
   * Calls that have replicas covered: one is not called rowless while its row is made. One that its
   * storage does not take may be. When the call fails nobody knows.
   */
  CoverCalls covers(CoverCalls calls) {
    return (peer, storageId, superchunk, blockIds) -> {
      blockIds.forEach(blockId -> rowless.promise(blockId, storageId));
      List<Long> taken = calls.cover(peer, storageId, superchunk, blockIds);
      Set<Long> refused = new HashSet<>(blockIds);
      taken.forEach(refused::remove);
      refused.forEach(blockId -> rowless.endPromise(blockId, storageId));
      return taken;
    };
  }

  /**
   * Calls that have replicas leave superchunks. What a block is then, its rows say: nothing that
   * was known before counts.
   */
  RowReleases releases(RowReleases calls) {
    return (peer, storageId, superchunk, stamps, isDue) -> {
      // A row that leaves may come back: one that is not followed on the other side is covered
      // again.
      stamps.keySet().forEach(blockId -> rowless.promise(blockId, storageId));
      stamps.keySet().forEach(homes::forget);
      List<Long> leaving = calls.release(peer, storageId, superchunk, stamps, isDue);
      stamps.keySet().forEach(homes::forget);
      return leaving;
    };
  }

  /** Blocks have left their superchunks. */
  void released(Collection<Long> blockIds) {
    blockIds.forEach(homes::forget);
    blockIds.forEach(rowless::endPromises);
  }

  /**
   * Whether a damaged replica is a side of its block's superchunk, which heals it. HDFS makes up
   * for any other. Has the rows asked for where they are not known.
   */
  boolean isHealed(CorruptReplica replica, HomeQuestions questions) {
    StoredBlock block = replica.block();
    Optional<SuperchunkView> home = homes.of(storages.view(), block.blockId(), block.storageIds());
    if (home.isEmpty() && !superchunks.isPlain(block.blockId(), block.storageIds())) {
      questions.want(block.blockId(), block.storageIds());
    }
    return home.isPresent()
        && home.get().state() == SuperchunkState.ACTIVE
        && home.get().holders().stream()
            .anyMatch(side -> side.storageId().equals(replica.storageId()));
  }

  /** Forgets what only the active NameNode knows. */
  void stop() {
    placement.filesToLower().clear();
    oneSided.clear();
    moving.clear();
  }

  HomeQuestions questions(
      RowFinder rows,
      Executor executor,
      PlacementAnswers.Blocks blocks,
      Function<Long, Optional<Copy>> copies) {
    return new RowQuestions(
        storages,
        superchunks,
        new RowQuestions.Answers(homes, rowless),
        placement.excess(),
        oneSided,
        new RowQuestions.Calls(
            rows,
            executor,
            namespace::lookAgain,
            namespace::block,
            blockId ->
                openBlocks.isPromised(blockId, namespace::block)
                    || copies.apply(blockId).isPresent(),
            lost ->
                blocks.find(lost).values().stream()
                    .map(PlacedBlock::owner)
                    .filter(Owner::isProtected)
                    .forEach(file -> placement.filesToLower().add(file.inodeId()))));
  }

  SuperchunkAnswers answers(
      PlacementAnswers.Blocks blocks,
      LongSupplier lastAllocated,
      HomeQuestions questions,
      Function<Long, Optional<Copy>> copies) {
    return new PlacementAnswers(
        blocks,
        lastAllocated,
        storages,
        openBlocks,
        new PlacementAnswers.Clues() {
          @Override
          public Optional<Copy> copyOf(long blockId) {
            return copies.apply(blockId);
          }

          @Override
          public Optional<SuperchunkView> byRows(
              ClusterView view, long blockId, List<String> storageIds) {
            return homes.of(view, blockId, storageIds);
          }

          @Override
          public boolean isRowless(ClusterView view, long blockId, String storageId) {
            return superchunks.isRowless(view, blockId, storageId);
          }

          @Override
          public void want(long blockId, List<String> storageIds) {
            questions.want(blockId, storageIds);
          }

          @Override
          public boolean takeRoom(SuperchunkView superchunk, long blockBytes) {
            return placement.takeRoom(superchunk, blockBytes);
          }

          @Override
          public void promised(long blockId) {
            rowless.forget(blockId);
          }

          @Override
          public void plainForNow(long inodeId) {
            placement.filesToLower().add(inodeId);
          }

          @Override
          public void lacksSide(long blockId) {
            oneSided.add(blockId);
          }
        });
  }
}
