/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Local search: exchanges the places of two cells as long as that lets the windows touch fewer
 * stripes, or lets degraded reads read fewer cells in addition, each weighed by its share of what
 * the order of addresses costs, reads more than writes ({@link ReadObjective}).
 *
 * <p>Looks at cells that are used at least twice, those in the most windows and reads first, those
 * in equally many in an order drawn from the seed. Each may go to the stripes of the cells that
 * come with it most often, in exchange for any cell there, and goes to where most is saved; what a
 * single stripe write weighs is taken for chance. Without reads the number of stripe writes in the
 * windows that are looked at never rises; with reads, additional degraded reads, those of the trace
 * and those expected, never rise above what the base has, or one in 500 above the order of
 * addresses. Same seed, same result.
 *
 * <p>A round costs O(k P) for P pairs of cells that come in one window or read, each counted as
 * often as they do: see {@link ExchangeRun}. All windows are looked at, whatever the length of the
 * trace, within {@link SearchBounds}. Stateless, thread-safe.
 */
final class ExchangeSearch {
  private static final int MAX_ROUNDS = 4;

  private final long seed;
  private final SearchBounds bounds;

  ExchangeSearch(long seed, SearchBounds bounds) {
    this.seed = seed;
    this.bounds = bounds;
  }

  /** The base, or a better organization of these windows and reads. */
  Organization improve(Organization base, TimeWindows windows, RequestSlice reads) {
    ReadObjective objective = ReadObjective.of(base, windows, reads);
    int maxWindowCells = bounds.maxWindowCells(windows);
    List<long[]> cells = new ArrayList<>();
    List<long[]> places = new ArrayList<>();
    // Stripes of shards are disjoint, so what one shard exchanges does not concern another.
    for (long[] shard : bounds.shards(base, windows, maxWindowCells)) {
      ExchangeRun run =
          new ExchangeRun(
              base, SearchInput.of(base, windows, reads, maxWindowCells, shard), objective);
      search(run);
      objective = objective.withSurplus(run.readSurplus());
      long[] moved = run.places().movedCells();
      cells.add(moved);
      places.add(run.places().placesOf(moved));
    }
    return exchanged(base, cells, places);
  }

  private void search(ExchangeRun run) {
    int[] order = run.order(new Random(seed));
    for (int round = 0; round < MAX_ROUNDS; round++) {
      boolean hasMoved = false;
      for (int cell : order) {
        hasMoved |= run.moveBest(cell);
      }
      if (!hasMoved) {
        return;
      }
    }
  }

  private static Organization exchanged(
      Organization base, List<long[]> cells, List<long[]> places) {
    long[] all = cells.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    if (all.length == 0) {
      return base;
    }
    long[] at = new long[all.length];
    for (int shard = 0; shard < cells.size(); shard++) {
      for (int i = 0; i < cells.get(shard).length; i++) {
        at[Arrays.binarySearch(all, cells.get(shard)[i])] = places.get(shard)[i];
      }
    }
    return new ExchangedOrganization(base, all, at);
  }
}
