/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.util.Arrays;

/**
 * Makes a correlation graph of pairs, of whatever counted them. Some 20 bytes a pair beside the
 * graph. Not thread-safe.
 */
public final class GraphBuilder {
  private final long[] candidates;
  private final int maxEdges;
  private final LongList pairs = new LongList();
  private int[] degrees = new int[64];
  private final int[] edgesOf;
  private long lastPair = -1;

  /**
   * @param candidates cells that may be correlated, ascending; not copied
   * @param maxEdges more pairs are refused
   */
  public GraphBuilder(long[] candidates, int maxEdges) {
    this.candidates = candidates;
    this.maxEdges = maxEdges;
    this.edgesOf = new int[candidates.length];
  }

  /**
   * Adds a pair; pairs come in ascending order of the lower one, then of the higher.
   *
   * @param low place of one cell among the candidates
   * @param high place of the other one
   * @param degree > 0
   * @throws IllegalStateException if there are too many
   */
  public void add(int low, int high, int degree) {
    Checks.argument(
        low >= 0 && low < high && high < candidates.length && pair(low, high) > lastPair,
        "add a pair",
        "low",
        low,
        "ascending, below high=" + high + " below " + candidates.length);
    Checks.argument(degree > 0, "add a pair", "degree", degree, "> 0");
    if (pairs.size() == maxEdges) {
      throw tooMany(maxEdges + 1L, maxEdges);
    }
    if (pairs.size() == degrees.length) {
      degrees = Arrays.copyOf(degrees, Math.multiplyExact(2, degrees.length));
    }
    lastPair = pair(low, high);
    degrees[pairs.size()] = degree;
    pairs.add(lastPair);
    edgesOf[low]++;
    edgesOf[high]++;
  }

  /** Says that there are too many pairs. */
  public static IllegalStateException tooMany(long pairs, int maxPairs) {
    return new IllegalStateException(
        ErrorMessage.to("count correlations")
                .value("pairs", pairs)
                .expected("at most maxPairs=" + maxPairs)
                .message()
            + ": raise it, analyse less of the trace or choose larger cells");
  }

  /** Pairs are sorted by their lower member first. */
  static long pair(int low, int high) {
    return (long) low << 32 | high;
  }

  static int low(long pair) {
    return (int) (pair >>> 32);
  }

  static int high(long pair) {
    return (int) pair;
  }

  /**
   * The graph of the pairs added.
   *
   * @param leftOutWindowCount windows that were not counted
   */
  public CorrelationGraph build(long leftOutWindowCount) {
    // In this order each vertex gets its lower neighbours ascending, and then its higher ones.
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
    int[] bothDegrees = new int[neighbours.length];
    for (int i = 0; i < pairs.size(); i++) {
      int a = vertexOf[low(pairs.get(i))];
      int b = vertexOf[high(pairs.get(i))];
      bothDegrees[at[a]] = degrees[i];
      neighbours[at[a]++] = b;
      bothDegrees[at[b]] = degrees[i];
      neighbours[at[b]++] = a;
    }
    return new CorrelationGraph(cells, starts, neighbours, bothDegrees, leftOutWindowCount);
  }
}
