/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Whether the cluster gets fully redundant again on the disks that are left, found out by planning recoveries: of all
 * cases where there are few, of a sample where there are many.
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

  /** Whether all cases tried recover fully. */
  public boolean always() {
    return tried > 0 && tried == complete;
  }

  /** Tries one disk, two disks that share a superchunk, and one node. */
  static List<RecoveryRoom> of(Layout layout, long seed) {
    List<Set<DiskId>> disks = new ArrayList<>();
    layout.shape().disks().forEach(disk -> disks.add(Set.of(disk.id())));
    List<Set<DiskId>> pairs = new ArrayList<>();
    for (SuperchunkPair pair : layout.pairs()) {
      pairs.add(Set.of(layout.shape().diskOf(pair.leader()).orElseThrow().id(),
          layout.shape().diskOf(pair.follower()).orElseThrow().id()));
    }
    List<Set<DiskId>> nodes = new ArrayList<>(layout.shape().disks().stream()
        .collect(Collectors.groupingBy(
            Disk::node, TreeMap::new, Collectors.mapping(Disk::id, Collectors.toSet())))
        .values());
    return List.of(attempt("one disk", layout, disks, seed),
        attempt("two disks that share a superchunk", layout, pairs, seed),
        attempt("one node", layout, nodes, seed));
  }

  private static RecoveryRoom attempt(
      String name, Layout layout, List<Set<DiskId>> failures, long seed) {
    long frames = 1 + layout.shape().disks().stream().mapToLong(d -> d.frames().size()).sum();
    int tries = (int) Math.max(1, Math.min(MAX_TRIES, FRAMES_TO_VISIT / frames));
    List<Set<DiskId>> sample = new ArrayList<>(failures);
    if (failures.size() > tries) {
      Collections.shuffle(sample, new Random(seed));
      sample = sample.subList(0, tries);
    }
    int complete = 0;
    int rounds = 0;
    for (Set<DiskId> failed : sample) {
      RecoveryPlan plan = RecoveryPlanner.plan(RecoveryRequest.of(layout, new HashSet<>(failed)));
      complete += plan.isComplete() ? 1 : 0;
      rounds = Math.max(rounds, plan.rounds().size());
    }
    return new RecoveryRoom(name, failures.size(), sample.size(), complete, rounds);
  }
}
