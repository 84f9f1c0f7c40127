/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import io.hdfsparity.raidp.config.Protection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Superchunk of a block by the storages of its replicas: the one that two of them share. Where they
 * share none or several, a storage of one superchunk says it alone, and of the others the rows of
 * their DataNodes do ({@link BlockHomes}). Rows that are known already count before the storages
 * where one of these is in several superchunks: a replica that was left behind may lie on a volume
 * that shares another superchunk by now. Thread-safe; asks nobody.
 */
final class ReplicaSuperchunks implements BlockSuperchunks {
  private final Supplier<ClusterView> views;
  private final BlockHomes homes;

  ReplicaSuperchunks(Supplier<ClusterView> views, BlockHomes homes) {
    this.views = views;
    this.homes = homes;
  }

  @Override
  public Optional<Home> of(long blockId, List<String> storageIds) {
    return superchunk(views.get(), blockId, storageIds).map(ReplicaSuperchunks::home);
  }

  /** Whether frames of a volume have several pairings, also of superchunks that go on elsewhere. */
  static boolean areSeveralOn(ClusterView view, String storageId) {
    List<FrameView> frames = view.framesOn(storageId);
    return frames.size() > 1
        && frames.stream().filter(frame -> frame.pairing().isPresent()).limit(2).count() == 2;
  }

  /** Whether rows alone say which blocks of a volume are in which of its superchunks. */
  static boolean areRowsNeeded(ClusterView view, String storageId, Protection protection) {
    return protection == Protection.DIRECTORIES || areSeveralOn(view, storageId);
  }

  /** The superchunk itself; storages of frames that a superchunk goes on without count for none. */
  Optional<SuperchunkView> superchunk(ClusterView view, long blockId, List<String> storageIds) {
    boolean depends = storageIds.stream().anyMatch(id -> areSeveralOn(view, id));
    Optional<SuperchunkView> known =
        depends ? homes.of(view, blockId, storageIds) : Optional.empty();
    if (known.isPresent()) {
      return known;
    }
    Map<Long, SuperchunkView> pairs = new LinkedHashMap<>();
    for (int i = 0; i < storageIds.size(); i++) {
      for (int j = i + 1; j < storageIds.size(); j++) {
        view.superchunkOfPair(storageIds.get(i), storageIds.get(j))
            .ifPresent(superchunk -> pairs.put(superchunk.id(), superchunk));
      }
    }
    if (pairs.size() == 1) {
      return Optional.of(pairs.values().iterator().next());
    }
    if (depends) {
      return Optional.empty();
    }
    if (pairs.size() > 1) {
      return Optional.of(pairs.values().iterator().next());
    }
    List<SuperchunkView> alone =
        storageIds.stream().flatMap(id -> view.superchunksOn(id).stream()).toList();
    return alone.stream()
        .filter(superchunk -> home(superchunk).lacking(storageIds).isPresent())
        .findFirst()
        .or(() -> alone.stream().findFirst());
  }

  static Home home(SuperchunkView superchunk) {
    List<Target> sides =
        superchunk.state() == SuperchunkState.ACTIVE
            ? List.of(
                new Target(superchunk.leader().storageId(), superchunk.leader().nodeUuid()),
                new Target(superchunk.follower().storageId(), superchunk.follower().nodeUuid()))
            : List.of();
    return new Home(superchunk.id(), superchunk.epoch(), sides);
  }
}
