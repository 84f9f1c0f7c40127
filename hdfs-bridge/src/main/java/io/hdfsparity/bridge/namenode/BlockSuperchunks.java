/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * Says which superchunk a block belongs to. Asked under locks of the NameNode, also for each block
 * that is reported while it lacks a replica, so it must not block. Thread-safe.
 */
public interface BlockSuperchunks {
  /**
   * A superchunk.
   *
   * @param epoch of the pairing
   * @param sides the two places of its replicas; empty unless both are in service
   */
  record Home(long superchunkId, long epoch, List<Target> sides) {
    public Home {
      sides = List.copyOf(sides);
    }

    /** Where a block that has replicas on these storages lacks one, if it lacks just one. */
    public Optional<Target> lacking(Collection<String> storageIds) {
      List<Target> absent =
          sides.stream().filter(side -> !storageIds.contains(side.storageId())).toList();
      return sides.size() == 2 && absent.size() == 1
          ? Optional.of(absent.get(0))
          : Optional.empty();
    }

    /** Whether a block that has replicas on these storages has all that it can have. */
    public boolean isWhole(Collection<String> storageIds) {
      return sides.size() == 2
          && sides.stream().allMatch(side -> storageIds.contains(side.storageId()));
    }
  }

  /**
   * The superchunk of a block; empty when it is in none, or when none is known yet.
   *
   * @param storageIds of replicas of the block
   */
  Optional<Home> of(long blockId, List<String> storageIds);

  /**
   * Whether a block is known to be in no superchunk, so that it is HDFS's alone. False in doubt:
   * then its superchunk is asked for.
   *
   * @param storageIds of replicas of the block
   */
  default boolean isPlain(long blockId, List<String> storageIds) {
    return false;
  }

  /**
   * As above, and enough to delete a replica: no storage is taken for one without rows because its
   * node has been silent for long.
   */
  default boolean isProvenPlain(long blockId, List<String> storageIds) {
    return isPlain(blockId, storageIds);
  }
}
