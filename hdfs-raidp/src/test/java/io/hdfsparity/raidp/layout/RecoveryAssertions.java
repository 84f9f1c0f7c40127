/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * What every recovery plan must keep, read off the plan step by step, without the planner's own
 * structures.
 */
final class RecoveryAssertions {
  private RecoveryAssertions() {}

  static void assertLegal(RecoveryRequest request, RecoveryPlan plan, String name) {
    Layout before = request.layout();
    Map<Long, Integer> liveFrames = new HashMap<>();
    for (SuperchunkPair pair : before.pairs()) {
      int live = (dead(request, pair.leader()) ? 0 : 1) + (dead(request, pair.follower()) ? 0 : 1);
      liveFrames.put(pair.id(), live);
    }
    Set<FrameId> taken = new HashSet<>();
    boolean copying = false;
    for (RecoveryPlan.Round round : plan.rounds()) {
      Set<DiskId> receivers = new HashSet<>();
      copying |= round.kind() == RecoveryPlan.Kind.COPY;
      for (RecoveryPlan.Move move : round.moves()) {
        String step = name + " " + move;
        assertThat(move.kind()).as(step).isEqualTo(round.kind());
        assertThat(copying && move.kind() == RecoveryPlan.Kind.REBUILD)
            .as("rebuild before copies: " + step)
            .isFalse();
        assertThat(receivers.add(move.receiverDisk())).as("one a round: " + step).isTrue();
        assertThat(request.failedDisks()).as(step).doesNotContain(move.receiverDisk());
        assertThat(request.closedDisks()).as(step).doesNotContain(move.receiverDisk());
        assertThat(before.shape().diskOf(move.receiver()).orElseThrow().id())
            .as(step)
            .isEqualTo(move.receiverDisk());
        assertThat(before.pairOf(move.receiver())).as("spare: " + step).isEmpty();
        assertThat(taken.add(move.receiver())).as("spare: " + step).isTrue();
        int expected = move.kind() == RecoveryPlan.Kind.REBUILD ? 0 : 1;
        assertThat(liveFrames.merge(move.superchunkId(), 1, Integer::sum))
            .as(step)
            .isEqualTo(expected + 1);
      }
    }
    Set<Long> open = new HashSet<>();
    plan.unplaceable().forEach(item -> assertThat(open.add(item.superchunkId())).as(name).isTrue());
    Set<Long> after = new HashSet<>();
    plan.layoutAfter()
        .pairs()
        .forEach(
            pair -> {
              after.add(pair.id());
              assertThat(dead(request, pair.leader()) || dead(request, pair.follower()))
                  .as(name)
                  .isFalse();
            });
    liveFrames.forEach(
        (id, live) -> {
          assertThat(live == 2).as(name + " superchunk " + id).isEqualTo(!open.contains(id));
          assertThat(after.contains(id)).as(name + " superchunk " + id).isEqualTo(live == 2);
        });
    assertThat(plan.layoutAfter().check()).as(name).isEmpty();
  }

  static boolean dead(RecoveryRequest request, FrameId frame) {
    return request
        .layout()
        .shape()
        .diskOf(frame)
        .map(disk -> request.failedDisks().contains(disk.id()))
        .orElse(true);
  }
}
