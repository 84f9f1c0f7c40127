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
 * Takes from a new organization what gains over the present one, and leaves all other stripes as
 * they are.
 *
 * <p>Stripes between which cells move belong together, and such a group of stripes has the same
 * cells before and after: so each group can be taken or left by itself, and what it costs is what
 * its own stripes cost. A group is taken if the windows touch its stripes less often by at least
 * two and by one in fifty, and degraded reads of them read no more.
 *
 * <p>O(c log c) for c cells that the windows write, the reads read, or that move.
 */
final class GainingStripes {
  /** A single stripe write is taken for chance, as in {@link ExchangeSearch}. */
  private static final long MIN_SAVED = 2;

  private static final long MIN_SAVED_ONE_IN = 50;

  private final Organization present;
  private final Organization wanted;

  /** Cells that move, ascending. */
  private final long[] moved;

  /** Stripes that they are in, ascending, and for each a stripe of its group; a root has itself. */
  private final long[] stripes;

  private final int[] groups;

  private GainingStripes(Organization present, Organization wanted) {
    this.present = present;
    this.wanted = wanted;
    this.moved = moved(present, wanted);
    // A place that a cell leaves another one takes, so these are all stripes on both sides.
    this.stripes = CellSets.ascending(Arrays.stream(moved).map(present::stripe).toArray());
    this.groups = new int[stripes.length];
    Arrays.setAll(groups, i -> i);
    for (long cell : moved) {
      int from = group(number(present.stripe(cell)));
      int to = group(number(wanted.stripe(cell)));
      groups[Math.max(from, to)] = Math.min(from, to);
    }
  }

  /**
   * What is taken.
   *
   * @param organization the present one, but for the stripes that gain
   * @param stripes how many those are
   */
  record GainingResult(Organization organization, long stripes) {}

  /**
   * Takes what gains.
   *
   * @param wanted the same cells, some of which have changed places with each other
   */
  static GainingResult of(
      Organization present, Organization wanted, TimeWindows windows, RequestSlice reads) {
    return new GainingStripes(present, wanted).taken(windows, reads);
  }

  private static long[] moved(Organization present, Organization wanted) {
    long[] one = present.displacedCells();
    long[] two = wanted.displacedCells();
    long[] both = Arrays.copyOf(one, one.length + two.length);
    System.arraycopy(two, 0, both, one.length, two.length);
    return Arrays.stream(CellSets.ascending(both))
        .filter(cell -> present.storedCell(cell) != wanted.storedCell(cell))
        .toArray();
  }

  /** Number of a stripe; below 0 if no cell moves there. */
  private int number(long stripe) {
    return Arrays.binarySearch(stripes, stripe);
  }

  private int group(int stripe) {
    int root = stripe;
    while (groups[root] != root) {
      groups[root] = groups[groups[root]];
      root = groups[root];
    }
    return root;
  }

  private GainingResult taken(TimeWindows windows, RequestSlice reads) {
    long[] savedWrites = new long[stripes.length];
    long[] writes = new long[stripes.length];
    countWrites(windows, present, 1, writes);
    System.arraycopy(writes, 0, savedWrites, 0, writes.length);
    countWrites(windows, wanted, -1, savedWrites);
    long[] savedReads = new long[stripes.length];
    countReads(reads, present, 1, savedReads);
    countReads(reads, wanted, -1, savedReads);
    boolean[] gains = new boolean[stripes.length];
    long count = 0;
    for (int stripe = 0; stripe < stripes.length; stripe++) {
      int group = group(stripe);
      gains[stripe] =
          savedWrites[group] >= MIN_SAVED
              && savedWrites[group] * MIN_SAVED_ONE_IN >= writes[group]
              && savedReads[group] >= 0;
      count += gains[stripe] ? 1 : 0;
    }
    long[] cells =
        Arrays.stream(moved).filter(cell -> gains[number(present.stripe(cell))]).toArray();
    if (cells.length == 0) {
      return new GainingResult(present, 0);
    }
    long[] places = Arrays.stream(cells).map(wanted::storedCell).toArray();
    return new GainingResult(new ExchangedOrganization(present, cells, places), count);
  }

  private void countWrites(TimeWindows windows, Organization of, int sign, long[] byGroup) {
    windows.forEach(
        (cells, count) -> {
          for (int i = 0; i < count; i++) {
            cells[i] = of.stripe(cells[i]);
          }
          Arrays.sort(cells, 0, count);
          for (int i = 0; i < count; i++) {
            if (i == 0 || cells[i] != cells[i - 1]) {
              add(cells[i], sign, byGroup);
            }
          }
        });
  }

  private void countReads(RequestSlice reads, Organization of, int sign, long[] byGroup) {
    for (int read = reads.from(); read < reads.to(); read++) {
      long firstCell = reads.requests().firstCell(read);
      long[] asked = new long[reads.requests().cellCount(read)];
      Arrays.setAll(asked, i -> of.stripe(firstCell + i));
      Arrays.sort(asked);
      int begin = 0;
      for (int i = 1; i <= asked.length; i++) {
        if (i == asked.length || asked[i] != asked[begin]) {
          long requested = (long) i - begin;
          add(asked[begin], sign * requested * (of.dataCells() - requested), byGroup);
          begin = i;
        }
      }
    }
  }

  private void add(long stripe, long value, long[] byGroup) {
    int number = number(stripe);
    if (number >= 0) {
      byGroup[group(number)] += value;
    }
  }
}
