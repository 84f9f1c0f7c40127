/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * The correlation graph G(D, E, C) of section IV-A: its vertices are the correlated cells, an
 * edge's degree is the number of windows in which both its cells are written. 8 bytes a vertex and
 * 16 an edge.
 *
 * <p><b>Invariants</b>: vertices are numbered in ascending order of cells, the neighbours of a
 * vertex come in ascending order, every vertex has one, and an edge stands at both its ends.
 *
 * <p>Immutable, thread-safe.
 */
public final class CorrelationGraph {
  private final long[] cells;
  private final int[] starts;
  private final int[] neighbours;
  private final int[] degrees;
  private final long leftOutWindowCount;

  CorrelationGraph(
      long[] cells, int[] starts, int[] neighbours, int[] degrees, long leftOutWindowCount) {
    this.cells = cells;
    this.starts = starts;
    this.neighbours = neighbours;
    this.degrees = degrees;
    this.leftOutWindowCount = leftOutWindowCount;
  }

  /** How many cells are correlated: the paper's n_c. */
  public int vertexCount() {
    return cells.length;
  }

  /** How many pairs are correlated. */
  public int edgeCount() {
    return neighbours.length / 2;
  }

  /** Windows left out because they had too many cells. */
  public long leftOutWindowCount() {
    return leftOutWindowCount;
  }

  /** The cell of a vertex. */
  public long cell(int vertex) {
    return cells[vertex];
  }

  /** The vertex of a cell, or a negative number if the cell is not correlated. */
  public int vertex(long cell) {
    return Arrays.binarySearch(cells, cell);
  }

  /** Where the edges of a vertex begin; they end where those of the next one begin. */
  public int edgesBegin(int vertex) {
    return starts[vertex];
  }

  /** Where the edges of a vertex end. */
  public int edgesEnd(int vertex) {
    return starts[vertex + 1];
  }

  /** The vertex at the other end of an edge. */
  public int neighbour(int edge) {
    return neighbours[edge];
  }

  /** The correlation degree C of an edge. */
  public int degree(int edge) {
    return degrees[edge];
  }

  /** C of two cells; 0 if they are not correlated. */
  public int degreeOf(long cell, long other) {
    int vertex = vertex(cell);
    int otherVertex = vertex(other);
    if (vertex < 0 || otherVertex < 0) {
      return 0;
    }
    int edge = Arrays.binarySearch(neighbours, edgesBegin(vertex), edgesEnd(vertex), otherVertex);
    return edge < 0 ? 0 : degrees[edge];
  }

  /** R of a set of cells, equation (1): the sum of the degrees inside it. */
  public long inside(long... set) {
    long sum = 0;
    for (int i = 0; i < set.length; i++) {
      for (int j = 0; j < i; j++) {
        Checks.argument(set[i] != set[j], "sum degrees", "cell", set[i], "to be there once");
        sum += degreeOf(set[i], set[j]);
      }
    }
    return sum;
  }
}
