/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Chooses the blocks of one planned move: rows of a superchunk, as many bytes of them as are
 * planned. Not thread-safe.
 */
final class PlannedRows {
  private final SharedSuperchunk from;
  private final SharedSuperchunk to;
  private final ToLongFunction<BlockRow> charge;

  /** Not looked at yet, the largest is first. */
  private final Deque<BlockRow> rows = new ArrayDeque<>();

  /** Larger than what is left to move, the smallest is first. */
  private final Deque<BlockRow> larger = new ArrayDeque<>();

  private long bytesLeft;

  /**
   * @param found rows of the superchunk that blocks leave
   * @param bytes that are planned
   * @param charge bytes that a row counts for
   */
  PlannedRows(
      SharedSuperchunk from,
      SharedSuperchunk to,
      List<BlockRow> found,
      long bytes,
      ToLongFunction<BlockRow> charge) {
    this.from = from;
    this.to = to;
    this.charge = charge;
    this.bytesLeft = bytes;
    found.stream()
        .filter(row -> row.coveredBytes() > 0)
        .sorted(
            Comparator.comparingLong(BlockRow::coveredBytes)
                .reversed()
                .thenComparingLong(BlockRow::blockId))
        .forEach(rows::add);
  }

  SharedSuperchunk from() {
    return from;
  }

  SharedSuperchunk to() {
    return to;
  }

  /** Whether {@link #next} has none any more. */
  boolean isEmpty() {
    return rows.isEmpty() && larger.isEmpty();
  }

  /**
   * The largest block that fits into what is left to move. If none does, the smallest one that is
   * larger, if at least half of it is left: blocks cannot be divided, and what is moved is still
   * nearer to the plan than before.
   */
  Optional<BlockRow> next() {
    while (!rows.isEmpty()) {
      BlockRow row = rows.remove();
      if (charge.applyAsLong(row) <= bytesLeft) {
        return Optional.of(row);
      }
      larger.push(row);
    }
    BlockRow smallest = larger.poll();
    if (smallest != null && charge.applyAsLong(smallest) <= 2 * bytesLeft) {
      return Optional.of(smallest);
    }
    larger.clear();
    return Optional.empty();
  }

  /**
   * A block is being moved.
   *
   * @return bytes by which it is more than what was left
   */
  long taken(BlockRow row) {
    long bytes = charge.applyAsLong(row);
    long more = Math.max(0, bytes - bytesLeft);
    bytesLeft -= bytes;
    return more;
  }
}
