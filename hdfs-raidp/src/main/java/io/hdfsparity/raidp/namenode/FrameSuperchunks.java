/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.List;
import java.util.Optional;

/**
 * Superchunk of a block by the storages of its replicas, where a storage is a frame and so has
 * blocks of one superchunk only. Stateless.
 */
final class FrameSuperchunks {
  private FrameSuperchunks() {}

  /**
   * The first that lacks a replica of the block, else the first that has two sides, else the first
   * of all. Storages of frames that a superchunk goes on without count for none.
   */
  static Optional<Home> of(ClusterView view, List<String> storageIds) {
    Optional<Home> whole = Optional.empty();
    Optional<Home> any = Optional.empty();
    for (String storageId : storageIds) {
      SuperchunkView superchunk = view.superchunksOn(storageId).stream().findFirst().orElse(null);
      if (superchunk != null) {
        Home home = home(superchunk);
        if (home.lacking(storageIds).isPresent()) {
          return Optional.of(home);
        }
        whole = whole.isEmpty() && home.isWhole(storageIds) ? Optional.of(home) : whole;
        any = any.isEmpty() ? Optional.of(home) : any;
      }
    }
    return whole.isPresent() ? whole : any;
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
