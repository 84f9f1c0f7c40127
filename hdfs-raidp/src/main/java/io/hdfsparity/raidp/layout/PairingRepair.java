/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Closes what {@link GreedyPairing} left open: a new pair (x, y) is replaced by (u, x) and (v, y)
 * for two disks u and v that want one more each; then single ends of new pairs move from disks with
 * many superchunks to disks with two fewer.
 *
 * <p>Work is bounded by a number of steps, so that a shape on which nothing can be closed does not
 * hold the caller up.
 */
final class PairingRepair {
  private static final long MAX_STEPS = 100_000_000L;

  private final ShapeIndex index;
  private final PairGraph graph;
  private long steps;

  PairingRepair(ShapeIndex index, PairGraph graph) {
    this.index = index;
    this.graph = graph;
  }

  /**
   * Adds pairs and evens out until neither finds anything.
   *
   * @param target most superchunks that each disk may get
   */
  void run(int[] target) {
    boolean changed = true;
    while (changed && steps < MAX_STEPS) {
      changed = close(target);
      changed |= evenOut(target);
    }
  }

  /**
   * Adds pairs of disks below their target, first where they may pair, then where a swap lets them.
   */
  private boolean close(int[] target) {
    List<Integer> open = openOf(target);
    boolean added = false;
    for (int u : open) {
      for (int v : open) {
        if (wants(u, target) && wants(v, target) && free(u, v)) {
          graph.add(u, v);
          added = true;
        }
      }
    }
    for (int u : open) {
      for (int v : open) {
        while (wants(u, target)
            && wants(v, target)
            && (u != v || target[u] - graph.degree(u) > 1)
            && swapIn(u, v)) {
          added = true;
        }
      }
    }
    return added;
  }

  private boolean wants(int disk, int[] target) {
    return graph.degree(disk) < target[disk];
  }

  private List<Integer> openOf(int[] target) {
    List<Integer> open = new ArrayList<>();
    for (int d = 0; d < target.length; d++) {
      if (wants(d, target)) {
        open.add(d);
      }
    }
    return open;
  }

  private boolean swapIn(int u, int v) {
    for (int x = 0; x < index.diskCount() && steps < MAX_STEPS; x++) {
      if (x == v || !free(u, x)) {
        continue;
      }
      for (int i = 0; i < graph.added(x); i++) {
        int y = graph.addedNeighbour(x, i);
        if (y != u && free(v, y)) {
          graph.remove(x, y);
          graph.add(u, x);
          graph.add(v, y);
          return true;
        }
      }
    }
    return false;
  }

  private boolean free(int a, int b) {
    steps++;
    if (a == b || !index.mayPair(a, b)) {
      return false;
    }
    steps += Math.min(graph.degree(a), graph.degree(b));
    return !graph.adjacent(a, b);
  }

  /**
   * Moves ends of pairs until no disk below its target has two fewer than one it could take one
   * from.
   */
  private boolean evenOut(int[] target) {
    boolean any = false;
    boolean moved = true;
    while (moved && steps < MAX_STEPS) {
      moved = false;
      int max = 0;
      for (int d = 0; d < target.length; d++) {
        max = Math.max(max, graph.degree(d));
      }
      for (int b = 0; b < target.length && steps < MAX_STEPS; b++) {
        if (graph.degree(b) < target[b] && graph.degree(b) + 2 <= max) {
          moved |= takeOne(b);
        }
      }
      any |= moved;
    }
    return any;
  }

  private boolean takeOne(int b) {
    int bestFrom = -1;
    int bestEnd = -1;
    for (int x = 0; x < index.diskCount() && steps < MAX_STEPS; x++) {
      if (graph.added(x) == 0 || !free(b, x)) {
        continue;
      }
      for (int i = 0; i < graph.added(x); i++) {
        steps++;
        int a = graph.addedNeighbour(x, i);
        if (graph.degree(a) >= graph.degree(b) + 2
            && (bestFrom < 0 || graph.degree(a) > graph.degree(bestFrom))) {
          bestFrom = a;
          bestEnd = x;
        }
      }
    }
    if (bestFrom < 0) {
      return false;
    }
    graph.remove(bestFrom, bestEnd);
    graph.add(b, bestEnd);
    return true;
  }
}
