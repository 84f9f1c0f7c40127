/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import java.util.Arrays;

/**
 * What degraded reads weigh against writes in a local search.
 *
 * <p>A read of n cells costs n k - sum s² cells in addition over the loss of each node, where s are
 * the cells that it has in each stripe. So it costs 2 less for each two of its cells that share a
 * stripe, and what is counted is such pairs. Beside the pairs that were read, cells that are
 * neighbours count for what a read at any place would make of them: a trace has few of the ranges
 * that will be read. Neighbours that are both written count for the reads of such, all others for
 * the rest: reads seek what is written, so the former are read far more often.
 *
 * <p>A share of the sequential order's stripe writes weighs as much as {@value #WEIGHT} times less
 * of its additional reads. Immutable.
 *
 * @param expectedByDistance what two cells so far from each other are expected to count
 * @param writtenByDistance the same of two cells that are written
 * @param written cells, ascending
 * @param stripeWritesPerUnit how many stripe writes a unit weighs; 0 without reads
 * @param surplus units that the base has more than the order of addresses in the reads of the
 *     trace, and those that it may have less; below 0 if it has fewer than that
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, in this package, that does not write them
record ReadObjective(
    long[] expectedByDistance,
    long[] writtenByDistance,
    long[] written,
    double stripeWritesPerUnit,
    long surplus) {
  /**
   * What a pair of cells counts that one request reads, or is expected to. So fine that few reads,
   * spread over all addresses, still count.
   */
  static final long PAIR = 1 << 20;

  /** Reads of the trace tell less of those to come than its writes do: their places differ more. */
  static final int WEIGHT = 10;

  /**
   * What is expected may cost one in so many of the order of addresses' additional reads: else each
   * exchange of neighbours would be forbidden where few reads are known.
   */
  private static final long ALLOWED_ONE_IN = 500;

  private static final int MAX_DISTANCE = 255;

  /** How much further than the width of a stripe written neighbours are looked at. */
  private static final int WIDTHS = 2;

  static ReadObjective of(Organization base, TimeWindows windows, RequestSlice reads) {
    if (reads.count() == 0) {
      return new ReadObjective(new long[1], new long[1], new long[0], 0, 0);
    }
    SequentialOrganization sequential = new SequentialOrganization(base.dataCells());
    long sequentialReads = DegradedReads.of(reads, sequential).additional();
    long ownReads = DegradedReads.of(reads, base).additional();
    long stripeWrites = StripeWrites.of(windows, sequential).stripes();
    ExpectedReads expected =
        ExpectedReads.of(
            writtenCells(windows),
            reads,
            MAX_DISTANCE,
            Math.min(MAX_DISTANCE, WIDTHS * base.dataCells()));
    return new ReadObjective(
        expected.elsewhere(PAIR),
        expected.written(PAIR),
        expected.cells(),
        WEIGHT * 2.0 * stripeWrites / Math.max(1, sequentialReads) / PAIR,
        (sequentialReads - ownReads) / 2 * PAIR + sequentialReads * PAIR / (2 * ALLOWED_ONE_IN));
  }

  private static long[] writtenCells(TimeWindows windows) {
    long[][] all = {new long[1024]};
    int[] size = new int[1];
    windows.forEach(
        (cells, count) -> {
          int end = Math.addExact(size[0], count);
          if (end > all[0].length) {
            long[] distinct = CellSets.ascending(Arrays.copyOf(all[0], size[0]));
            size[0] = distinct.length;
            all[0] = Arrays.copyOf(distinct, Math.max(1024, 2 * (distinct.length + count)));
          }
          System.arraycopy(cells, 0, all[0], size[0], count);
          size[0] += count;
        });
    return CellSets.ascending(Arrays.copyOf(all[0], size[0]));
  }

  /** The same, after some exchanges. */
  ReadObjective withSurplus(long units) {
    return new ReadObjective(
        expectedByDistance, writtenByDistance, written, stripeWritesPerUnit, units);
  }

  boolean looksAtReads() {
    return stripeWritesPerUnit > 0;
  }

  /** Whether a cell is written. */
  boolean isWritten(long cell) {
    return Arrays.binarySearch(written, cell) >= 0;
  }

  /** Units that two cells of one stripe are expected to count. */
  long expected(long cell, long other) {
    long distance = Math.abs(cell - other);
    return distance < writtenByDistance.length && isWritten(cell) && isWritten(other)
        ? writtenByDistance[(int) distance]
        : expectedElsewhere(distance);
  }

  /** The same, where it is known which cells are written. */
  long expected(long cell, long other, boolean areWritten) {
    long distance = Math.abs(cell - other);
    return areWritten && distance < writtenByDistance.length
        ? writtenByDistance[(int) distance]
        : expectedElsewhere(distance);
  }

  private long expectedElsewhere(long distance) {
    return distance < expectedByDistance.length ? expectedByDistance[(int) distance] : 0;
  }
}
