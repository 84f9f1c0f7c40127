/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import java.util.Arrays;

/**
 * Cells of the newest windows, both ways round; 8 bytes a cell write, and as many a cell and
 * window. Cells have numbers in ascending order.
 *
 * @param cells by number
 * @param cellsBegin where the cells of each window begin, and behind the last one their count
 * @param cellsOf numbers of the cells of all windows, ascending in each
 * @param windowsBegin where the windows of each cell begin, and behind the last one their count
 * @param windowsOf windows of all cells, ascending for each
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, in this package, that does not write them
record NewestWindows(
    long[] cells, int[] cellsBegin, int[] cellsOf, int[] windowsBegin, int[] windowsOf) {
  /** Windows with more cells are not looked at: they fill whole stripes in any order. */
  private static final int MAX_CELLS_PER_WINDOW = 1024;

  /** Only the last windows with so many cells are looked at. */
  private static final int MAX_CELL_WRITES = 1_000_000;

  /** Only the last windows with so many pairs of cells are looked at, each pair twice. */
  private static final long MAX_PAIRS = 1L << 26;

  static NewestWindows of(TimeWindows windows) {
    int[] counts = new int[windows.count()];
    int[] at = new int[1];
    windows.forEach((cells, count) -> counts[at[0]++] = count);
    int first = counts.length;
    int kept = 0;
    long cellWrites = 0;
    long pairs = 0;
    while (first > 0 && cellWrites <= MAX_CELL_WRITES && pairs <= MAX_PAIRS) {
      first--;
      if (counts[first] <= MAX_CELLS_PER_WINDOW) {
        cellWrites += counts[first];
        pairs += (long) counts[first] * counts[first];
        kept++;
      }
    }
    long[] raw = new long[(int) cellWrites];
    int[] cellsBegin = new int[kept + 1];
    at[0] = 0;
    windows
        .slice(first, counts.length)
        .forEach(
            (cells, count) -> {
              if (count <= MAX_CELLS_PER_WINDOW) {
                System.arraycopy(cells, 0, raw, cellsBegin[at[0]], count);
                cellsBegin[at[0] + 1] = cellsBegin[at[0]++] + count;
              }
            });
    return numbered(raw, cellsBegin);
  }

  private static NewestWindows numbered(long[] raw, int[] cellsBegin) {
    long[] cells = ascending(raw.clone());
    int[] cellsOf = new int[raw.length];
    int[] windowsBegin = new int[cells.length + 1];
    for (int i = 0; i < raw.length; i++) {
      cellsOf[i] = Arrays.binarySearch(cells, raw[i]);
      windowsBegin[cellsOf[i] + 1]++;
    }
    Arrays.parallelPrefix(windowsBegin, Integer::sum);
    int[] next = windowsBegin.clone();
    int[] windowsOf = new int[raw.length];
    for (int window = 0; window < cellsBegin.length - 1; window++) {
      for (int i = cellsBegin[window]; i < cellsBegin[window + 1]; i++) {
        windowsOf[next[cellsOf[i]]++] = window;
      }
    }
    return new NewestWindows(cells, cellsBegin, cellsOf, windowsBegin, windowsOf);
  }

  /** Distinct values in ascending order; the array is used up. */
  static long[] ascending(long[] values) {
    Arrays.sort(values);
    int kept = 0;
    for (long value : values) {
      if (kept == 0 || values[kept - 1] != value) {
        values[kept++] = value;
      }
    }
    return Arrays.copyOf(values, kept);
  }

  int windowCount() {
    return cellsBegin.length - 1;
  }

  /** In how many windows a cell comes. */
  int windowCountOf(int cell) {
    return windowsBegin[cell + 1] - windowsBegin[cell];
  }
}
