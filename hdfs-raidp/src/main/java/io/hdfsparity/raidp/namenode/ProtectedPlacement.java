/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.WhenFull;
import io.hdfsparity.raidp.lstor.LstorGeometry;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Placement where blocks in superchunks and plain ones lie on the same storages. New blocks in
 * superchunks are placed by {@link PlacementChooser}. Thread-safe; must not block.
 */
final class ProtectedPlacement implements PairPlacement {
  private final PlacementChooser chooser;
  private final Supplier<ClusterView> views;
  private final Grants grants;
  private final ManagerOptions.Placement options;
  private final ProtectedPaths paths;
  private final RoomPromises promises;
  private final UndecidedExcess excess = new UndecidedExcess();
  private final FilesToLower filesToLower = new FilesToLower();
  private final LongSupplier clockMs;

  /** Tells where new blocks are protected. */
  @FunctionalInterface
  interface ProtectedPaths {
    boolean contain(String path) throws IOException;

    /** Whether a path is an old name of a file. */
    default boolean isOldName(String path) throws IOException {
      return false;
    }

    /** By the marks of directories. */
    static ProtectedPaths of(Namespace namespace) {
      return new ProtectedPaths() {
        @Override
        public boolean contain(String path) throws IOException {
          return namespace.isProtected(path);
        }

        @Override
        public boolean isOldName(String path) throws IOException {
          return namespace.isOldName(path);
        }
      };
    }
  }

  ProtectedPlacement(
      PlacementChooser chooser,
      Supplier<ClusterView> views,
      Grants grants,
      ManagerOptions.Placement options,
      ProtectedPaths paths,
      LongSupplier clockMs) {
    this.chooser = chooser;
    this.views = views;
    this.grants = grants;
    this.options = options;
    this.paths = paths;
    this.promises = new RoomPromises(options.grantLeaseMs());
    this.clockMs = clockMs;
  }

  /** Blocks with too many replicas of which it is not known what they are. */
  UndecidedExcess excess() {
    return excess;
  }

  /** Files with blocks in superchunks that ask for more than two replicas. */
  FilesToLower filesToLower() {
    return filesToLower;
  }

  @Override
  public boolean isProtected(String path) throws IOException {
    return paths.contain(path);
  }

  @Override
  public boolean isOldName(String path) throws IOException {
    return paths.isOldName(path);
  }

  @Override
  public boolean isPlainWhenFull() {
    return options.whenFull() == WhenFull.PLAIN;
  }

  @Override
  public List<Target> chooseNew(
      String path,
      int replicas,
      Optional<String> writerNodeUuid,
      List<String> favoredNodeUuids,
      Set<String> excludedNodeUuids,
      long blockBytes,
      Usable usable)
      throws PlacementRefusedException {
    List<Target> targets =
        chooser.chooseNew(
            path,
            replicas,
            writerNodeUuid,
            favoredNodeUuids,
            excludedNodeUuids,
            blockBytes,
            usable);
    if (targets.size() == 2) {
      views
          .get()
          .superchunkOfPair(targets.get(0).storageId(), targets.get(1).storageId())
          .ifPresent(superchunk -> promises.add(superchunk.id(), clockMs.getAsLong()));
    }
    return targets;
  }

  /**
   * Whether a superchunk has room for a block that was placed on its two storages. Room was granted
   * already where {@link #chooseNew} has chosen them; else it is granted now.
   */
  boolean takeRoom(SuperchunkView superchunk, long blockBytes) {
    long nowMs = clockMs.getAsLong();
    if (promises.take(superchunk.id(), nowMs)) {
      return true;
    }
    long units = LstorGeometry.unitsFor(blockBytes, options.unitBytes());
    return blockBytes <= options.maxBlockBytes()
        && superchunk.usable()
        && grants.grant(superchunk.leader().ref(), superchunk.follower().ref(), (int) units, nowMs);
  }

  @Override
  public void excessUndecided(long blockId, List<String> storageIds) {
    excess.add(blockId, storageIds);
  }

  @Override
  public void fileAsksForMore(long inodeId) {
    filesToLower.add(inodeId);
  }

  @Override
  public boolean leavesToHdfs(String nodeUuid) {
    return chooser.leavesToHdfs(nodeUuid);
  }
}
