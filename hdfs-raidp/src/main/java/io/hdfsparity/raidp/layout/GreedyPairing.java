/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.Arrays;
import java.util.Random;

/**
 * Finds pairs of disks such that each gets the number of superchunks that it wants, or as near as
 * it goes.
 *
 * <p>In the manner of Havel and Hakimi: the disk that wants most is paired with those that want
 * most next to it, among the disks of other groups that it does not share with. Only the group that
 * wants as much as all others together is served first, since only the others can serve it. What is
 * left open is closed by {@link PairingRepair}.
 *
 * <p>Not thread-safe; used once.
 */
final class GreedyPairing {
  private final ShapeIndex index;
  private final PairGraph graph;
  private final int[] need;
  private final int[][] members;
  private final long[] groupNeed;
  private final int[] nodeStamp;
  private final boolean[] stuck;
  private final Random random;

  /**
   * @param graph superchunks so far; pairs are added to it
   * @param need superchunks that each disk still wants; what stays open is left in it
   */
  GreedyPairing(ShapeIndex index, PairGraph graph, int[] need, Random random) {
    this.index = index;
    this.graph = graph;
    this.need = need;
    this.random = random;
    this.nodeStamp = new int[index.nodes()];
    this.stuck = new boolean[need.length];
    this.groupNeed = new long[index.groups()];
    this.members = new int[index.groups()][];
    int[] filled = new int[index.groups()];
    for (int g = 0; g < members.length; g++) {
      members[g] = new int[index.disksInGroup(g)];
    }
    for (int d = 0; d < need.length; d++) {
      int group = index.group(d);
      members[group][filled[group]++] = d;
    }
  }

  /** Adds pairs to the graph. */
  void run() {
    capLargestGroup();
    NeedBuckets buckets = new NeedBuckets(need);
    long total = sumNeeds();
    int[] picked = new int[buckets.top() + 1];
    int stamp = 0;
    while (buckets.top() > 0) {
      int largest = largestGroup();
      boolean tight = 2 * groupNeed[largest] >= total - 2L * buckets.top();
      int disk = tight ? neediest(largest) : anyOf(buckets, buckets.top());
      if (disk < 0) {
        disk = anyOf(buckets, buckets.top());
      }
      int count = pick(disk, buckets, picked, ++stamp);
      for (int i = 0; i < count; i++) {
        graph.add(disk, picked[i]);
        take(picked[i], 1);
        buckets.moveDown(picked[i], need[picked[i]]);
      }
      take(disk, count);
      // A disk that found too few will find no more: the others only get fewer.
      stuck[disk] = need[disk] > 0;
      buckets.moveDown(disk, 0);
      total -= 2L * count + need[disk];
      groupNeed[index.group(disk)] -= need[disk];
    }
  }

  private void take(int disk, int count) {
    need[disk] -= count;
    groupNeed[index.group(disk)] -= count;
  }

  private int anyOf(NeedBuckets buckets, int level) {
    return buckets.disk(level, random.nextInt(buckets.size(level)));
  }

  private int largestGroup() {
    int largest = 0;
    for (int g = 1; g < groupNeed.length; g++) {
      if (groupNeed[g] > groupNeed[largest]) {
        largest = g;
      }
    }
    return largest;
  }

  private int neediest(int group) {
    int[] disks = members[group];
    int start = random.nextInt(disks.length);
    int best = -1;
    for (int i = 0; i < disks.length; i++) {
      int disk = disks[(start + i) % disks.length];
      if (!stuck[disk] && need[disk] > 0 && (best < 0 || need[disk] > need[best])) {
        best = disk;
      }
    }
    return best;
  }

  /**
   * Chooses partners, the neediest first; among equals from different nodes first, so that nodes
   * share little.
   */
  private int pick(int disk, NeedBuckets buckets, int[] picked, int stamp) {
    int wanted = need[disk];
    int count = 0;
    for (int level = buckets.top(); level > 0 && count < wanted; level--) {
      int size = buckets.size(level);
      int start = size == 0 ? 0 : random.nextInt(size);
      int before = count;
      for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < size && count < wanted; i++) {
          int other = buckets.disk(level, (start + i) % size);
          boolean newNode = nodeStamp[index.node(other)] != stamp;
          if (newNode == (pass == 0)
              && index.mayPair(disk, other)
              && (newNode || !contains(picked, before, count, other))
              && !graph.adjacent(disk, other)) {
            picked[count++] = other;
            nodeStamp[index.node(other)] = stamp;
          }
        }
      }
    }
    return count;
  }

  private static boolean contains(int[] picked, int from, int to, int disk) {
    for (int i = from; i < to; i++) {
      if (picked[i] == disk) {
        return true;
      }
    }
    return false;
  }

  private long sumNeeds() {
    long total = 0;
    Arrays.fill(groupNeed, 0);
    for (int d = 0; d < need.length; d++) {
      total += need[d];
      groupNeed[index.group(d)] += need[d];
    }
    return total;
  }

  /** A group that wants more than all others can give gets what they can give, evenly. */
  private void capLargestGroup() {
    long total = sumNeeds();
    int largest = largestGroup();
    long rest = total - groupNeed[largest];
    if (groupNeed[largest] <= rest) {
      return;
    }
    int high = 0;
    for (int disk : members[largest]) {
      high = Math.max(high, graph.degree(disk) + need[disk]);
    }
    int low = 0;
    while (low < high) {
      int middle = (low + high + 1) / 2;
      if (upTo(members[largest], middle) <= rest) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long left = rest - upTo(members[largest], low);
    int start = random.nextInt(members[largest].length);
    for (int i = 0; i < members[largest].length; i++) {
      int disk = members[largest][(start + i) % members[largest].length];
      int capped = Math.min(need[disk], Math.max(0, low - graph.degree(disk)));
      boolean more = left > 0 && need[disk] > capped && graph.degree(disk) + capped <= low;
      left -= more ? 1 : 0;
      need[disk] = more ? capped + 1 : capped;
    }
  }

  private long upTo(int[] disks, int level) {
    long sum = 0;
    for (int disk : disks) {
      sum += Math.min(need[disk], Math.max(0, level - graph.degree(disk)));
    }
    return sum;
  }
}
