/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Whether the superchunks of failed disks find new disks by all rules: tried, not proved. A
 * survivor takes the least loaded of the disks that it may share with and does not; where all of
 * these are taken by pairs made in the same recovery, one of these moves out of the way.
 *
 * <p>Not thread-safe; used for one failure.
 */
final class PairRecovery {
  private static final int ATTEMPTS = 4;
  private static final int SAMPLES = 24;
  private static final int MAX_CASES = 200;

  private final PairTable table;
  private final int[] maxLoads;
  private final Set<Integer> failed;
  private final Random random;
  private final Map<Integer, Integer> more = new HashMap<>();
  private final Map<Long, Integer> made = new HashMap<>();

  private PairRecovery(PairTable table, int[] maxLoads, Set<Integer> failed, Random random) {
    this.table = table;
    this.maxLoads = maxLoads;
    this.failed = failed;
    this.random = random;
  }

  /**
   * Tries one disk, two disks that share a superchunk, and one node.
   *
   * @param maxLoads superchunks that each disk can hold
   * @param budgetMs when to stop, for each of the three
   */
  static List<RecoveryRoom> rooms(
      PairTable table, int[] maxLoads, long seed, long budgetMs, PlanProgress progress) {
    DiskMap disks = table.disks();
    IntFunction<Set<Integer>> pair =
        p -> new HashSet<>(List.of(table.lowerDisk(p), table.higherDisk(p)));
    IntFunction<Set<Integer>> node =
        n -> {
          Set<Integer> all = new HashSet<>();
          IntStream.range(disks.firstDisk(n), disks.firstDisk(n + 1)).forEach(all::add);
          return all;
        };
    List<RecoveryRoom> rooms = new ArrayList<>();
    Object[][] kinds = {
      {"one disk", disks.disks(), (IntFunction<Set<Integer>>) Set::of},
      {"two disks that share a superchunk", table.superchunks(), pair},
      {"one node", disks.nodes(), node}
    };
    for (Object[] kind : kinds) {
      @SuppressWarnings("unchecked")
      IntFunction<Set<Integer>> failure = (IntFunction<Set<Integer>>) kind[2];
      int possible = (int) kind[1];
      long end = System.nanoTime() + budgetMs * 1_000_000;
      int tries = Math.min(MAX_CASES, possible);
      int[] sample =
          possible <= MAX_CASES
              ? IntStream.range(0, possible).toArray()
              : new Random(seed).ints(0, possible).distinct().limit(tries).toArray();
      int tried = 0;
      int complete = 0;
      while (tried < tries && (tried == 0 || System.nanoTime() < end)) {
        progress.at("trying recoveries of " + kind[0], tried, tries);
        complete += recovers(table, maxLoads, failure.apply(sample[tried]), seed) ? 1 : 0;
        tried++;
      }
      rooms.add(new RecoveryRoom((String) kind[0], possible, tried, complete, 1));
    }
    return rooms;
  }

  static boolean recovers(PairTable table, int[] maxLoads, Set<Integer> failed, long seed) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (new PairRecovery(table, maxLoads, failed, new Random(seed + attempt)).run()) {
        return true;
      }
    }
    return false;
  }

  /** Survivors with the fewest choices first: those with most superchunks. */
  private boolean run() {
    List<Integer> survivors = new ArrayList<>();
    for (int disk : failed) {
      for (int i = 0; i < table.load(disk); i++) {
        int peer = table.peer(disk, i);
        if (!failed.contains(peer)) {
          survivors.add(peer);
        } else if (disk < peer && !placeLost()) {
          return false;
        }
      }
    }
    Collections.shuffle(survivors, random);
    for (int survivor : survivors) {
      if (!place(survivor) && !makeWay(survivor)) {
        return false;
      }
    }
    return true;
  }

  /** A superchunk that lost both disks is decoded onto a disk, which then is its survivor. */
  private boolean placeLost() {
    int all = table.disks().disks();
    int offset = random.nextInt(all);
    for (int i = 0; i < all; i++) {
      int disk = (i + offset) % all;
      if (!failed.contains(disk) && load(disk) < maxLoads[disk] && place(disk)) {
        more.merge(disk, 1, Integer::sum);
        return true;
      }
    }
    return false;
  }

  private boolean place(int survivor) {
    int all = table.disks().disks();
    int best = -1;
    for (int i = 0; i < SAMPLES; i++) {
      int disk = random.nextInt(all);
      if (isReceiver(survivor, disk) && (best < 0 || load(disk) < load(best))) {
        best = disk;
      }
    }
    int offset = random.nextInt(all);
    for (int i = 0; best < 0 && i < all; i++) {
      int disk = (i + offset) % all;
      best = isReceiver(survivor, disk) ? disk : -1;
    }
    if (best < 0) {
      return false;
    }
    give(survivor, best);
    return true;
  }

  /** A pair of this recovery that took the last receiver of a survivor looks for another one. */
  private boolean makeWay(int survivor) {
    for (Map.Entry<Long, Integer> pair : List.copyOf(made.entrySet())) {
      int receiver = pair.getValue();
      int low = (int) (pair.getKey() >> 32);
      int other = low == receiver ? (int) (long) pair.getKey() : low;
      take(other, receiver);
      if (place(survivor)) {
        if (place(other)) {
          return true;
        }
        return false;
      }
      give(other, receiver);
    }
    return false;
  }

  private boolean isReceiver(int survivor, int disk) {
    return !failed.contains(disk)
        && table.disks().mayPair(survivor, disk)
        && load(disk) < maxLoads[disk]
        && !made.containsKey(key(survivor, disk))
        && !table.shares(survivor, disk);
  }

  private int load(int disk) {
    return table.load(disk) + more.getOrDefault(disk, 0);
  }

  private void give(int survivor, int receiver) {
    made.put(key(survivor, receiver), receiver);
    more.merge(receiver, 1, Integer::sum);
  }

  private void take(int survivor, int receiver) {
    made.remove(key(survivor, receiver));
    more.merge(receiver, -1, Integer::sum);
  }

  private static long key(int a, int b) {
    return (long) Math.min(a, b) << 32 | Math.max(a, b);
  }
}
