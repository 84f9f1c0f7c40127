/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.trace.Access;
import java.io.IOException;
import java.util.Arrays;

/**
 * Requests of one kind in memory, by time; 20 bytes a request. Requests of equal time stay in the
 * order in which they came.
 *
 * <p>Immutable, thread-safe.
 */
public final class RequestTable {
  private final long[] timesTicks;
  private final long[] firstCells;
  private final int[] cellCounts;

  private RequestTable(long[] timesTicks, long[] firstCells, int[] cellCounts) {
    this.timesTicks = timesTicks;
    this.firstCells = firstCells;
    this.cellCounts = cellCounts;
  }

  /** How many requests. */
  public int size() {
    return timesTicks.length;
  }

  /** When a request was made, in ticks of 100 ns. */
  public long timeTicks(int request) {
    return timesTicks[request];
  }

  /** First cell of a request. */
  public long firstCell(int request) {
    return firstCells[request];
  }

  /** How many cells a request has. */
  public int cellCount(int request) {
    return cellCounts[request];
  }

  /** The first request at or after a time; {@link #size()} if there is none. */
  public int firstAtOrAfter(long timeTicks) {
    int low = 0;
    int high = timesTicks.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (timesTicks[middle] < timeTicks) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The same requests without cells at or above one; those without any other are left out. */
  public RequestTable below(long cellEnd) {
    Builder builder = new Builder();
    for (int request = 0; request < size(); request++) {
      long count = Math.min(cellCounts[request], cellEnd - firstCells[request]);
      if (count > 0) {
        builder.add(timesTicks[request], firstCells[request], (int) count);
      }
    }
    return builder.build();
  }

  /**
   * Reads a trace to its end.
   *
   * @param source the trace
   * @param writes gets its writes
   * @param reads gets its reads
   */
  public static void fill(TraceSource source, Builder writes, Builder reads) throws IOException {
    for (CellRequest next = source.next(); next != null; next = source.next()) {
      (next.access() == Access.WRITE ? writes : reads).add(next);
    }
  }

  /** Collects requests in any order. Not thread-safe. */
  public static final class Builder {
    private static final int FIRST_CAPACITY = 1024;

    private long[] timesTicks = new long[FIRST_CAPACITY];
    private long[] firstCells = new long[FIRST_CAPACITY];
    private int[] cellCounts = new int[FIRST_CAPACITY];
    private int size;
    private boolean isSorted = true;

    /** Adds a request. */
    public Builder add(CellRequest request) {
      return add(request.timeTicks(), request.firstCell(), request.cellCount());
    }

    private Builder add(long timeTicks, long firstCell, int cellCount) {
      if (size == timesTicks.length) {
        Checks.argument(size < 1 << 30, "collect requests", "size", size, "< 2^30");
        timesTicks = Arrays.copyOf(timesTicks, 2 * size);
        firstCells = Arrays.copyOf(firstCells, 2 * size);
        cellCounts = Arrays.copyOf(cellCounts, 2 * size);
      }
      isSorted &= size == 0 || timesTicks[size - 1] <= timeTicks;
      timesTicks[size] = timeTicks;
      firstCells[size] = firstCell;
      cellCounts[size] = cellCount;
      size++;
      return this;
    }

    /** The requests added so far, by time. */
    public RequestTable build() {
      RequestTable table =
          new RequestTable(
              Arrays.copyOf(timesTicks, size),
              Arrays.copyOf(firstCells, size),
              Arrays.copyOf(cellCounts, size));
      return isSorted ? table : sorted(table);
    }

    /** Numbers of requests by time, by a merge sort from below, which is stable. */
    private static int[] order(long[] times) {
      int[] order = new int[times.length];
      Arrays.setAll(order, i -> i);
      int[] merged = new int[times.length];
      for (long width = 1; width < times.length; width *= 2) {
        for (long begin = 0; begin < times.length; begin += 2 * width) {
          int middle = (int) Math.min(begin + width, times.length);
          int end = (int) Math.min(begin + 2 * width, times.length);
          int left = (int) begin;
          int right = middle;
          for (int i = left; i < end; i++) {
            boolean isLeft =
                right == end || (left < middle && times[order[left]] <= times[order[right]]);
            merged[i] = order[isLeft ? left++ : right++];
          }
        }
        int[] swap = order;
        order = merged;
        merged = swap;
      }
      return order;
    }

    private static RequestTable sorted(RequestTable from) {
      int size = from.size();
      int[] order = order(from.timesTicks);
      long[] timesTicks = new long[size];
      long[] firstCells = new long[size];
      int[] cellCounts = new int[size];
      for (int i = 0; i < size; i++) {
        timesTicks[i] = from.timesTicks[order[i]];
        firstCells[i] = from.firstCells[order[i]];
        cellCounts[i] = from.cellCounts[order[i]];
      }
      return new RequestTable(timesTicks, firstCells, cellCounts);
    }
  }
}
