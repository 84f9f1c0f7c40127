/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.core.check.Refusal;
import java.util.Arrays;

/**
 * Counts which cells come together (section III-A): two cells are correlated if there are at least
 * {@code threshold} windows with both. What a cell or a request is counted for inside one window
 * does not matter, once is enough.
 *
 * <p>Two passes. The first counts the windows of each cell; a cell with fewer than the threshold
 * cannot be correlated, so the second one counts pairs of the others only. Time is linear in the
 * cells of all windows plus the pairs inside windows.
 *
 * <p>Stateless, thread-safe.
 */
public final class CorrelationAnalysis {
  private final CorrelationOptions options;

  public CorrelationAnalysis(CorrelationOptions options) {
    this.options = options;
  }

  /**
   * The correlation graph of some windows.
   *
   * @throws IllegalStateException if there are more pairs than the options allow
   */
  public CorrelationGraph analyse(TimeWindows windows) {
    long[] candidates = candidates(windows);
    PairCounting counting = new PairCounting(candidates);
    windows.forEach(counting);
    return graph(candidates, counting);
  }

  /** Cells that come in enough windows, ascending. */
  private long[] candidates(TimeWindows windows) {
    LongCounts windowsOfCell = new LongCounts();
    windows.forEach(
        (cells, count) -> {
          for (int i = 0; i < count; i++) {
            windowsOfCell.increment(cells[i]);
          }
        });
    Longs frequent = new Longs();
    windowsOfCell.forEach(
        (cell, count) -> {
          if (count >= options.threshold()) {
            frequent.add(cell);
          }
        });
    return frequent.sorted();
  }

  private CorrelationGraph graph(long[] candidates, PairCounting counting) {
    Longs kept = new Longs();
    int[] edgesOf = new int[candidates.length];
    counting.pairs.forEach(
        (pair, count) -> {
          if (count >= options.threshold()) {
            kept.add(pair);
            edgesOf[low(pair)]++;
            edgesOf[high(pair)]++;
          }
        });
    // In this order each vertex gets its lower neighbours ascending, and then its higher ones.
    long[] pairs = kept.sorted();
    int[] vertexOf = new int[candidates.length];
    int vertexCount = 0;
    for (int i = 0; i < candidates.length; i++) {
      vertexOf[i] = edgesOf[i] == 0 ? -1 : vertexCount++;
    }
    long[] cells = new long[vertexCount];
    int[] starts = new int[vertexCount + 1];
    for (int i = 0; i < candidates.length; i++) {
      int vertex = vertexOf[i];
      if (vertex >= 0) {
        cells[vertex] = candidates[i];
        starts[vertex + 1] = Math.addExact(starts[vertex], edgesOf[i]);
      }
    }
    int[] at = Arrays.copyOf(starts, vertexCount);
    int[] neighbours = new int[starts[vertexCount]];
    int[] degrees = new int[neighbours.length];
    for (long pair : pairs) {
      int degree = counting.pairs.count(pair);
      int a = vertexOf[low(pair)];
      int b = vertexOf[high(pair)];
      degrees[at[a]] = degree;
      neighbours[at[a]++] = b;
      degrees[at[b]] = degree;
      neighbours[at[b]++] = a;
    }
    return new CorrelationGraph(cells, starts, neighbours, degrees, counting.leftOutWindowCount);
  }

  /** Pairs are sorted by their lower member first. */
  private static long pair(int low, int high) {
    return (long) low << 32 | high;
  }

  private static int low(long pair) {
    return (int) (pair >>> 32);
  }

  private static int high(long pair) {
    return (int) pair;
  }

  private final class PairCounting implements WindowVisitor {
    private final long[] candidates;
    private final LongCounts pairs = new LongCounts();
    private int[] present = new int[64];
    private long leftOutWindowCount;

    PairCounting(long[] candidates) {
      this.candidates = candidates;
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
          pairs.increment(pair(present[low], present[high]));
        }
        if (pairs.size() > options.maxPairs()) {
          throw new IllegalStateException(
              Refusal.to("count correlations")
                      .value("pairs", pairs.size())
                      .expected("at most maxPairs=" + options.maxPairs())
                      .message()
                  + ": raise it, analyse less of the trace or choose larger cells");
        }
      }
    }
  }

  /** A list of longs. */
  private static final class Longs {
    private long[] values = new long[64];
    private int size;

    void add(long value) {
      if (size == values.length) {
        values = Arrays.copyOf(values, Math.multiplyExact(2, size));
      }
      values[size++] = value;
    }

    long[] sorted() {
      long[] sorted = Arrays.copyOf(values, size);
      Arrays.sort(sorted);
      return sorted;
    }
  }
}
