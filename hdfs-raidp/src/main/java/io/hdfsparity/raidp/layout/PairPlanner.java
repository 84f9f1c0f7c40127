/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;
import java.util.Random;

/**
 * Pairs the disks of a new cluster, on int arrays: millions of superchunks in seconds.
 *
 * <p>Nodes are served one after the other, those of the group that wants most first. What a node
 * wants is spread over all nodes that come after it, in proportion to what each of these wants from
 * every node that is left for it, and there over the disks that want most. So the wants of all stay
 * level to the end, and two nodes share as many superchunks as any other two, give or take one. A
 * node and one that comes after it share nothing before, so that 1-sharing only asks that each disk
 * of the node takes a disk of the other once. {@link PairMending} closes what is left in the end.
 *
 * <p>Not thread-safe; used once.
 */
final class PairPlanner {
  private static final int INDEX_BITS = 18;
  private static final int TIE_BITS = 16;
  private static final int REST_BITS = 28;
  private static final int NODES_A_STEP = 256;

  private final DiskMap disks;
  private final int[] need;
  private final Random random;
  private final long[] needOfNode;
  private final long[] needOfGroup;
  private final boolean[] served;
  private final int[] from;
  private final int[] loads;
  private final int[] lists;
  private final long[] keys;
  private final long[] quota;
  private final int[] taken;
  private final int[] stamp;
  private int stamps;

  private PairPlanner(DiskMap disks, int[] wanted, Random random) {
    this.disks = disks;
    this.random = random;
    this.need = PairTargets.reachable(disks, wanted);
    int nodes = disks.nodes();
    needOfNode = new long[nodes];
    needOfGroup = new long[disks.groups()];
    served = new boolean[nodes];
    loads = new int[need.length];
    from = new int[need.length];
    int ends = 0;
    int mostDisks = 0;
    for (int d = 0; d < need.length; d++) {
      from[d] = ends;
      ends = Math.addExact(ends, need[d]);
      needOfNode[disks.node(d)] += need[d];
      needOfGroup[disks.group(d)] += need[d];
    }
    for (int n = 0; n < nodes; n++) {
      mostDisks = Math.max(mostDisks, disks.firstDisk(n + 1) - disks.firstDisk(n));
    }
    lists = new int[ends];
    keys = new long[nodes];
    quota = new long[nodes];
    taken = new int[mostDisks];
    stamp = new int[need.length];
  }

  /**
   * Plans.
   *
   * @param wanted superchunks that each disk may have at most
   * @param seed same disks, same wants, same seed: same table
   */
  static PairTable plan(DiskMap disks, int[] wanted, long seed, PlanProgress progress) {
    if (disks.nodes() >= 1 << INDEX_BITS) {
      throw new IllegalArgumentException(
          "Cannot pair disks: nodes=" + disks.nodes() + ", expected fewer than 2^" + INDEX_BITS);
    }
    PairPlanner planner = new PairPlanner(disks, wanted, new Random(seed));
    int[] target = planner.need.clone();
    planner.run(progress);
    new PairMending(disks, target, planner.from, planner.loads, planner.lists, planner.random)
        .run();
    return PairTable.of(disks, planner.from, planner.loads, planner.lists);
  }

  private void run(PlanProgress progress) {
    for (int done = 0; done < disks.nodes(); done++) {
      if (done % NODES_A_STEP == 0) {
        progress.at("pairing disks", done, disks.nodes());
      }
      int node = next();
      serve(node);
      served[node] = true;
      needOfGroup[disks.groupOfNode(node)] -= needOfNode[node];
      needOfNode[node] = 0;
    }
  }

  /** The node that wants most of the group that wants most. */
  private int next() {
    int group = -1;
    int best = -1;
    int offset = random.nextInt(disks.nodes());
    for (int i = 0; i < disks.nodes(); i++) {
      int node = (i + offset) % disks.nodes();
      if (served[node]) {
        continue;
      }
      int other = disks.groupOfNode(node);
      if (best < 0
          || needOfGroup[other] > needOfGroup[group]
          || (other == group && needOfNode[node] > needOfNode[best])) {
        group = other;
        best = node;
      }
    }
    return best;
  }

