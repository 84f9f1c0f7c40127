/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceSuperchunk;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Bytes of blocks that a balance looked at and could not move, by superchunk: blocks of open files,
 * and such as change. A plan that counts on them comes to nothing, however often it is made: a
 * superchunk that has only the log of a database is as full as others. Not thread-safe.
 */
final class ImmovableBytes {
  private final Map<Long, Long> bytes = new HashMap<>();

  /** All that ever had some: so a balance in which nothing moves has an end. */
  private final Set<Long> known = new HashSet<>();

  private boolean isNews;

  /** The rows of a superchunk are looked at from the first one. */
  void look(long superchunkId) {
    bytes.remove(superchunkId);
  }

  /** A block of it may not move now. */
  void refused(long superchunkId, long blockBytes) {
    bytes.merge(superchunkId, blockBytes, Long::sum);
    isNews |= known.add(superchunkId);
  }

  /** Whether a superchunk has had such bytes for the first time since the last call. */
  boolean isNews() {
    boolean was = isNews;
    isNews = false;
    return was;
  }

  /** The same, and superchunks have only as many bytes to give as can move. */
  BalanceSpec without(BalanceSpec spec) {
    return new BalanceSpec(
        spec.disks(),
        spec.superchunks().stream().map(this::movable).toList(),
        spec.thresholdPercent(),
        spec.minMoveBytes());
  }

  private BalanceSuperchunk movable(BalanceSuperchunk superchunk) {
    long left = Math.max(0, superchunk.usedBytes() - bytes.getOrDefault(superchunk.id(), 0L));
    return new BalanceSuperchunk(
        superchunk.id(), superchunk.a(), superchunk.b(), left, superchunk.roomBytes());
  }

  /** Files may be closed by now: all blocks are looked at again. */
  void forget() {
    bytes.clear();
  }
}
