/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/** How many superchunks disks can have at most when each wants a number. Pure. */
final class PairTargets {
  private PairTargets() {}

  /**
   * Wants that others can serve: at most a disk's peers, and in a group (node or rack) that wants
   * more than all others together, evenly what these can give.
   */
  static int[] reachable(DiskMap disks, int[] wanted) {
    int[] need = new int[wanted.length];
    long[] ofGroup = new long[disks.groups()];
    long total = 0;
    for (int d = 0; d < need.length; d++) {
      need[d] = Math.min(wanted[d], disks.peers(d));
      ofGroup[disks.group(d)] += need[d];
      total += need[d];
    }
    int largest = 0;
    for (int g = 1; g < ofGroup.length; g++) {
      largest = ofGroup[g] > ofGroup[largest] ? g : largest;
    }
    if (ofGroup.length > 0 && ofGroup[largest] > total - ofGroup[largest]) {
      cap(disks, need, largest, total - ofGroup[largest]);
    }
    return need;
  }

  private static void cap(DiskMap disks, int[] need, int group, long most) {
    int low = 0;
    int high = 0;
    for (int d = 0; d < need.length; d++) {
      high = disks.group(d) == group ? Math.max(high, need[d]) : high;
    }
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (upTo(disks, need, group, middle) <= most) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    long left = most - upTo(disks, need, group, low);
    for (int d = 0; d < need.length; d++) {
      if (disks.group(d) == group && need[d] > low) {
        need[d] = left-- > 0 ? low + 1 : low;
      }
    }
  }

  private static long upTo(DiskMap disks, int[] need, int group, int level) {
    long sum = 0;
    for (int d = 0; d < need.length; d++) {
      sum += disks.group(d) == group ? Math.min(need[d], level) : 0;
    }
    return sum;
  }
}
