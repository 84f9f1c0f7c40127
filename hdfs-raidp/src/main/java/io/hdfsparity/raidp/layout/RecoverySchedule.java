/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Turns an assignment into rounds of moves from frame to frame, and the layout that they lead to.
 */
final class RecoverySchedule {
  private final Layout before;
  private final ShapeIndex index;
  private final List<SuperchunkPair> healthy;
  private final List<SuperchunkPair> degraded;
  private final List<LostSuperchunks.Lost> lost;
  private final boolean[] failed;
  private final RecoveryState state;
  private final Map<Integer, Integer> nextSpare = new HashMap<>();
  private final List<RecoveryPlan.Round> rounds = new ArrayList<>();
  private final List<SuperchunkPair> after;

  RecoverySchedule(
      Layout before,
      List<SuperchunkPair> healthy,
      List<SuperchunkPair> degraded,
      List<LostSuperchunks.Lost> lost,
      boolean[] failed,
      RecoveryState state) {
    this.before = before;
    this.index = before.shape().index();
    this.healthy = healthy;
    this.degraded = degraded;
    this.lost = lost;
    this.failed = failed;
    this.state = state;
    this.after = new ArrayList<>(healthy);
  }

  RecoveryPlan plan(List<RecoveryPlan.Unplaceable> unplaceable, RecoveryPlan.Search searched) {
    Map<Integer, FrameId> rebuilt = rebuildRounds();
    copyRounds(rebuilt);
    Layout layout = Layout.of(before.shape(), after);
    verify(layout);
    return new RecoveryPlan(rounds, unplaceable, layout, searched);
  }

  private Map<Integer, FrameId> rebuildRounds() {
    Map<Integer, FrameId> rebuilt = new HashMap<>();
    int stages = lost.isEmpty() ? 0 : 1 + lost.get(lost.size() - 1).stage();
    for (int stage = 0; stage < stages; stage++) {
      List<RecoveryPlan.Move> moves = new ArrayList<>();
      for (int i = 0; i < lost.size(); i++) {
        int item = degraded.size() + i;
        LostSuperchunks.Lost superchunk = lost.get(i);
        if (superchunk.stage() == stage && state.sender(item) != RecoveryState.NONE) {
          FrameId frame = spareFrame(state.sender(item));
          rebuilt.put(item, frame);
          moves.add(
              new RecoveryPlan.Move(
                  RecoveryPlan.Kind.REBUILD,
                  superchunk.pair().id(),
                  List.of(superchunk.pair().leader(), superchunk.pair().follower()),
                  Optional.empty(),
                  frame,
                  index.disk(state.sender(item)).id(),
                  ids(superchunk.full()),
                  ids(superchunk.partial())));
        }
      }
      addRounds(RecoveryPlan.Kind.REBUILD, moves);
    }
    return rebuilt;
  }

  private void copyRounds(Map<Integer, FrameId> rebuilt) {
    List<RecoveryPlan.Move> moves = new ArrayList<>();
    for (int item = 0; item < state.items(); item++) {
      if (state.receiver(item) == RecoveryState.NONE) {
        continue;
      }
      FrameId receiver = spareFrame(state.receiver(item));
      long id;
      FrameId source;
      List<FrameId> dead = List.of();
      if (state.isLost(item)) {
        id = lost.get(item - degraded.size()).pair().id();
        source = Objects.requireNonNull(rebuilt.get(item), "a LOST superchunk is rebuilt first");
      } else {
        SuperchunkPair pair = degraded.get(item);
        id = pair.id();
        source = isDead(pair.leader()) ? pair.follower() : pair.leader();
        dead = List.of(pair.partnerOf(source));
      }
      after.add(SuperchunkPair.of(id, source, receiver));
      moves.add(
          new RecoveryPlan.Move(
              RecoveryPlan.Kind.COPY,
              id,
              dead,
              Optional.of(source),
              receiver,
              index.disk(state.receiver(item)).id(),
              List.of(),
              List.of()));
    }
    addRounds(RecoveryPlan.Kind.COPY, moves);
  }

  /** The k-th superchunk that a disk receives comes in the k-th round. */
  private void addRounds(RecoveryPlan.Kind kind, List<RecoveryPlan.Move> moves) {
    Map<DiskId, Integer> received = new HashMap<>();
    List<List<RecoveryPlan.Move>> byRound = new ArrayList<>();
    for (RecoveryPlan.Move move : moves) {
      int round = received.merge(move.receiverDisk(), 1, Integer::sum) - 1;
      if (round == byRound.size()) {
        byRound.add(new ArrayList<>());
      }
      byRound.get(round).add(move);
    }
    byRound.forEach(round -> rounds.add(new RecoveryPlan.Round(kind, round)));
  }

  private FrameId spareFrame(int disk) {
    int next = nextSpare.merge(disk, 1, Integer::sum) - 1;
    return before.spareFrames(index.disk(disk).id()).get(next).id();
  }

  private List<DiskId> ids(List<Integer> disks) {
    return disks.stream().map(disk -> index.disk(disk).id()).toList();
  }

  private boolean isDead(FrameId id) {
    int frame = index.frameIndex(id);
    return frame < 0 || failed[index.diskOfFrame(frame)];
  }

  /** What was healthy may break a rule by itself; what this plan adds must not. */
  private void verify(Layout layout) {
    List<LayoutViolation> violations = new ArrayList<>(layout.check());
    if (!violations.isEmpty()) {
      violations.removeAll(Layout.of(before.shape(), healthy).check());
    }
    if (!violations.isEmpty()) {
      throw new IllegalStateException(
          "Cannot use the planned recovery: violations=" + violations + ", expected none");
    }
  }
}
