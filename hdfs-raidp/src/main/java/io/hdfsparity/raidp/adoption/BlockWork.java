/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptableFile.AdoptableBlock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A block that an adoption looks at, and what its storages have said. Not thread-safe. */
final class BlockWork {
  private final AdoptableBlock block;
  private final Map<String, BlockRow> rows = new HashMap<>();
  private Set<String> unanswered = new HashSet<>();
  private BlockState state = BlockState.UNKNOWN;
  private @Nullable SharedSuperchunk target;
  private boolean inFlight;
  private long knownMs;
  private long dueMs;
  private int polls;

  BlockWork(AdoptableBlock block) {
    this.block = block;
  }

  AdoptableBlock block() {
    return block;
  }

  BlockState state() {
    return state;
  }

  boolean isInFlight() {
    return inFlight;
  }

  /** When its state was asked for last. */
  long knownMs() {
    return knownMs;
  }

  /** Whether a storage is to be asked for its rows now. */
  boolean isDue(long nowMs) {
    return (state == BlockState.UNKNOWN || inFlight) && nowMs >= dueMs;
  }

  /** The superchunk that it is in, or will be. */
  Optional<SharedSuperchunk> target() {
    return Optional.ofNullable(target);
  }

  /** Begins a question: the sides that cover it, or all its storages. */
  List<String> ask() {
    List<String> asked = inFlight && target != null ? target.sides() : block.storageIds();
    rows.clear();
    unanswered = new HashSet<>(asked);
    return asked;
  }

  void answered(String storageId) {
    unanswered.remove(storageId);
  }

  void found(BlockRow row) {
    rows.put(row.storageId(), row);
  }

  /** What the answers have in the parity; grows while the block is being covered. */
  long coveredBytes() {
    return rows.values().stream()
        .mapToLong(row -> row.coveredBytes() + (row.isWhole() ? 2 : 1))
        .sum();
  }

  /** Draws the conclusion of the answers. */
  void judge(AdoptionCluster cluster, long nowMs) {
    dueMs = nowMs + pauseMs(polls++);
    if (!unanswered.isEmpty()) {
      return;
    }
    if (inFlight) {
      judgeInFlight(cluster, nowMs);
      return;
    }
    knownMs = nowMs;
    target = null;
    if (!block.complete() || block.storageIds().size() < 2) {
      state = BlockState.LACKS_REPLICAS;
      return;
    }
    if (rows.isEmpty()) {
      state =
          cluster.roomiest(block.storageIds(), block.lengthBytes()).isPresent()
              ? BlockState.PLAIN
              : cluster.areShared(block.storageIds()) ? BlockState.NO_ROOM : BlockState.NEEDS_COPY;
      return;
    }
    // A row in a superchunk that has lost a side, or whose other side has no replica: the manager
    // copies the block, and it is looked at again.
    state = BlockState.LACKS_REPLICAS;
    for (BlockRow row : rows.values()) {
      SharedSuperchunk home = cluster.active(row.superchunkId()).orElse(null);
      if (home != null && block.storageIds().containsAll(home.sides())) {
        target = home;
        state = isWhole(home) ? BlockState.COVERED : BlockState.BEING_COVERED;
        if (state == BlockState.COVERED) {
          return;
        }
      }
    }
  }

  private void judgeInFlight(AdoptionCluster cluster, long nowMs) {
    SharedSuperchunk home = target;
    if (home == null
        || !cluster.active(home.id()).equals(Optional.of(home))
        || rows.values().stream().anyMatch(row -> row.superchunkId() != home.id())) {
      land(nowMs);
    } else if (isWhole(home)) {
      knownMs = nowMs;
      inFlight = false;
      state = BlockState.COVERED;
    }
  }

  /** Both sides cover the whole block as it is now. */
  private boolean isWhole(SharedSuperchunk home) {
    return home.sides().stream()
        .allMatch(
            side -> {
              BlockRow row = rows.get(side);
              return row != null
                  && row.superchunkId() == home.id()
                  && row.generationStamp() == block.generationStamp()
                  && row.coveredBytes() == block.lengthBytes()
                  && row.isWhole();
            });
  }

  /** A side has no row: what it has taken in may be forgotten, as after a crash. */
  boolean lacksRow() {
    return inFlight
        && unanswered.isEmpty()
        && target != null
        && !rows.keySet().containsAll(target.sides());
  }

  void fly(SharedSuperchunk to, long nowMs) {
    target = to;
    inFlight = true;
    state = BlockState.BEING_COVERED;
    polls = 0;
    dueMs = nowMs + pauseMs(0);
  }

  /** Not asked to be covered any more; its rows are asked for again. */
  void land(long nowMs) {
    inFlight = false;
    target = null;
    state = BlockState.UNKNOWN;
    dueMs = nowMs;
    polls = 0;
  }

  /** Its file is not in hand any more. */
  void leave() {
    inFlight = false;
  }

  /** Lost the race for the room. */
  void lacksRoom() {
    state = BlockState.NO_ROOM;
  }

  private static long pauseMs(int polls) {
    return Math.min(10_000, 500L << Math.min(polls, 5));
  }
}
