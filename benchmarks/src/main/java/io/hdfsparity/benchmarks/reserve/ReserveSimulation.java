/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

import io.hdfsparity.benchmarks.trace.NfsTrace;
import io.hdfsparity.benchmarks.trace.TraceStatistics;
import io.hdfsparity.ecupdate.storage.ReservedSpace;
import java.util.Arrays;

/**
 * Reserved space of all parity chunks under one policy, driven by a trace's writes through the
 * product's own Algorithm 1. Not thread-safe.
 *
 * <p>As in the paper every segment is there from the first day on, with the whole of its reserved
 * space. All parity chunks of a segment take the same deltas, so one stands for all. A first write
 * of a place is an encoding, no delta, and counts as a write.
 */
final class ReserveSimulation {
  /** Shrinking is at 00:00 and 12:00. */
  private static final int HOURS_A_PERIOD = 12;

  private static final int PERIODS = NfsTrace.HOURS / HOURS_A_PERIOD;

  private final ReservePolicy policy;
  private final SegmentCode code;
  private final ReservedSpace[] spaces;
  private final double[] overhead = new double[PERIODS];
  private final long[] writes = new long[TraceStatistics.DAYS];
  private final long[] merges = new long[TraceStatistics.DAYS];
  private final long[] inPlace = new long[TraceStatistics.DAYS];
  private int period;

  ReserveSimulation(ReservePolicy policy, SegmentCode code, long workingSetKib) {
    this.policy = policy;
    this.code = code;
    spaces =
        new ReservedSpace
            [Math.toIntExact((workingSetKib + code.segmentKib() - 1) / code.segmentKib())];
    Arrays.fill(spaces, ReservedSpace.initial(policy.options()));
  }

  /** A place that was not accessed before. */
  void first(int hour) {
    endPeriods(hour);
    writes[hour / 24]++;
  }

  /** A place that was. */
  void update(int hour, long addressKib, int sizeKib) {
    endPeriods(hour);
    int day = hour / 24;
    writes[day]++;
    boolean mustMerge = false;
    boolean isInPlace = false;
    long from = addressKib;
    long end = addressKib + sizeKib;
    while (from < end) {
      int segment = (int) (from / code.segmentKib());
      long to = Math.min(end, (segment + 1L) * code.segmentKib());
      ReservedSpace space = spaces[segment];
      long deltaBytes = (to - from) << 10;
      switch (space.place(deltaBytes)) {
        case APPEND -> spaces[segment] = space.append(deltaBytes);
        case MERGE_THEN_APPEND -> {
          spaces[segment] = space.merge().append(deltaBytes);
          mustMerge = true;
        }
        case IN_PLACE -> isInPlace = true;
      }
      from = to;
    }
    merges[day] += mustMerge ? 1 : 0;
    inPlace[day] += isInPlace ? 1 : 0;
  }

  private void endPeriods(int hour) {
    while (period < hour / HOURS_A_PERIOD) {
      endPeriod();
    }
  }

  private void endPeriod() {
    double reservedBytes = 0;
    for (int segment = 0; segment < spaces.length; segment++) {
      ReservedSpace space = policy.turn().end(spaces[segment]);
      spaces[segment] = space;
      reservedBytes += space.reservedBytes();
    }
    overhead[period++] = reservedBytes * code.parityUnits() / (spaces.length * code.storedBytes());
  }

  /** The trace is over. */
  ReserveOutcome end() {
    endPeriods(NfsTrace.HOURS);
    long without = Arrays.stream(spaces).filter(space -> space.reservedBytes() == 0).count();
    return new ReserveOutcome(
        policy.label(), overhead, writes, merges, inPlace, (double) without / spaces.length);
  }
}
