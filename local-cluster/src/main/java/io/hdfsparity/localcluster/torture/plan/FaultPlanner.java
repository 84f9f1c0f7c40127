/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** Draws the faults of a run from its seed. Pure; used by one thread. */
public final class FaultPlanner {
  /** Time without faults, in milliseconds: at the beginning and the end, and between episodes. */
  private static final int QUIET_MS = 8_000;

  private static final int MAX_MORE_QUIET_MS = 8_000;

  private static final int MIN_HOLD_MS = 2_000;

  /** Longer than it takes until a DataNode counts as dead (16 s). */
  private static final int MAX_HOLD_MS = 24_000;

  private final Random random;
  private final List<FaultKind> kinds;
  private final List<FaultKind> left = new ArrayList<>();

  private FaultPlanner(long seed, Set<FaultKind> kinds) {
    this.random = new Random(seed);
    this.kinds = List.copyOf(new TreeSet<>(kinds));
  }

  /**
   * Draws a schedule; no faults if there are no kinds, and if time is too short for one.
   *
   * @param minutes at least 1
   * @param nodes number of DataNodes
   */
  public static Schedule plan(
      long seed, int minutes, Set<Feature> features, Set<FaultKind> kinds, int nodes) {
    List<Episode> episodes =
        kinds.isEmpty()
            ? List.of()
            : new FaultPlanner(seed, kinds)
                .episodes(minutes * 60_000L, Feature.maxAway(features), nodes);
    return new Schedule(seed, minutes, features, nodes, episodes);
  }

  private List<Episode> episodes(long durationMs, int maxAway, int nodes) {
    List<Episode> episodes = new ArrayList<>();
    long beginMs = QUIET_MS;
    while (true) {
      long holdMs = (long) MIN_HOLD_MS + random.nextInt(MAX_HOLD_MS - MIN_HOLD_MS);
      if (beginMs + holdMs + QUIET_MS > durationMs) {
        return episodes;
      }
      episodes.add(new Episode(beginMs, holdMs, faults(maxAway, nodes)));
      beginMs += holdMs + QUIET_MS + random.nextInt(MAX_MORE_QUIET_MS);
    }
  }

  private List<Fault> faults(int maxAway, int nodes) {
    List<Integer> victims = new ArrayList<>(IntStream.range(0, nodes).boxed().toList());
    Collections.shuffle(victims, random);
    List<Fault> faults = new ArrayList<>();
    boolean hasOther = false;
    int count = 1 + random.nextInt(maxAway);
    for (int i = 0; i < count; i++) {
      FaultKind kind = nextKind();
      if (kind.takesDataNode()) {
        faults.add(new Fault(kind, victims.get(i)));
      } else if (!hasOther) {
        faults.add(new Fault(kind, 0));
        hasOther = true;
      }
    }
    return faults;
  }

  /** Each kind once in a random order, and again: none is left out by chance. */
  private FaultKind nextKind() {
    if (left.isEmpty()) {
      left.addAll(kinds);
      Collections.shuffle(left, random);
    }
    return left.remove(left.size() - 1);
  }
}
