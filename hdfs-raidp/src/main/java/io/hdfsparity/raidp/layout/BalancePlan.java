/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.List;
import java.util.Map;

/**
 * What a balance is to move, in this order. Immutable.
 *
 * @param utilization of each disk before and after
 * @param outside disks that are further from the mean than the threshold after it, since no move
 *     that the rules allow brings them nearer
 */
public record BalancePlan(
    List<Move> moves,
    double meanPercent,
    Map<DiskId, Utilization> utilization,
    List<DiskId> outside) {
  /**
   * Blocks leave one superchunk for another one.
   *
   * @param bytes of blocks; each is copied twice
   */
  public record Move(long from, long to, long bytes) {}

  /** Protected bytes of a disk in percent of what it can hold. */
  public record Utilization(double beforePercent, double afterPercent) {}

  public BalancePlan {
    moves = List.copyOf(moves);
    utilization = Map.copyOf(utilization);
    outside = List.copyOf(outside);
  }

  /** Of all blocks that move. */
  public long bytes() {
    return moves.stream().mapToLong(Move::bytes).sum();
  }
}
