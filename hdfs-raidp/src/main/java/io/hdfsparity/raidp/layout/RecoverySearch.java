/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Places items by rounds of min-cost matching (paper section 3.3). In a round a receiver is matched
 * once; of two matched pairs that would make the same two disks share twice the costlier is
 * dropped, and the dropped ones are matched again with edges and costs brought up to date. What is
 * stuck at the end moves others out of its way.
 *
 * <p>Not thread-safe; leaves its result in the state.
 */
final class RecoverySearch {
  private static final int MAX_EJECTIONS = 3;
  private static final int MAX_STEPS = 2_000_000;

  /** Looks at items while one makes its way: a fraction of a second. */
  private static final long MAX_LOOKS = 200_000_000;

  private final RecoveryState state;
  private final Random random;
  private int steps;
  private long looks;

  RecoverySearch(RecoveryState state, Random random) {
    this.state = state;
    this.random = random;
  }

  /** Places as many items as it can. */
  void run() {
    chooseRebuilders();
    List<Integer> pending = new ArrayList<>();
    for (int item = 0; item < state.items(); item++) {
      if (state.sender(item) != RecoveryState.NONE) {
        pending.add(item);
      }
    }
    Collections.shuffle(pending, random);
    boolean progress = true;
    while (progress && !pending.isEmpty()) {
      progress = round(pending);
    }
    steps = 0;
    looks = 0;
    for (int item : pending) {
      makeWay(item, MAX_EJECTIONS, new boolean[state.items()]);
    }
  }

  /** Each lost superchunk goes to the cheapest disk that can still find a partner for it. */
  private void chooseRebuilders() {
    int[] rebuilds = new int[state.diskCount()];
    for (int item = 0; item < state.items(); item++) {
      if (!state.isLost(item)) {
        continue;
      }
      int best = RecoveryState.NONE;
      for (int disk : byCost()) {
        if ((best < 0 || rebuilds[disk] < rebuilds[best]) && hasPartner(disk)) {
          best = disk;
        }
      }
      List<Integer> roomy = byCost();
      if (best < 0 && !roomy.isEmpty()) {
        best = roomy.get(0);
      }
      if (best >= 0) {
        rebuilds[best]++;
        state.rebuildAt(item, best);
      }
    }
  }

  private boolean hasPartner(int disk) {
    for (int other = 0; other < state.diskCount(); other++) {
      if (state.legal(disk, other)) {
        return true;
      }
    }
    return false;
  }

  /**
   * One round of receivers; takes what it places from the list. As many items are matched at a time
   * as {@link ReceiverMatching} takes, with the receivers that are left.
   */
  private boolean round(List<Integer> pending) {
    boolean[] used = new boolean[state.diskCount()];
    boolean placedAny = false;
    boolean again = true;
    while (again && !pending.isEmpty()) {
      boolean placed = false;
      for (int from = 0; from < pending.size(); ) {
        List<Integer> receivers = byCost();
        receivers.removeIf(disk -> used[disk]);
        if (receivers.isEmpty()) {
          break;
        }
        int to = Math.min(pending.size(), from + ReceiverMatching.maxSenders(receivers.size()));
        placed |= place(pending.subList(from, to), receivers, used);
        from = to;
      }
      pending.removeIf(item -> state.receiver(item) != RecoveryState.NONE);
      placedAny |= placed;
      again = placed;
    }
    return placedAny;
  }

  /** Matches items with receivers, and places those that are legal beside each other. */
  private boolean place(List<Integer> items, List<Integer> receivers, boolean[] used) {
    int[] match =
        ReceiverMatching.match(
            items.size(),
            receivers.size(),
            (s, r) -> state.legal(state.sender(items.get(s)), receivers.get(r)));
    int[] itemOf = new int[receivers.size()];
    Arrays.fill(itemOf, RecoveryState.NONE);
    for (int s = 0; s < match.length; s++) {
      if (match[s] >= 0) {
        itemOf[match[s]] = items.get(s);
      }
    }
    boolean placed = false;
    for (int r = 0; r < itemOf.length; r++) {
      if (itemOf[r] >= 0 && state.legal(state.sender(itemOf[r]), receivers.get(r))) {
        state.place(itemOf[r], receivers.get(r));
        used[receivers.get(r)] = true;
        placed = true;
      }
    }
    return placed;
  }

  /** Disks with room, the least loaded first; among equals in turn from different nodes. */
  private List<Integer> byCost() {
    List<Integer> disks = new ArrayList<>();
    for (int disk = 0; disk < state.diskCount(); disk++) {
      if (state.hasRoom(disk)) {
        disks.add(disk);
      }
    }
    Collections.shuffle(disks, random);
    Map<CostOfNode, Integer> seen = new HashMap<>();
    Map<Integer, Integer> turn = new HashMap<>();
    for (int disk : disks) {
      turn.put(
          disk, seen.merge(new CostOfNode(state.cost(disk), state.node(disk)), 1, Integer::sum));
    }
    disks.sort(Comparator.<Integer>comparingLong(state::cost).thenComparingInt(turn::get));
    return disks;
  }

  private record CostOfNode(long cost, int node) {}

  /** Places an item, if need be by moving others that this recovery has placed. */
  private boolean makeWay(int item, int ejections, boolean[] moved) {
    int from = state.sender(item);
    for (int to = 0; to < state.diskCount(); to++) {
      if (state.legal(from, to)) {
        state.place(item, to);
        return true;
      }
    }
    if (ejections == 0) {
      return false;
    }
    moved[item] = true;
    for (int to = 0; to < state.diskCount(); to++) {
      if (looks > MAX_LOOKS) {
        return false;
      }
      if (!state.mayShare(from, to)) {
        continue;
      }
      for (int other : inTheWay(from, to)) {
        if (steps++ > MAX_STEPS) {
          return false;
        }
        if (!moved[other] && ejectFor(item, to, other, ejections, moved)) {
          return true;
        }
      }
    }
    moved[item] = false;
    return false;
  }

  private List<Integer> inTheWay(int from, int to) {
    looks += state.items();
    List<Integer> items = new ArrayList<>();
    if (state.sharing(from, to)) {
      int between = state.itemBetween(from, to);
      if (between >= 0) {
        items.add(between);
      }
      return items;
    }
    for (int i = 0; i < state.items(); i++) {
      if (state.receiver(i) == to) {
        items.add(i);
      }
    }
    return items;
  }

  private boolean ejectFor(int item, int to, int other, int ejections, boolean[] moved) {
    int otherTo = state.receiver(other);
    state.unplace(other);
    if (state.legal(state.sender(item), to)) {
      state.place(item, to);
      if (makeWay(other, ejections - 1, moved)) {
        return true;
      }
      state.unplace(item);
    }
    state.place(other, otherTo);
    return false;
  }
}
