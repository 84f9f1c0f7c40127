/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import java.util.Arrays;

/**
 * The groups of an organization in stripes of the order of addresses, so that the cells that are in
 * no group stay where they are. The paper puts the groups first and all other cells behind them, by
 * which each range of addresses begins at another place of a stripe, whatever is known of it: what
 * reads of it cost changes by chance, and no cell keeps its place.
 *
 * <p>The stripes with the most grouped cells are taken, lowest first where it does not matter; a
 * group goes into the one that has the most of its cells, if that is free. Their other cells go, in
 * order of address, to where grouped cells were. A permutation: nothing is padded. Stateless.
 */
final class InPlaceGroups {
  private InPlaceGroups() {}

  /** The order of addresses with the groups in it. */
  static Organization of(GroupedOrganization groups) {
    int k = groups.dataCells();
    long[] grouped = groups.displacedCells();
    if (grouped.length == 0) {
      return new SequentialOrganization(k);
    }
    long[] hosts = hosts(grouped, k, groups.groupCount());
    int[] hostOf = assign(groups, hosts);
    long[] free = places(grouped, hosts, k);
    long[] cells = free.clone();
    long[] to = new long[cells.length];
    Arrays.fill(to, Organization.PADDING);
    boolean[] isTaken = new boolean[free.length];
    for (int group = 0; group < hostOf.length; group++) {
      put(groups.group(group), hosts[hostOf[group]] * k, k, cells, to, isTaken);
    }
    keepOthers(grouped, cells, to, isTaken);
    int next = 0;
    for (int i = 0; i < cells.length; i++) {
      if (to[i] == Organization.PADDING) {
        while (isTaken[next]) {
          next++;
        }
        to[i] = free[next];
        isTaken[next] = true;
      }
    }
    return withoutUnmoved(k, cells, to);
  }

  /** Stripes with the most grouped cells, ascending. */
  private static long[] hosts(long[] grouped, int k, int count) {
    long[] stripes = CellSets.ascending(Arrays.stream(grouped).map(cell -> cell / k).toArray());
    int[] cellsOf = new int[stripes.length];
    for (long cell : grouped) {
      cellsOf[Arrays.binarySearch(stripes, cell / k)]++;
    }
    long[] hosts = new long[count];
    int taken = 0;
    for (int cells = k; cells >= 1; cells--) {
      for (int i = 0; i < stripes.length && taken < count; i++) {
        if (cellsOf[i] == cells) {
          hosts[taken++] = stripes[i];
        }
      }
    }
    Arrays.sort(hosts);
    return hosts;
  }

  /** The host of each group. */
  private static int[] assign(GroupedOrganization groups, long[] hosts) {
    int[] hostOf = new int[hosts.length];
    boolean[] isTaken = new boolean[hosts.length];
    for (int group = 0; group < hosts.length; group++) {
      hostOf[group] = ownHost(groups.group(group), groups.dataCells(), hosts, isTaken);
      if (hostOf[group] >= 0) {
        isTaken[hostOf[group]] = true;
      }
    }
    int next = 0;
    for (int group = 0; group < hosts.length; group++) {
      if (hostOf[group] < 0) {
        while (isTaken[next]) {
          next++;
        }
        hostOf[group] = next;
        isTaken[next] = true;
      }
    }
    return hostOf;
  }

  /** The free host with the most of some cells, the lowest of those; -1 if none has any. */
  private static int ownHost(long[] cells, int k, long[] hosts, boolean[] isTaken) {
    int best = -1;
    int bestCount = 0;
    for (long cell : cells) {
      int host = Arrays.binarySearch(hosts, cell / k);
      if (host >= 0 && !isTaken[host]) {
        int count = 0;
        for (long other : cells) {
          count += other / k == cell / k ? 1 : 0;
        }
        if (count > bestCount || (count == bestCount && host < best)) {
          best = host;
          bestCount = count;
        }
      }
    }
    return best;
  }

  /** All places of the hosts, and those of all grouped cells, ascending. */
  private static long[] places(long[] grouped, long[] hosts, int k) {
    long[] places = Arrays.copyOf(grouped, Math.addExact(grouped.length, hosts.length * k));
    int at = grouped.length;
    for (long host : hosts) {
      for (int i = 0; i < k; i++) {
        places[at++] = host * k + i;
      }
    }
    return CellSets.ascending(places);
  }

  /** Puts a group into its host; a cell that is there already stays. */
  private static void put(
      long[] group, long begin, int k, long[] cells, long[] to, boolean[] isTaken) {
    int first = Arrays.binarySearch(cells, begin);
    for (long cell : group) {
      if (cell >= begin && cell < begin + k) {
        take(Arrays.binarySearch(cells, cell), cell, to, isTaken, cells);
      }
    }
    int next = first;
    for (long cell : group) {
      if (cell < begin || cell >= begin + k) {
        while (isTaken[next]) {
          next++;
        }
        take(Arrays.binarySearch(cells, cell), cells[next], to, isTaken, cells);
      }
    }
  }

  /** Cells of no group whose places nobody has taken stay. */
  private static void keepOthers(long[] grouped, long[] cells, long[] to, boolean[] isTaken) {
    for (int i = 0; i < cells.length; i++) {
      if (!isTaken[i] && Arrays.binarySearch(grouped, cells[i]) < 0) {
        take(i, cells[i], to, isTaken, cells);
      }
    }
  }

  private static void take(int cell, long place, long[] to, boolean[] isTaken, long[] places) {
    to[cell] = place;
    isTaken[Arrays.binarySearch(places, place)] = true;
  }

  private static Organization withoutUnmoved(int k, long[] cells, long[] to) {
    int kept = 0;
    for (int i = 0; i < cells.length; i++) {
      if (cells[i] != to[i]) {
        cells[kept] = cells[i];
        to[kept++] = to[i];
      }
    }
    SequentialOrganization sequential = new SequentialOrganization(k);
    return kept == 0
        ? sequential
        : new ExchangedOrganization(
            sequential, Arrays.copyOf(cells, kept), Arrays.copyOf(to, kept));
  }
}
