/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.BalanceCluster.Replicas;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A block on its way from one superchunk to another.
 *
 * <pre>
 *   LEADER --replica there--&gt; FOLLOWER --replica there--&gt; COVERED --both rows whole--&gt; SWEPT
 *                                                                                        |
 *   any but SWEPT --the block or a superchunk is not as it was--&gt; left    old rows gone--&gt; done
 * </pre>
 *
 * <p>Not thread-safe.
 */
final class BlockMove {
  private static final int MAX_COPIES = 6;

  /** Where it stands: what it waits for. */
  enum Step {
    /** A copy to the leader of the new superchunk. */
    LEADER,
    /** A copy to its follower. */
    FOLLOWER,
    /** That both cover it. */
    COVERED,
    /** That the old replicas are gone, and their rows. */
    SWEPT
  }

  private final BlockRow row;
  private final SharedSuperchunk from;
  private final SharedSuperchunk to;
  private final Map<String, BlockRow> rows = new HashMap<>();
  private final Map<String, Long> answeredMs = new HashMap<>();
  private Step step = Step.LEADER;
  private int copies;
  private long sinceMs;

  /**
   * @param row of the block in the superchunk that it leaves
   */
  BlockMove(BlockRow row, SharedSuperchunk from, SharedSuperchunk to, long nowMs) {
    this.row = row;
    this.from = from;
    this.to = to;
    this.sinceMs = nowMs;
  }

  long blockId() {
    return row.blockId();
  }

  long lengthBytes() {
    return row.coveredBytes();
  }

  long generationStamp() {
    return row.generationStamp();
  }

  SharedSuperchunk from() {
    return from;
  }

  SharedSuperchunk to() {
    return to;
  }

  Step step() {
    return step;
  }

  void step(Step next, long nowMs) {
    step = next;
    sinceMs = nowMs;
    rows.clear();
    answeredMs.clear();
  }

  /** How long it waits already. */
  long waitsMs(long nowMs) {
    return nowMs - sinceMs;
  }

  /** It waits for others: for a copy, which has a time limit, for its turn, for a node. */
  void waits(long nowMs) {
    sinceMs = nowMs;
  }

  /** How the next copy is made. */
  CopyPlan copy() {
    return step == Step.LEADER
        ? new CopyPlan(to, to.followerStorageId())
        : new CopyPlan(to, to.leaderStorageId());
  }

  /** Whether one more copy may be tried. */
  boolean mayCopy() {
    return copies < MAX_COPIES;
  }

  void copied() {
    copies++;
  }

  /** Whether the block is as it was when its way began, with its old replicas at least. */
  boolean isUnchanged(Replicas now) {
    return now.settled()
        && now.generationStamp() == row.generationStamp()
        && now.lengthBytes() == row.coveredBytes()
        && now.live() >= 2
        && now.storageIds().containsAll(from.sides());
  }

  /** Whether it lies in its old superchunk, whole and nowhere else. */
  static boolean mayBegin(BlockRow row, SharedSuperchunk from, Replicas now) {
    return row.isWhole()
        && now.settled()
        && now.generationStamp() == row.generationStamp()
        && now.lengthBytes() == row.coveredBytes()
        && now.live() == 2
        && Set.copyOf(now.storageIds()).equals(Set.copyOf(from.sides()));
  }

  /** Sides of the new superchunk that have no replica of it yet. */
  List<String> lacking(Replicas now) {
    return to.sides().stream().filter(side -> !now.storageIds().contains(side)).toList();
  }

  /** Whether it has two replicas more that count for HDFS. */
  boolean hasAll(Replicas now) {
    return now.live() >= 4 && now.storageIds().containsAll(to.sides());
  }

  // ---------------------------------------------------------------- rows

  /** Storages whose rows are asked for in this step. */
  List<String> ask() {
    rows.clear();
    answeredMs.clear();
    return switch (step) {
      case LEADER, FOLLOWER -> List.of();
      case COVERED -> to.sides();
      case SWEPT -> from.sides();
    };
  }

  /**
   * What a storage has said.
   *
   * @param its row of the block there
   * @param askedMs when it was asked
   */
  void answered(String storageId, Optional<BlockRow> its, long askedMs) {
    its.ifPresent(each -> rows.put(storageId, each));
    answeredMs.put(storageId, askedMs);
  }

  /**
   * Whether a side of the new superchunk has a replica in another one: a copy that an earlier run
   * had begun has come late. It will not be covered here. Not so where a row may come, and where a
   * deleted replica still has one.
   */
  boolean isElsewhere() {
    return step == Step.COVERED
        && to.sides().stream()
            .map(rows::get)
            .anyMatch(
                its ->
                    its != null
                        && !its.isDeleted()
                        && its.superchunkId() != BlockRow.NOT_KNOWN
                        && its.superchunkId() != to.id());
  }

  /** When the first of the answers of this step was asked for. */
  long answeredMs() {
    return answeredMs.values().stream().mapToLong(each -> each).min().orElse(Long.MIN_VALUE / 2);
  }

  /** Whether both sides of the new superchunk cover all of it, and know so of each other. */
  boolean isCovered() {
    return to.sides().stream().allMatch(side -> isWhole(rows.get(side)));
  }

  private boolean isWhole(@Nullable BlockRow its) {
    return its != null
        && its.isWhole()
        && its.superchunkId() == to.id()
        && its.generationStamp() == row.generationStamp()
        && its.coveredBytes() == row.coveredBytes();
  }

  /** Whether no side of the old superchunk has a row of it any more. */
  boolean isSwept(Optional<Replicas> now) {
    return answeredMs.keySet().containsAll(from.sides())
        && rows.isEmpty()
        && now.filter(each -> from.sides().stream().anyMatch(each.storageIds()::contains))
            .isEmpty();
  }
}
