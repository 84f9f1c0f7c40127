/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Whether the cluster gets fully redundant again on the disks that are left, found out by planning
 * recoveries: of all cases where there are few, of a sample where there are many.
 *
 * @param cases what failed, for example "one disk"
 * @param possible number of such cases
 * @param tried cases planned
 * @param complete cases after which every superchunk had two replicas again
 * @param rounds most rounds that a case took
 */
public record RecoveryRoom(String cases, int possible, int tried, int complete, int rounds) {
  private static final int FRAMES_TO_VISIT = 1_000_000;
  private static final int MAX_TRIES = 200;
  private static final long BUDGET_NANOS = 10_000_000_000L;

  /** Whether all cases tried recover fully. */
  public boolean always() {
    return tried > 0 && tried == complete;
  }

  /** Tries one disk, two disks that share a superchunk, and one node. */
  static List<RecoveryRoom> of(Layout layout, long seed, PlanProgress progress) {
    List<Disk> disks = layout.shape().disks();
    List<SuperchunkPair> pairs = layout.pairs();
    List<Set<DiskId>> nodes =
        new ArrayList<>(
            disks.stream()
                .collect(
                    Collectors.groupingBy(
                        Disk::node, TreeMap::new, Collectors.mapping(Disk::id, Collectors.toSet())))
                .values());
    return List.of(
        attempt("one disk", layout, disks.size(), i -> Set.of(disks.get(i).id()), seed, progress),
        attempt(
            "two disks that share a superchunk",
            layout,
            pairs.size(),
            i ->
                Set.of(
                    layout.shape().diskOf(pairs.get(i).leader()).orElseThrow().id(),
                    layout.shape().diskOf(pairs.get(i).follower()).orElseThrow().id()),
            seed,
            progress),
        attempt("one node", layout, nodes.size(), nodes::get, seed, progress));
  }

  private static RecoveryRoom attempt(
      String name,
      Layout layout,
      int possible,
      IntFunction<Set<DiskId>> failure,
      long seed,
      PlanProgress progress) {
    int frames = 1 + layout.shape().index().frameCount();
    int tries = Math.max(1, Math.min(MAX_TRIES, FRAMES_TO_VISIT / frames));
    int[] sample =
        possible <= tries
            ? IntStream.range(0, possible).toArray()
            : new Random(seed).ints(0, possible).distinct().limit(tries).toArray();
    int complete = 0;
    int rounds = 0;
    int tried = 0;
    long start = System.nanoTime();
    for (int i : sample) {
      if (tried > 0 && System.nanoTime() - start > BUDGET_NANOS) {
        break;
      }
      progress.at("trying recoveries of " + name, tried++, sample.length);
      RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(layout, failure.apply(i)));
      complete += plan.isComplete() ? 1 : 0;
      rounds = Math.max(rounds, plan.rounds().size());
    }
    return new RecoveryRoom(name, possible, tried, complete, rounds);
  }
}
