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
 * What a local search looks at: the windows with writes and the reads, of the cells of some
 * stripes. An exchange of two cells changes what their two stripes cost and nothing else, so for
 * exchanges inside those stripes it is all that there is to know.
 *
 * @param cells written, or read together with another one, ascending
 * @param stripes of cells that are written, ascending
 * @param writes windows
 * @param reads requests with at least two cells in those stripes
 */
@SuppressWarnings("ArrayRecordComponent") // one owner, in this package, that does not write them
record SearchInput(long[] cells, long[] stripes, CellSets writes, CellSets reads) {
  /** Requests that read more are not looked at: they have whole stripes in any order. */
  static final int MAX_CELLS_PER_READ = 1024;

  /**
   * @param maxWindowCells windows with more cells are not looked at
   * @param shard stripes to look at, ascending; empty for all
   */
  static SearchInput of(
      Organization base,
      TimeWindows windows,
      RequestSlice reads,
      int maxWindowCells,
      long[] shard) {
    Raw written = new Raw();
    windows.forEach(
        (cells, count) -> {
          if (count <= maxWindowCells) {
            written.addWindow(cells, keep(base, shard, cells, count), 1);
          }
        });
    long[] writtenCells = CellSets.ascending(written.cells());
    long[] stripes = CellSets.ascending(Arrays.stream(writtenCells).map(base::stripe).toArray());
    Raw read = new Raw();
    long[] requested = new long[MAX_CELLS_PER_READ];
    for (int each = reads.from(); each < reads.to(); each++) {
      int count = reads.requests().cellCount(each);
      if (count >= 2 && count <= MAX_CELLS_PER_READ) {
        for (int i = 0; i < count; i++) {
          requested[i] = reads.requests().firstCell(each) + i;
        }
        read.addWindow(requested, keep(base, stripes, requested, count), 2);
      }
    }
    long[] all = Arrays.copyOf(writtenCells, writtenCells.length + read.size);
    System.arraycopy(read.cells, 0, all, writtenCells.length, read.size);
    all = CellSets.ascending(all);
    return new SearchInput(
        all,
        stripes,
        CellSets.of(all, written.cells(), written.begins()),
        CellSets.of(all, read.cells(), read.begins()));
  }

  /** Moves cells of some stripes to the front, in their order; returns how many. */
  private static int keep(Organization base, long[] stripes, long[] cells, int count) {
    if (stripes.length == 0) {
      return count;
    }
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (Arrays.binarySearch(stripes, base.stripe(cells[i])) >= 0) {
        cells[kept++] = cells[i];
      }
    }
    return kept;
  }

  /** Cells of windows, one behind the other. */
  private static final class Raw {
    private long[] cells = new long[1024];
    private int size;
    private int[] begins = new int[256];
    private int windowCount;

    void addWindow(long[] from, int count, int minCount) {
      if (count < minCount) {
        return;
      }
      int end = Math.addExact(size, count);
      if (end > cells.length) {
        cells = Arrays.copyOf(cells, (int) Math.min(Integer.MAX_VALUE - 8, end + (end >>> 1)));
      }
      System.arraycopy(from, 0, cells, size, count);
      size = end;
      if (windowCount + 1 == begins.length) {
        begins = Arrays.copyOf(begins, Math.multiplyExact(2, begins.length));
      }
      begins[++windowCount] = size;
    }

    long[] cells() {
      return Arrays.copyOf(cells, size);
    }

    int[] begins() {
      return Arrays.copyOf(begins, windowCount + 1);
    }
  }
}
