/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.trace.RequestSlice;
import java.util.Arrays;

/**
 * How often two cells are read together that are so far from each other, if the reads of a trace
 * are spread: those of two written cells over the pairs of such, all others over the other
 * addresses up to the last one that was used.
 *
 * <p>O(w d + r n d) for w written cells, r reads of n cells and the distance d. Not thread-safe.
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, in this package, that does not write them
record ExpectedReads(
    long[] cells, long[] readPairs, long[] readWritten, long[] writtenPairs, long cellEnd) {
  /**
   * Counts.
   *
   * @param cells that are written, ascending
   * @param longest distance of any pairs
   * @param maxWritten distance of written pairs, at most {@code longest}
   */
  static ExpectedReads of(long[] cells, RequestSlice reads, int longest, int maxWritten) {
    long[] readPairs = new long[longest + 1];
    long[] readWritten = new long[maxWritten + 1];
    long cellEnd = cells.length == 0 ? 1 : cells[cells.length - 1] + 1;
    for (int read = reads.from(); read < reads.to(); read++) {
      long first = reads.requests().firstCell(read);
      int count = reads.requests().cellCount(read);
      cellEnd = Math.max(cellEnd, first + count);
      for (int distance = 1; distance < count && distance <= longest; distance++) {
        readPairs[distance] += count - distance;
      }
      addPairs(cells, at(cells, first), at(cells, first + count), readWritten);
    }
    long[] writtenPairs = new long[maxWritten + 1];
    addPairs(cells, 0, cells.length, writtenPairs);
    return new ExpectedReads(cells, readPairs, readWritten, writtenPairs, cellEnd);
  }

  /** Index of the first of the cells that is not below one. */
  private static int at(long[] cells, long from) {
    int found = Arrays.binarySearch(cells, from);
    return found >= 0 ? found : -found - 1;
  }

  private static void addPairs(long[] cells, int from, int to, long[] byDistance) {
    for (int i = from; i < to; i++) {
      for (int j = i + 1; j < to && cells[j] - cells[i] < byDistance.length; j++) {
        byDistance[(int) (cells[j] - cells[i])]++;
      }
    }
  }

  /** Units of two written cells, by distance. */
  long[] written(long unitsOfPair) {
    long[] units = new long[readWritten.length];
    for (int distance = 1; distance < units.length; distance++) {
      units[distance] =
          writtenPairs[distance] == 0
              ? 0
              : Math.round((double) unitsOfPair * readWritten[distance] / writtenPairs[distance]);
    }
    return units;
  }

  /** Units of other cells, by distance. */
  long[] elsewhere(long unitsOfPair) {
    long[] units = new long[readPairs.length];
    for (int distance = 1; distance < units.length; distance++) {
      boolean isCounted = distance < readWritten.length;
      long pairs = readPairs[distance] - (isCounted ? readWritten[distance] : 0);
      long places = cellEnd - (isCounted ? writtenPairs[distance] : 0);
      units[distance] = Math.round((double) unitsOfPair * pairs / Math.max(1, places));
    }
    return units;
  }
}
