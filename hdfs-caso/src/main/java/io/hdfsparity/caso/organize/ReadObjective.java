/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;

/**
 * What degraded reads weigh against writes in a local search.
 *
 * <p>A read of n cells costs n k - sum s² cells in addition over the loss of each node, where s are
 * the cells that it has in each stripe. So it costs 2 less for each two of its cells that share a
 * stripe, and what is counted is such pairs. Beside the pairs that were read, cells that are
 * neighbours count for what a read at any place would make of them: a trace has few of the ranges
 * that will be read.
 *
 * <p>A share of the sequential order's stripe writes weighs as much as the same share of its
 * additional reads. Immutable.
 *
 * @param expectedByDistance what two cells so far from each other are expected to count
 * @param stripeWritesPerUnit how many stripe writes a unit weighs; 0 without reads
 * @param surplus units that the base has more than the order of addresses in the reads of the
 *     trace; below 0 if it has fewer
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, in this package, that does not write it
record ReadObjective(long[] expectedByDistance, double stripeWritesPerUnit, long surplus) {
  /** What a pair of cells counts that one request reads, or is expected to. */
  static final long PAIR = 256;

  private static final int LONGEST_DISTANCE = 255;

  static ReadObjective of(Organization base, TimeWindows windows, RequestSlice reads) {
    if (reads.count() == 0) {
      return new ReadObjective(new long[1], 0, 0);
    }
    SequentialOrganization sequential = new SequentialOrganization(base.dataCells());
    long sequentialReads = DegradedReads.of(reads, sequential).additional();
    long ownReads = DegradedReads.of(reads, base).additional();
    long stripeWrites = StripeWrites.of(windows, sequential).stripes();
    return new ReadObjective(
        expected(reads, cellEnd(windows)),
        2.0 * stripeWrites / Math.max(1, sequentialReads) / PAIR,
        (sequentialReads - ownReads) / 2 * PAIR);
  }

  private static long cellEnd(TimeWindows windows) {
    long[] end = {1};
    windows.forEach(
        (cells, count) -> {
          if (count > 0) {
            end[0] = Math.max(end[0], cells[count - 1] + 1);
          }
        });
    return end[0];
  }

  /** Reads of the trace spread evenly over the addresses up to the last one that was used. */
  private static long[] expected(RequestSlice reads, long writtenEnd) {
    long[] pairs = new long[LONGEST_DISTANCE + 1];
    long cellEnd = writtenEnd;
    for (int read = reads.from(); read < reads.to(); read++) {
      int count = reads.requests().cellCount(read);
      cellEnd = Math.max(cellEnd, reads.requests().firstCell(read) + count);
      for (int distance = 1; distance < count && distance <= LONGEST_DISTANCE; distance++) {
        pairs[distance] += count - distance;
      }
    }
    for (int distance = 1; distance < pairs.length; distance++) {
      pairs[distance] = Math.round((double) PAIR * pairs[distance] / cellEnd);
    }
    return pairs;
  }

  /** The same, after some exchanges. */
  ReadObjective withSurplus(long units) {
    return new ReadObjective(expectedByDistance, stripeWritesPerUnit, units);
  }

  boolean looksAtReads() {
    return stripeWritesPerUnit > 0;
  }

  /** Units that two cells of one stripe are expected to count. */
  long expected(long cell, long other) {
    long distance = Math.abs(cell - other);
    return distance < expectedByDistance.length ? expectedByDistance[(int) distance] : 0;
  }
}
