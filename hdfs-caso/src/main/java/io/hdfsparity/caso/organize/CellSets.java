/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import java.util.Arrays;

/**
 * Windows of cells, both ways round: the cells that a window writes, or a request reads. 8 bytes a
 * cell and window. Cells have numbers in ascending order.
 *
 * @param cellsBegin where the cells of each window begin, and behind the last one their count
 * @param cellsOf numbers of the cells of all windows, ascending in each
 * @param windowsBegin where the windows of each cell begin, and behind the last one their count
 * @param windowsOf windows of all cells, ascending for each
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, in this package, that does not write them
record CellSets(int[] cellsBegin, int[] cellsOf, int[] windowsBegin, int[] windowsOf) {
  /**
   * Gives cells their numbers.
   *
   * @param cells ascending
   * @param raw cells of all windows, each in {@code cells}
   * @param cellsBegin as above
   */
  static CellSets of(long[] cells, long[] raw, int[] cellsBegin) {
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
    return new CellSets(cellsBegin, cellsOf, windowsBegin, windowsOf);
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
