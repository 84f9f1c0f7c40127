/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;

/**
 * Which disks share a superchunk, as adjacency lists. Edges that were there at the start are fixed;
 * later ones may be taken out again. Not thread-safe.
 */
final class PairGraph {
  private final int[][] neighbours;
  private final int[] degree;
  private final int[] fixed;

  PairGraph(int disks) {
    neighbours = new int[disks][4];
    degree = new int[disks];
    fixed = new int[disks];
  }

  /**
   * The graph of the superchunks of a layout whose frames are both known.
   *
   * @param leftOut disks whose superchunks do not count
   */
  static PairGraph of(Layout layout, boolean[] leftOut) {
    ShapeIndex index = layout.shape().index();
    PairGraph graph = new PairGraph(index.diskCount());
    for (int p = 0; p < layout.pairs().size(); p++) {
      int leader = layout.leaderFrame(p);
      int follower = layout.followerFrame(p);
      if (leader >= 0
          && follower >= 0
          && !leftOut[index.diskOfFrame(leader)]
          && !leftOut[index.diskOfFrame(follower)]) {
        graph.add(index.diskOfFrame(leader), index.diskOfFrame(follower));
      }
    }
    System.arraycopy(graph.degree, 0, graph.fixed, 0, graph.degree.length);
    return graph;
  }

  int degree(int disk) {
    return degree[disk];
  }

  /** Number of edges added since the start. */
  int added(int disk) {
    return degree[disk] - fixed[disk];
  }

  /** The i-th disk whose edge was added since the start. */
  int addedNeighbour(int disk, int i) {
    return neighbours[disk][fixed[disk] + i];
  }

  boolean adjacent(int a, int b) {
    int disk = degree[a] <= degree[b] ? a : b;
    int other = disk == a ? b : a;
    for (int i = 0; i < degree[disk]; i++) {
      if (neighbours[disk][i] == other) {
        return true;
      }
    }
    return false;
  }

  void add(int a, int b) {
    append(a, b);
    append(b, a);
  }

  /** Takes out an edge that was added since the start. */
  void remove(int a, int b) {
    drop(a, b);
    drop(b, a);
  }

  private void append(int from, int to) {
    if (degree[from] == neighbours[from].length) {
      neighbours[from] = Arrays.copyOf(neighbours[from], 2 * degree[from]);
    }
    neighbours[from][degree[from]++] = to;
  }

  private void drop(int from, int to) {
    for (int i = fixed[from]; i < degree[from]; i++) {
      if (neighbours[from][i] == to) {
        neighbours[from][i] = neighbours[from][--degree[from]];
        return;
      }
    }
    throw new IllegalStateException(
        "Cannot take out an edge: disks="
            + from
            + ","
            + to
            + ", expected an edge added since the start");
  }
}
