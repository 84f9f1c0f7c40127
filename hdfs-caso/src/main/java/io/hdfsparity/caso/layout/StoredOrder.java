/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * The order in which the cells of one file are stored: a one-to-one map of logical cells 0 to n - 1
 * to stored cells, in runs of cells that follow each other in both. Stored cells that no logical
 * cell is mapped to are padding.
 *
 * <p><b>Invariants</b>: runs cover all logical cells in their order; their stored cells do not
 * overlap and lie below the number of stored cells; runs that could be one are one. 28 bytes a run.
 *
 * <p>Immutable, thread-safe.
 */
public final class StoredOrder {
  /** First logical cell of each run, and behind the last one the number of cells. */
  private final long[] logicalStarts;

  private final long[] storedStarts;

  /** Runs by their stored cells. */
  private final int[] byStored;

  private final long storedCellCount;

  /**
   * Takes runs in the order of logical cells.
   *
   * @param storedStarts first stored cell of each run; copied
   * @param counts cells of each run, > 0
   * @param storedCellCount stored cells, padding included
   * @throws IllegalArgumentException unless the invariants hold
   */
  public StoredOrder(long[] storedStarts, long[] counts, long storedCellCount) {
    Checks.argument(
        storedStarts.length == counts.length,
        "order cells",
        "counts.length",
        counts.length,
        "storedStarts.length=" + storedStarts.length);
    Checks.argument(
        storedCellCount >= 0, "order cells", "storedCellCount", storedCellCount, ">= 0");
    this.storedStarts = storedStarts.clone();
    this.storedCellCount = storedCellCount;
    this.logicalStarts = new long[counts.length + 1];
    for (int run = 0; run < counts.length; run++) {
      checkRun(run, counts[run]);
      logicalStarts[run + 1] = logicalStarts[run] + counts[run];
    }
    this.byStored = byStored();
  }

  private void checkRun(int run, long count) {
    long stored = storedStarts[run];
    Checks.argument(count > 0, "order cells", "run " + run + " count", count, "> 0");
    Checks.argument(
        stored >= 0 && stored <= storedCellCount - count,
        "order cells",
        "run " + run + " storedCell",
        stored,
        "0 to storedCellCount=" + storedCellCount + " - count=" + count);
    Checks.argument(
        logicalStarts[run] <= storedCellCount - count,
        "order cells",
        "run " + run + " logicalCell",
        logicalStarts[run],
        "no more cells than storedCellCount=" + storedCellCount);
    Checks.argument(
        run == 0 || stored != storedStarts[run - 1] + logicalStarts[run] - logicalStarts[run - 1],
        "order cells",
        "run " + run + " storedCell",
        stored,
        "not to continue where the run before ends");
  }

  private int[] byStored() {
    // Sorted by (stored start, run): starts may be as large as 2^63, so not packed into one long.
    long[] sorted = storedStarts.clone();
    Arrays.sort(sorted);
    int[] order = new int[sorted.length];
    Arrays.fill(order, -1);
    for (int run = 0; run < sorted.length; run++) {
      int at = Arrays.binarySearch(sorted, storedStarts[run]);
      Checks.argument(order[at] < 0, "order cells", "storedCell", storedStarts[run], "in one run");
      order[at] = run;
    }
    for (int i = 1; i < order.length; i++) {
      Checks.argument(
          storedEnd(order[i - 1]) <= sorted[i],
          "order cells",
          "storedCell",
          sorted[i],
          "in one run");
    }
    return order;
  }

  private long storedEnd(int run) {
    return storedStarts[run] + count(run);
  }

  /**
   * The order of an organization's first cells. Stripes that have none of them are left out, the
   * others keep their order.
   *
   * @param cellCount cells of the file
   */
  public static StoredOrder of(Organization organization, long cellCount) {
    Checks.argument(cellCount >= 0, "order cells", "cellCount", cellCount, ">= 0");
    return new RunList(organization, cellCount).order();
  }

  /** How many logical cells there are. */
  public long cellCount() {
    return logicalStarts[logicalStarts.length - 1];
  }

  /** How many stored cells there are, padding included. */
  public long storedCellCount() {
    return storedCellCount;
  }

  /** How many runs. */
  public int runCount() {
    return storedStarts.length;
  }

  /** First logical cell of a run. */
  public long logicalStart(int run) {
    return logicalStarts[run];
  }

  /** First stored cell of a run. */
  public long storedStart(int run) {
    return storedStarts[run];
  }

  /** Cells of a run. */
  public long count(int run) {
    return logicalStarts[run + 1] - logicalStarts[run];
  }

  /** The run of a logical cell. */
  public int run(long logicalCell) {
    if (logicalCell < 0 || logicalCell >= cellCount()) {
      throw outside("logicalCell", logicalCell, cellCount());
    }
    int found = Arrays.binarySearch(logicalStarts, logicalCell);
    return found >= 0 ? found : -found - 2;
  }

  /**
   * Where a logical cell is stored.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= logicalCell < cellCount()}
   */
  public long storedCell(long logicalCell) {
    int run = run(logicalCell);
    return storedStarts[run] + logicalCell - logicalStarts[run];
  }

  /**
   * The logical cell that is stored in a place, or {@link Organization#PADDING}.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= storedCell < storedCellCount()}
   */
  public long logicalCell(long storedCell) {
    if (storedCell < 0 || storedCell >= storedCellCount) {
      throw outside("storedCell", storedCell, storedCellCount);
    }
    int low = 0;
    int high = byStored.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (storedStarts[byStored[middle]] <= storedCell) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == 0) {
      return Organization.PADDING;
    }
    int run = byStored[low - 1];
    long inRun = storedCell - storedStarts[run];
    return inRun < count(run) ? logicalStarts[run] + inRun : Organization.PADDING;
  }

  private static IndexOutOfBoundsException outside(String name, long value, long count) {
    return new IndexOutOfBoundsException(
        "Cannot map a cell: " + name + "=" + value + ", expected 0 <= " + name + " < " + count);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StoredOrder order
        && storedCellCount == order.storedCellCount
        && Arrays.equals(logicalStarts, order.logicalStarts)
        && Arrays.equals(storedStarts, order.storedStarts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(storedStarts);
  }

  @Override
  public String toString() {
    return cellCount() + " cells in " + runCount() + " runs, " + storedCellCount + " stored";
  }
}
