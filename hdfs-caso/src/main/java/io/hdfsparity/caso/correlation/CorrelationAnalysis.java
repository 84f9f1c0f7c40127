/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import java.util.Arrays;
import java.util.Optional;

/**
 * Counts which cells come together (section III-A): two cells are correlated if there are at least
 * {@code threshold} windows with both. What a cell or a request is counted for inside one window
 * does not matter, once is enough.
 *
 * <p>Two passes. The first counts the windows of each cell; a cell with fewer than the threshold
 * cannot be correlated, so the second one counts pairs of the others only. Time is linear in the
 * cells of all windows plus the pairs inside windows. Counts that do not fit in memory are spilled,
 * if there is a space for them; the result is the same.
 *
 * <p>Stateless, thread-safe.
 */
public final class CorrelationAnalysis {
  private final CorrelationOptions options;
  private final Optional<SpillSpace> space;

  /** Counts in memory; more pairs than {@code maxPairs} are refused. */
  public CorrelationAnalysis(CorrelationOptions options) {
    this(options, Optional.empty());
  }

  /**
   * Spills counts.
   *
   * @param space where to; if there is none, all pairs are counted in memory and {@code maxPairs}
   *     bounds those, otherwise the correlated ones only
   */
  public CorrelationAnalysis(CorrelationOptions options, Optional<SpillSpace> space) {
    this.options = options;
    this.space = space;
  }

  /**
   * The correlation graph of some windows.
   *
   * @throws IllegalStateException if there are more pairs than the options allow
   * @throws java.io.UncheckedIOException if counts cannot be spilled
   */
  public CorrelationGraph analyse(TimeWindows windows) {
    long[] candidates = candidates(windows);
    try (SpillableCounts pairs = new SpillableCounts(space)) {
      PairCounting counting = new PairCounting(candidates, pairs);
      windows.forEach(counting);
      GraphBuilder graph = new GraphBuilder(candidates, options.maxPairs());
      pairs.forEachAscending(
          options.threshold(),
          (pair, count) -> graph.add(GraphBuilder.low(pair), GraphBuilder.high(pair), count));
      return graph.build(counting.leftOutWindowCount);
    }
  }

  /** Cells that come in enough windows, ascending. */
  private long[] candidates(TimeWindows windows) {
    try (SpillableCounts windowsOfCell = new SpillableCounts(space)) {
      windows.forEach(
          (cells, count) -> {
            for (int i = 0; i < count; i++) {
              windowsOfCell.increment(cells[i]);
            }
          });
      LongList frequent = new LongList();
      windowsOfCell.forEachAscending(options.threshold(), (cell, count) -> frequent.add(cell));
      return frequent.toArray();
    }
  }

  private final class PairCounting implements WindowVisitor {
    private final long[] candidates;
    private final SpillableCounts pairs;
    private int[] present = new int[64];
    private long leftOutWindowCount;

    PairCounting(long[] candidates, SpillableCounts pairs) {
      this.candidates = candidates;
      this.pairs = pairs;
    }

    @Override
    public void window(long[] cells, int count) {
      if (present.length < count) {
        present = new int[count];
      }
      int presentCount = 0;
      for (int i = 0; i < count; i++) {
        int candidate = Arrays.binarySearch(candidates, cells[i]);
        if (candidate >= 0) {
          present[presentCount++] = candidate;
        }
      }
      if (presentCount > options.maxCellsPerWindow()) {
        leftOutWindowCount++;
        return;
      }
      for (int low = 0; low < presentCount; low++) {
        for (int high = low + 1; high < presentCount; high++) {
          pairs.increment(GraphBuilder.pair(present[low], present[high]));
        }
        if (space.isEmpty() && pairs.sizeInMemory() > options.maxPairs()) {
          throw GraphBuilder.tooMany(pairs.sizeInMemory(), options.maxPairs());
        }
      }
    }
  }
}
