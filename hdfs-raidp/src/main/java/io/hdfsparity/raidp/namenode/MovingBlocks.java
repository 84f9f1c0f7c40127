/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Blocks that a balance moves to another superchunk: while they have rows in two, HDFS is to keep
 * all their replicas. What is noted counts for {@link #KEPT_MS}, so that a balance that hangs or is
 * gone keeps nothing for ever. Thread-safe: asked under locks of the NameNode.
 */
final class MovingBlocks {
  static final long KEPT_MS = 60_000;

  private final Map<Long, Target> targets = new ConcurrentHashMap<>();
  private final LongSupplier clockMs;

  private record Target(SharedSuperchunk superchunk, long untilMs) {}

  MovingBlocks(LongSupplier clockMs) {
    this.clockMs = clockMs;
  }

  /** Notes where a block goes, or that it still does. */
  void note(long blockId, SharedSuperchunk to) {
    targets.put(blockId, new Target(to, clockMs.getAsLong() + KEPT_MS));
  }

  void end(long blockId) {
    targets.remove(blockId);
  }

  void clear() {
    targets.clear();
  }

  /** Where a block goes; empty: it stays where it is. */
  Optional<SharedSuperchunk> of(long blockId) {
    if (targets.isEmpty()) {
      return Optional.empty();
    }
    return Optional.ofNullable(targets.get(blockId))
        .filter(target -> target.untilMs() - clockMs.getAsLong() > 0)
        .map(Target::superchunk);
  }
}
