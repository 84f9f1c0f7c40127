/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies that DataNodes were told to make and have not reported, with a time limit for each and a
 * limit for each node that sends.
 *
 * <p><b>Invariants.</b> A block has at most one copy here. {@link #bySource} and {@link
 * #bySuperchunk} count what {@link #copies} has. No node has more than the limit unless the limit
 * has been lowered.
 *
 * <p>Thread-safe; time is passed in.
 */
final class PendingCopies {
  private final int maxBySource;
  private final Map<Long, Started> copies = new LinkedHashMap<>();
  private final Map<String, Integer> bySource = new HashMap<>();
  private final Map<Long, Integer> bySuperchunk = new HashMap<>();

  /** Why a block is copied. */
  enum Purpose {
    /** It lacks a replica. */
    REPAIR,
    /** It has all its replicas, and is to lie elsewhere. */
    MOVE
  }

  private record Started(Copy copy, Purpose purpose, long atMs) {}

  /**
   * @param maxBySource copies out of one node at once
   */
  PendingCopies(int maxBySource) {
    this.maxBySource = maxBySource;
  }

  synchronized int size() {
    return copies.size();
  }

  /**
   * Whether a node may send one more.
   *
   * @param unnoted copies of the node that have just been begun and are not noted yet
   */
  synchronized boolean mayStart(String sourceNodeUuid, int unnoted) {
    return bySource.getOrDefault(sourceNodeUuid, 0) + unnoted < maxBySource;
  }

  synchronized boolean isUnderWay(long superchunkId) {
    return bySuperchunk.containsKey(superchunkId);
  }

  /** Notes a copy; one of the same block is forgotten. */
  synchronized void start(Copy copy, Purpose purpose, long nowMs) {
    Started before = copies.remove(copy.blockId());
    if (before != null) {
      discount(before.copy());
    }
    copies.put(copy.blockId(), new Started(copy, purpose, nowMs));
    bySource.merge(copy.sourceNodeUuid(), 1, Integer::sum);
    bySuperchunk.merge(copy.superchunkId(), 1, Integer::sum);
  }

  /** All, the oldest first. */
  synchronized List<Copy> list() {
    return copies.values().stream().map(Started::copy).toList();
  }

  /** Those of blocks that lack a replica, the oldest first. */
  synchronized List<Copy> repairs() {
    return copies.values().stream()
        .filter(started -> started.purpose() == Purpose.REPAIR)
        .map(Started::copy)
        .toList();
  }

  synchronized Optional<Copy> find(long blockId) {
    return Optional.ofNullable(copies.get(blockId)).map(Started::copy);
  }

  synchronized void end(Copy copy) {
    Started started = copies.get(copy.blockId());
    if (started != null && started.copy().equals(copy)) {
      copies.remove(copy.blockId());
      discount(copy);
    }
  }

  /** Whether a copy has been under way for a time. */
  synchronized boolean isOlderThan(Copy copy, long ageMs, long nowMs) {
    Started started = copies.get(copy.blockId());
    return started != null && nowMs - started.atMs() >= ageMs;
  }

  /** Takes out what has been under way for too long. */
  synchronized List<Copy> expire(long timeoutMs, long nowMs) {
    List<Copy> expired = new ArrayList<>();
    for (Copy copy : list()) {
      if (isOlderThan(copy, timeoutMs, nowMs)) {
        end(copy);
        expired.add(copy);
      }
    }
    return expired;
  }

  synchronized void clear() {
    copies.clear();
    bySource.clear();
    bySuperchunk.clear();
  }

  private void discount(Copy copy) {
    bySource.computeIfPresent(copy.sourceNodeUuid(), (id, count) -> count == 1 ? null : count - 1);
    bySuperchunk.computeIfPresent(
        copy.superchunkId(), (id, count) -> count == 1 ? null : count - 1);
  }
}
