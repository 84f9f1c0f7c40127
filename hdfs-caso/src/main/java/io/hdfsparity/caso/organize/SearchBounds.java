/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.LongCounts;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.core.check.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How a local search of any trace stays within bounds of memory and time, and sees all of it.
 *
 * <p><b>Memory</b>: stripes are divided into shards with so many cell writes; each is searched by
 * itself, with all windows as far as they write its cells. What is given up are exchanges between
 * shards, so stripes that are written together go into one shard as far as it has room.
 *
 * <p><b>Time</b>: it grows with the pairs of cells in windows. Windows are left out, those with the
 * most cells first, until there are not more pairs: such windows fill whole stripes in any order.
 *
 * @param maxCellWrites of a shard, 24 bytes each
 * @param maxPairs of cells in all windows, each pair twice
 */
public record SearchBounds(int maxCellWrites, long maxPairs) {
  /** 400 MB and some minutes. */
  public static final SearchBounds DEFAULT = new SearchBounds(16_000_000, 1L << 28);

  private static final int MAX_CELLS_PER_WINDOW = 1024;

  public SearchBounds {
    Checks.argument(maxCellWrites >= 1, "search", "maxCellWrites", maxCellWrites, ">= 1");
    Checks.argument(maxPairs >= 4, "search", "maxPairs", maxPairs, ">= 4");
  }

  /** Windows with more cells are left out. */
  int maxWindowCells(TimeWindows windows) {
    long[] windowsOfSize = new long[MAX_CELLS_PER_WINDOW + 1];
    windows.forEach((cells, count) -> windowsOfSize[Math.min(count, MAX_CELLS_PER_WINDOW)]++);
    long pairs = 0;
    int cells = 2;
    while (cells < MAX_CELLS_PER_WINDOW) {
      pairs += windowsOfSize[cells] * cells * cells;
      if (pairs > maxPairs) {
        return Math.max(2, cells - 1);
      }
      cells++;
    }
    return cells;
  }

  /**
   * Stripes of each shard, ascending; an empty array stands for all stripes. A stripe that is alone
   * in its shard has nothing to exchange with and is left out.
   */
  List<long[]> shards(Organization base, TimeWindows windows, int maxWindowCells) {
    LongCounts writes = new LongCounts();
    long[] sum = new long[1];
    windows.forEach((cells, count) -> sum[0] += count <= maxWindowCells ? count : 0);
    if (sum[0] <= maxCellWrites) {
      return List.of(new long[0]);
    }
    windows.forEach(
        (cells, count) -> {
          for (int i = 0; i < count && count <= maxWindowCells; i++) {
            writes.increment(base.stripe(cells[i]));
          }
        });
    Clusters clusters = new Clusters(writes);
    windows.forEach(
        (cells, count) -> {
          if (count <= maxWindowCells) {
            for (int i = 1; i < count; i++) {
              clusters.join(base.stripe(cells[i - 1]), base.stripe(cells[i]), maxCellWrites);
            }
          }
        });
    return clusters.packed(maxCellWrites);
  }

  /** Stripes that are written together, by union of sets, none above a weight. */
  private static final class Clusters {
    private final long[] stripes;
    private final long[] weights;
    private final int[] parents;

    Clusters(LongCounts writes) {
      stripes = new long[writes.size()];
      weights = new long[writes.size()];
      parents = new int[writes.size()];
      int[] at = new int[1];
      writes.forEachAscending(
          1,
          (stripe, count) -> {
            stripes[at[0]] = stripe;
            weights[at[0]] = count;
            parents[at[0]] = at[0];
            at[0]++;
          });
    }

    private int root(int stripe) {
      int at = stripe;
      while (parents[at] != at) {
        parents[at] = parents[parents[at]];
        at = parents[at];
      }
      return at;
    }

    void join(long stripe, long other, long maxWeight) {
      int one = root(Arrays.binarySearch(stripes, stripe));
      int two = root(Arrays.binarySearch(stripes, other));
      if (one != two && weights[one] + weights[two] <= maxWeight) {
        int low = Math.min(one, two);
        int high = Math.max(one, two);
        parents[high] = low;
        weights[low] += weights[high];
      }
    }

    /** Fills shards with clusters in the order of their lowest stripes. */
    List<long[]> packed(long maxWeight) {
      int[] shardOf = new int[stripes.length];
      int shardCount = 0;
      long weight = 0;
      for (int stripe = 0; stripe < stripes.length; stripe++) {
        if (root(stripe) == stripe) {
          if (shardCount == 0 || weight + weights[stripe] > maxWeight) {
            shardCount++;
            weight = 0;
          }
          weight += weights[stripe];
          shardOf[stripe] = shardCount - 1;
        } else {
          // The root is the lowest stripe of its cluster, so it has its shard already.
          shardOf[stripe] = shardOf[root(stripe)];
        }
      }
      int[] sizes = new int[shardCount];
      for (int shard : shardOf) {
        sizes[shard]++;
      }
      List<long[]> shards = new ArrayList<>();
      for (int size : sizes) {
        shards.add(new long[size]);
      }
      Arrays.fill(sizes, 0);
      for (int stripe = 0; stripe < stripes.length; stripe++) {
        shards.get(shardOf[stripe])[sizes[shardOf[stripe]]++] = stripes[stripe];
      }
      shards.removeIf(shard -> shard.length < 2);
      return shards;
    }
  }
}
