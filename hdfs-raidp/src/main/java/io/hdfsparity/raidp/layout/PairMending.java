/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Closes what {@link PairPlanner} left open: a pair (x, y) is replaced by (u, x) and (v, y) for two
 * disks u and v that want one more each; then single ends move from disks with many superchunks to
 * disks with two fewer. Where that leaves some open it is tried again with others open. Work is
 * bounded. Not thread-safe; used once.
 */
final class PairMending {
  private static final int RANDOM_TRIES = 1000;
  private static final int MAX_WALKS = 60;
  private static final int WALK_TRIES = 100;
  private static final long MAX_STEPS = 50_000_000L;

  private final DiskMap disks;
  private final int[] target;
  private final int[] from;
  private final int[] loads;
  private final int[] lists;
  private final Random random;
  private long steps;

  PairMending(DiskMap disks, int[] target, int[] from, int[] loads, int[] lists, Random random) {
    this.disks = disks;
    this.target = target;
    this.from = from;
    this.loads = loads;
    this.lists = lists;
    this.random = random;
  }

  void run() {
    settle();
    for (int i = 0; i < MAX_WALKS && steps < MAX_STEPS && missing() >= 2; i++) {
      walk();
      settle();
    }
  }

  private void settle() {
    boolean changed = true;
    while (changed && steps < MAX_STEPS) {
      changed = close();
      changed |= level();
    }
  }

  private long missing() {
    long missing = 0;
    for (int d = 0; d < loads.length; d++) {
      missing += target[d] - loads[d];
    }
    return missing;
  }

  /** Lets disks that lack a superchunk take one from others, so that the lack is elsewhere. */
  private void walk() {
    for (int u : open()) {
      for (int i = 0; i < WALK_TRIES; i++) {
        int x = random.nextInt(loads.length);
        if (loads[x] > 0 && free(u, x)) {
          remove(x, lists[from[x] + random.nextInt(loads[x])]);
          add(u, x);
          break;
        }
      }
    }
  }

  private boolean wants(int disk) {
    return loads[disk] < target[disk];
  }

  private List<Integer> open() {
    List<Integer> open = new ArrayList<>();
    for (int d = 0; d < loads.length; d++) {
      if (wants(d)) {
        open.add(d);
      }
    }
    return open;
  }

  private boolean close() {
    List<Integer> open = open();
    boolean changed = false;
    for (int u : open) {
      for (int v : open) {
        if (u < v && wants(u) && wants(v) && free(u, v)) {
          add(u, v);
          changed = true;
        }
      }
    }
    for (int u : open) {
      for (int v : open) {
        while (u <= v
            && wants(u)
            && wants(v)
            && (u != v || target[u] - loads[u] >= 2)
            && steps < MAX_STEPS
            && swap(u, v)) {
          changed = true;
        }
      }
    }
    return changed;
  }

  private boolean swap(int u, int v) {
    for (int i = 0; i < RANDOM_TRIES; i++) {
      int x = random.nextInt(loads.length);
      if (loads[x] > 0 && exchange(u, v, x, lists[from[x] + random.nextInt(loads[x])])) {
        return true;
      }
    }
    int offset = random.nextInt(loads.length);
    for (int i = 0; i < loads.length && steps < MAX_STEPS; i++) {
      int x = (i + offset) % loads.length;
      if (x == u || !free(u, x)) {
        continue;
      }
      for (int j = 0; j < loads[x]; j++) {
        if (exchange(u, v, x, lists[from[x] + j])) {
          return true;
        }
      }
    }
    return false;
  }

  private boolean exchange(int u, int v, int x, int y) {
    if (!free(u, x) || !free(v, y)) {
      return false;
    }
    remove(x, y);
    add(u, x);
    add(v, y);
    return true;
  }

  /** Moves an end of a pair to a disk that has two fewer and wants more. */
  private boolean level() {
    boolean changed = false;
    for (int low : open()) {
      boolean moved = true;
      while (moved && wants(low) && steps < MAX_STEPS) {
        moved = takeOver(low);
        changed |= moved;
      }
    }
    return changed;
  }

  private boolean takeOver(int low) {
    int offset = random.nextInt(loads.length);
    for (int i = 0; i < loads.length; i++) {
      int high = (i + offset) % loads.length;
      if (loads[high] < loads[low] + 2) {
        continue;
      }
      for (int j = 0; j < loads[high]; j++) {
        int peer = lists[from[high] + j];
        if (free(low, peer)) {
          remove(high, peer);
          add(low, peer);
          return true;
        }
      }
    }
    return false;
  }

  private boolean free(int a, int b) {
    if (!disks.mayPair(a, b)) {
      return false;
    }
    int disk = loads[a] <= loads[b] ? a : b;
    int other = disk == a ? b : a;
    steps += 1 + loads[disk];
    for (int i = 0; i < loads[disk]; i++) {
      if (lists[from[disk] + i] == other) {
        return false;
      }
    }
    return true;
  }

  private void add(int a, int b) {
    lists[from[a] + loads[a]++] = b;
    lists[from[b] + loads[b]++] = a;
  }

  private void remove(int a, int b) {
    drop(a, b);
    drop(b, a);
  }

  private void drop(int disk, int peer) {
    int last = from[disk] + --loads[disk];
    for (int at = from[disk]; at < last; at++) {
      if (lists[at] == peer) {
        lists[at] = lists[last];
        return;
      }
    }
  }
}
