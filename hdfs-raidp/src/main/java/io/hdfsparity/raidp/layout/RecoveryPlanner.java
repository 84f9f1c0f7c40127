/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Plans the recovery from failed disks (paper section 3.3): a pure function of the request.
 *
 * <p>Lost superchunks, both of whose frames are dead, first get a disk on which they are rebuilt;
 * then they, like every degraded superchunk, get a receiver by {@link RecoverySearch}. Where that
 * leaves some open and the case is small, {@link RecoveryBacktracking} tries everything. Whole
 * superchunks move, never single blocks.
 */
public final class RecoveryPlanner {
  private static final int ATTEMPTS = 4;
  private static final int SMALL = 64;
  private static final int MAX_BACKTRACKS = 200_000;

  private final RecoveryRequest request;
  private final ShapeIndex index;
  private final boolean[] failed;
  private final List<SuperchunkPair> healthy = new ArrayList<>();
  private final List<SuperchunkPair> degraded = new ArrayList<>();
  private final List<SuperchunkPair> lostPairs = new ArrayList<>();
  private final List<LostSuperchunks.Lost> lost = new ArrayList<>();
  private final List<RecoveryPlan.Unplaceable> unplaceable = new ArrayList<>();

  private RecoveryPlanner(RecoveryRequest request) {
    this.request = request;
    this.index = request.layout().shape().index();
    this.failed = marks(request.failedDisks());
    for (int p = 0; p < request.layout().pairs().size(); p++) {
      SuperchunkPair pair = request.layout().pairs().get(p);
      boolean leaderDead = isDead(request.layout().leaderFrame(p));
      boolean followerDead = isDead(request.layout().followerFrame(p));
      if (leaderDead != followerDead && request.postponed().contains(pair.id())) {
        continue;
      }
      (leaderDead && followerDead ? lostPairs : leaderDead || followerDead ? degraded : healthy)
          .add(pair);
    }
  }

  /**
   * Plans a recovery; every superchunk with a dead frame is in the plan's moves or among its
   * unplaceable ones, but for those that are postponed.
   */
  public static RecoveryPlan plan(RecoveryRequest request) {
    return new RecoveryPlanner(request).plan();
  }

  private RecoveryPlan plan() {
    boolean[] readable = new boolean[failed.length];
    Arrays.fill(readable, true);
    request
        .lostLstors()
        .forEach(
            disk -> {
              int d = index.diskIndex(disk);
              if (d >= 0) {
                readable[d] = false;
              }
            });
    for (LostSuperchunks.Lost item : LostSuperchunks.stages(index, lostPairs, readable)) {
      if (item.full().isEmpty() && item.partial().isEmpty()) {
        unplaceable.add(noLstor(item.pair()));
      } else {
        lost.add(item);
      }
    }
    RecoveryState state = newState();
    boolean[] hopeless = hopeless(state);
    RecoveryPlan.Search searched = search(state, hopeless);
    int[] open =
        IntStream.range(0, state.items())
            .filter(item -> state.receiver(item) == RecoveryState.NONE)
            .toArray();
    if (open.length > 0) {
      RecoveryReasons reasons = new RecoveryReasons(index, newState());
      for (int item : open) {
        unplaceable.add(unplaced(state, item, reasons));
      }
    }
    return new RecoverySchedule(request.layout(), healthy, degraded, lost, failed, state)
        .plan(unplaceable, searched);
  }

  private RecoveryPlan.Search search(RecoveryState state, boolean[] hopeless) {
    int wanted = 0;
    for (int item = 0; item < hopeless.length; item++) {
      wanted += hopeless[item] ? 0 : 2;
    }
    boolean allHaveHope = wanted == 2 * hopeless.length;
    RecoveryState.Assignment best = state.assignment();
    int bestPlaced = -1;
    for (int attempt = 0; attempt < ATTEMPTS && bestPlaced < wanted; attempt++) {
      state.clear();
      new RecoverySearch(state, new Random(request.seed() + attempt)).run();
      if (state.placed() > bestPlaced) {
        bestPlaced = state.placed();
        best = state.assignment();
      }
    }
    if (bestPlaced >= wanted) {
      return allHaveHope ? RecoveryPlan.Search.PLACED_ALL : RecoveryPlan.Search.PROVEN_IMPOSSIBLE;
    }
    state.clear();
    RecoveryBacktracking.Outcome outcome =
        state.items() > SMALL
            ? RecoveryBacktracking.Outcome.GAVE_UP
            : new RecoveryBacktracking(state, hopeless, MAX_BACKTRACKS).run();
    if (outcome == RecoveryBacktracking.Outcome.FOUND) {
      return allHaveHope ? RecoveryPlan.Search.PLACED_ALL : RecoveryPlan.Search.PROVEN_IMPOSSIBLE;
    }
    restore(state, best);
    return outcome == RecoveryBacktracking.Outcome.IMPOSSIBLE || !allHaveHope
        ? RecoveryPlan.Search.PROVEN_IMPOSSIBLE
        : RecoveryPlan.Search.GAVE_UP;
  }

