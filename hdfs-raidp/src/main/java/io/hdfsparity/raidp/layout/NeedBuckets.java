/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

/**
 * Disks sorted by how many superchunks they still want; constant time to move one. Not thread-safe.
 */
final class NeedBuckets {
  private final int[][] buckets;
  private final int[] sizes;
  private final int[] position;
  private final int[] level;
  private int top;

  NeedBuckets(int[] need) {
    int max = 0;
    for (int n : need) {
      max = Math.max(max, n);
    }
    int[] counts = new int[max + 1];
    for (int n : need) {
      counts[n]++;
    }
    // A disk only ever moves down, so a bucket holds at most the disks that started at its level or
    // above.
    buckets = new int[max + 1][];
    sizes = new int[max + 1];
    int above = 0;
    for (int n = max; n >= 0; n--) {
      above += counts[n];
      buckets[n] = new int[n == 0 ? 0 : above];
    }
    position = new int[need.length];
    level = new int[need.length];
    for (int d = 0; d < need.length; d++) {
      put(d, need[d]);
    }
    top = max;
  }

  /** Highest level with a disk; 0 when none wants anything. */
  int top() {
    while (top > 0 && sizes[top] == 0) {
      top--;
    }
    return top;
  }

  int size(int atLevel) {
    return sizes[atLevel];
  }

  int disk(int atLevel, int i) {
    return buckets[atLevel][i];
  }

  /** Moves a disk down to a level; level 0 takes it out. */
  void moveDown(int disk, int toLevel) {
    int from = level[disk];
    int last = buckets[from][--sizes[from]];
    buckets[from][position[disk]] = last;
    position[last] = position[disk];
    put(disk, toLevel);
  }

  private void put(int disk, int toLevel) {
    level[disk] = toLevel;
    if (toLevel > 0) {
      position[disk] = sizes[toLevel];
      buckets[toLevel][sizes[toLevel]++] = disk;
    }
  }
}