  private void serve(int node) {
    int first = disks.firstDisk(node);
    int past = disks.firstDisk(node + 1);
    int rows = 0;
    for (int d = first; d < past; d++) {
      rows += need[d] > 0 ? 1 : 0;
    }
    if (rows == 0) {
      return;
    }
    int candidates = share(node);
    int offset = random.nextInt(Math.max(1, candidates));
    for (int i = 0; i < candidates; i++) {
      int other = (int) (keys[(i + offset) % candidates] & ((1L << INDEX_BITS) - 1));
      if (quota[other] > 0) {
        give(node, other, quota[other], rows);
      }
    }
  }

  /** Sets how many superchunks the node gets with each other; these are in {@code keys}. */
  private int share(int node) {
    int[] open = new int[needOfGroup.length];
    int all = 0;
    for (int m = 0; m < disks.nodes(); m++) {
      if (!served[m] && needOfNode[m] > 0) {
        open[disks.groupOfNode(m)]++;
        all++;
      }
    }
    long offered = 0;
    double weights = 0;
    int candidates = 0;
    int group = disks.groupOfNode(node);
    for (int m = 0; m < disks.nodes(); m++) {
      int other = disks.groupOfNode(m);
      if (!served[m] && needOfNode[m] > 0 && other != group) {
        offered += needOfNode[m];
        weights += (double) needOfNode[m] / (all - open[other]);
        keys[candidates++] = m;
      }
    }
    long left = Math.min(needOfNode[node], offered);
    double scale = left / weights;
    for (int i = 0; i < candidates; i++) {
      int m = (int) keys[i];
      double exact = scale * needOfNode[m] / (all - open[disks.groupOfNode(m)]);
      quota[m] = (long) exact;
      left -= quota[m];
      long rest = (long) ((exact - quota[m]) * (1 << REST_BITS));
      keys[i] = (rest << TIE_BITS | random.nextInt(1 << TIE_BITS)) << INDEX_BITS | m;
    }
    Arrays.sort(keys, 0, candidates);
    for (int i = candidates - 1; i >= 0 && left > 0; i--, left--) {
      quota[(int) (keys[i] & ((1L << INDEX_BITS) - 1))]++;
    }
    return candidates;
  }

  /** Makes so many superchunks of two nodes, if they can be had. */
  private void give(int node, int other, long count, int rows) {
    int first = disks.firstDisk(other);
    int size = disks.firstDisk(other + 1) - first;
    Arrays.fill(taken, 0, size, 0);
    int offset = random.nextInt(size);
    long left = count;
    boolean found = true;
    while (left > 0 && found) {
      int best = -1;
      for (int i = 0; i < size; i++) {
        int e = (i + offset) % size;
        int open = need[first + e] - taken[e];
        if (open > 0 && taken[e] < rows && (best < 0 || open > need[first + best] - taken[best])) {
          best = e;
        }
      }
      found = best >= 0;
      if (found) {
        taken[best]++;
        left--;
      }
    }
    for (int e = 0; e < size; e++) {
      stamps++;
      for (int i = 0; i < taken[e]; i++) {
        int disk = neediest(node);
        if (disk < 0) {
          break;
        }
        stamp[disk] = stamps;
        add(disk, first + e);
      }
    }
  }

  private int neediest(int node) {
    int first = disks.firstDisk(node);
    int size = disks.firstDisk(node + 1) - first;
    int offset = random.nextInt(size);
    int best = -1;
    for (int i = 0; i < size; i++) {
      int disk = first + (i + offset) % size;
      if (need[disk] > 0 && stamp[disk] != stamps && (best < 0 || need[disk] > need[best])) {
        best = disk;
      }
    }
    return best;
  }

  private void add(int a, int b) {
    lists[from[a] + loads[a]++] = b;
    lists[from[b] + loads[b]++] = a;
    need[a]--;
    need[b]--;
    needOfNode[disks.node(a)]--;
    needOfNode[disks.node(b)]--;
    needOfGroup[disks.group(a)]--;
    needOfGroup[disks.group(b)]--;
  }
}
