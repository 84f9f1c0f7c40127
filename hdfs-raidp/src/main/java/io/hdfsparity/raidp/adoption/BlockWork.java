/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptableFile.AdoptableBlock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
  private @Nullable CopyPlan plan;
  private @Nullable String copiedTo;
  private CopyStep step = CopyStep.NOT_BEGUN;
  private boolean inFlight;
  private boolean hasBegun;
  private long knownMs;
  private long dueMs;
  private int polls;

  /** How far the copy of a block in flight is that needs one. */
  private enum CopyStep {
    NOT_BEGUN,
    UNDER_WAY,
    /** The side that it went to is asked for its row. */
    OVER,
    /** It was asked, and has none. */
    IN_VAIN
  }

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

  /** Whether it may have a row on one side of a superchunk only. */
  boolean mayLackSide() {
    return state != BlockState.COVERED && (hasBegun || !rows.isEmpty());
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

  /** Where it has good replicas, as far as is known. */
  List<String> storageIds() {
    if (copiedTo == null || block.storageIds().contains(copiedTo)) {
      return block.storageIds();
    }
    List<String> all = new ArrayList<>(block.storageIds());
    all.add(copiedTo);
    return all;
  }

  /** Set while the block has to be copied, or has been in this flight. */
  Optional<CopyPlan> plan() {
    return Optional.ofNullable(plan);
  }

  /** Begins a question: the sides that cover it, or all its storages. */
  List<String> ask() {
    List<String> asked = inFlight && target != null ? target.sides() : storageIds();
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
    plan = null;
    if (!block.complete() || storageIds().size() < 2) {
      state = BlockState.LACKS_REPLICAS;
      return;
    }
    if (rows.isEmpty()) {
      state = stateWithoutRows(cluster);
      return;
    }
    // A row in a superchunk that has lost a side, or whose other side cannot get a replica now: the
    // manager copies the block once the file is left, and it is looked at again.
    state = BlockState.LACKS_REPLICAS;
    List<SharedSuperchunk> homes = homes(cluster);
    for (SharedSuperchunk home : homes) {
      if (storageIds().containsAll(home.sides())) {
        target = home;
        state = isWhole(home) ? BlockState.COVERED : BlockState.BEING_COVERED;
        return;
      }
    }
    for (SharedSuperchunk home : homes) {
      plan = cluster.copyInto(home, storageIds()).orElse(null);
      if (plan != null) {
        target = home;
        state = BlockState.NEEDS_COPY;
        return;
      }
    }
  }

  /** Active superchunks that rows name, the one that is furthest first. */
  private List<SharedSuperchunk> homes(AdoptionCluster cluster) {
    return rows.values().stream()
        .map(BlockRow::superchunkId)
        .distinct()
        .flatMap(id -> cluster.active(id).stream())
        .sorted(
            Comparator.comparing((SharedSuperchunk home) -> !isWhole(home))
                .thenComparing(home -> -rowsIn(home))
                .thenComparingLong(SharedSuperchunk::id))
        .toList();
  }

  private long rowsIn(SharedSuperchunk home) {
    return rows.values().stream().filter(row -> row.superchunkId() == home.id()).count();
  }

  private BlockState stateWithoutRows(AdoptionCluster cluster) {
    List<String> storageIds = storageIds();
    if (cluster.roomiest(storageIds, block.lengthBytes()).isPresent()) {
      return BlockState.PLAIN;
    }
    if (cluster.copyTarget(storageIds, block.lengthBytes()).isPresent()) {
      return BlockState.NEEDS_COPY;
    }
    return cluster.areShared(storageIds) ? BlockState.NO_ROOM : BlockState.NO_SUPERCHUNK;
  }

  private void judgeInFlight(AdoptionCluster cluster, long nowMs) {
    SharedSuperchunk home = target;
    if (plan != null && rows.containsKey(plan.farStorageId())) {
      copiedTo = plan.farStorageId();
    }
    if (home == null
        || !cluster.active(home.id()).equals(Optional.of(home))
        || rows.values().stream().anyMatch(row -> row.superchunkId() != home.id())) {
      land(nowMs);
    } else if (isWhole(home)) {
      knownMs = nowMs;
      inFlight = false;
      state = BlockState.COVERED;
    } else if (step == CopyStep.OVER && lacksRow()) {
      step = CopyStep.IN_VAIN;
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

  /**
   * The sides that can be called to cover the block: a copy follows when the near one has a row.
   */
  List<String> coverable() {
    SharedSuperchunk home = Objects.requireNonNull(target, "in flight");
    return plan == null ? home.sides() : List.of(plan.nearStorageId());
  }

  /** Whether the near side has its row, and the far one has none. */
  boolean lacksCopy() {
    return plan != null && lacksRow() && rows.containsKey(plan.nearStorageId());
  }

  boolean isCopyUnderWay() {
    return step == CopyStep.UNDER_WAY;
  }

  /** Whether a copy is over, and what it was to bring has not been seen. */
  boolean isCopyInVain() {
    return step == CopyStep.IN_VAIN;
  }

  void copyIsUnderWay() {
    step = CopyStep.UNDER_WAY;
  }

  /** Rows that are asked for from now on say whether it has come. */
  void copyIsOver(long nowMs) {
    step = CopyStep.OVER;
    dueMs = nowMs;
    polls = 0;
  }

  boolean isCopyOver() {
    return step == CopyStep.OVER;
  }

  void fly(SharedSuperchunk to, @Nullable CopyPlan with, long nowMs) {
    target = to;
    plan = with;
    step = CopyStep.NOT_BEGUN;
    hasBegun = true;
    inFlight = true;
    state = BlockState.BEING_COVERED;
    polls = 0;
    dueMs = nowMs + pauseMs(0);
  }

  /** Not asked to be covered any more; its rows are asked for again. */
  void land(long nowMs) {
    inFlight = false;
    target = null;
    plan = null;
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