  private static void restore(RecoveryState state, RecoveryState.Assignment best) {
    state.clear();
    for (int item = 0; item < state.items(); item++) {
      if (state.isLost(item) && best.senders()[item] != RecoveryState.NONE) {
        state.rebuildAt(item, best.senders()[item]);
      }
      if (best.receivers()[item] != RecoveryState.NONE) {
        state.place(item, best.receivers()[item]);
      }
    }
  }

  /** Items that have no receiver even alone. */
  private boolean[] hopeless(RecoveryState state) {
    boolean[] hopeless = new boolean[state.items()];
    for (int item = 0; item < hopeless.length; item++) {
      boolean hope = false;
      for (int disk = 0; disk < state.diskCount() && !hope; disk++) {
        hope = state.isLost(item) ? state.hasRoom(disk) : state.legal(state.sender(item), disk);
      }
      hopeless[item] = !hope;
    }
    return hopeless;
  }

  private RecoveryState newState() {
    int disks = failed.length;
    boolean[] open = new boolean[disks];
    boolean[] closed = marks(request.closedDisks());
    int[] spare = new int[disks];
    long[] cost = new long[disks];
    for (int d = 0; d < disks; d++) {
      DiskId id = index.disk(d).id();
      open[d] = !failed[d] && !closed[d];
      int load = request.layout().load(d);
      spare[d] = index.framesOf(d) - load;
      Long given = request.loads().get(id);
      cost[d] = given != null ? given : load * request.loadPerMove();
    }
    int[] senders =
        degraded.stream()
            .mapToInt(pair -> index.diskOfFrame(index.frameIndex(survivor(pair))))
            .toArray();
    return new RecoveryState(
        index,
        open,
        PairGraph.of(request.layout(), failed),
        spare,
        cost,
        request.loadPerMove(),
        senders,
        lost.size());
  }

  private RecoveryPlan.Unplaceable unplaced(
      RecoveryState state, int item, RecoveryReasons reasons) {
    if (!state.isLost(item)) {
      SuperchunkPair pair = degraded.get(item);
      FrameId survivor = survivor(pair);
      return reasons.explain(
          RecoveryPlan.Kind.COPY,
          pair.id(),
          List.of(survivor, pair.partnerOf(survivor)),
          state.sender(item));
    }
    SuperchunkPair pair = lost.get(item - degraded.size()).pair();
    RecoveryPlan.Kind kind =
        state.sender(item) == RecoveryState.NONE
            ? RecoveryPlan.Kind.REBUILD
            : RecoveryPlan.Kind.COPY;
    return reasons.explain(
        kind, pair.id(), List.of(pair.leader(), pair.follower()), state.sender(item));
  }

  private RecoveryPlan.Unplaceable noLstor(SuperchunkPair pair) {
    return new RecoveryPlan.Unplaceable(
        RecoveryPlan.Kind.REBUILD,
        pair.id(),
        List.of(pair.leader(), pair.follower()),
        RecoveryPlan.Reason.NO_LSTOR,
        "Cannot rebuild superchunk="
            + pair.id()
            + ": readable Lstors=0, expected at least 1 of the"
            + " two disks that held frames "
            + pair.leader()
            + " and "
            + pair.follower());
  }

  private FrameId survivor(SuperchunkPair pair) {
    return isDead(index.frameIndex(pair.leader())) ? pair.follower() : pair.leader();
  }

  private boolean isDead(int frame) {
    return frame < 0 || failed[index.diskOfFrame(frame)];
  }

  private boolean[] marks(Set<DiskId> disks) {
    Set<DiskId> set = new HashSet<>(disks);
    boolean[] marks = new boolean[index.diskCount()];
    for (int d = 0; d < marks.length; d++) {
      marks[d] = set.contains(index.disk(d).id());
    }
    return marks;
  }
}
