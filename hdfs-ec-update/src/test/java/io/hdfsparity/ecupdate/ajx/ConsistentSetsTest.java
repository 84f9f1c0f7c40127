/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;

class ConsistentSetsTest {
  private static final Tid T0 = new Tid(1, 0, 0);
  private static final Tid T1 = new Tid(2, 0, 1);

  private static StateReply state(OpMode mode, Set<Tid> recent, Set<Tid> old) {
    Bytes block = mode == OpMode.INIT ? null : Bytes.zeros(1);
    return new StateReply(mode, 0, Set.of(), 0, old, recent, block);
  }

  private static StateReply saw(Tid... tids) {
    return state(OpMode.NORM, Set.of(tids), Set.of());
  }

  @Test
  void anUnfinishedWriteLeavesOutWhoeverHasNotSeenIt() {
    Shape shape = new Shape(3, 2);
    assertThat(ConsistentSets.find(shape, List.of(saw(), saw(), saw(), saw(), saw())))
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(ConsistentSets.find(shape, List.of(saw(T0), saw(), saw(), saw(), saw())))
        .containsExactly(1, 2, 3, 4);
    assertThat(ConsistentSets.find(shape, List.of(saw(T0), saw(), saw(), saw(T0), saw())))
        .containsExactly(0, 1, 2, 3);
    assertThat(ConsistentSets.find(shape, List.of(saw(T0), saw(T1), saw(), saw(T0), saw())))
        .containsExactly(0, 1, 2); // the data blocks: no parity block goes with as many
  }

  @Test
  void lostBlocksAreNotInIt() {
    StateReply lost = state(OpMode.INIT, Set.of(), Set.of());
    assertThat(
            ConsistentSets.find(new Shape(3, 2), List.of(lost, saw(T1), saw(), saw(T1), saw(T1))))
        .containsExactly(1, 2, 3, 4);
  }

  @Test
  void aWriteRetiredAnywhereIsCompleteEverywhere() {
    StateReply retired = state(OpMode.NORM, Set.of(), Set.of(T0));
    assertThat(ConsistentSets.find(new Shape(2, 2), List.of(saw(T0), saw(), retired, saw(T0))))
        .containsExactly(0, 1, 2, 3);
  }

  /** The figure's definition, by trying every subset of nodes. */
  private static int twin(Shape shape, List<StateReply> states) {
    int best = 0;
    for (int subset = 0; subset < 1 << shape.blocks(); subset++) {
      if (Integer.bitCount(subset) > best && isConsistent(shape, states, subset)) {
        best = Integer.bitCount(subset);
      }
    }
    return best;
  }

  private static boolean isConsistent(Shape shape, List<StateReply> states, int subset) {
    Set<Tid> complete = new HashSet<>();
    for (int i = 0; i < shape.blocks(); i++) {
      if ((subset >> i & 1) != 0) {
        if (states.get(i).opMode() != OpMode.NORM) {
          return false;
        }
        complete.addAll(states.get(i).oldList());
      }
    }
    for (int r = shape.dataBlocks(); r < shape.blocks(); r++) {
      if ((subset >> r & 1) == 0) {
        continue;
      }
      Set<Tid> seen = open(states.get(r), complete);
      for (int j = 0; j < shape.blocks(); j++) {
        if ((subset >> j & 1) == 0) {
          continue;
        }
        int block = j;
        Set<Tid> expected = new HashSet<>(seen);
        if (!shape.isParity(j)) {
          expected.removeIf(tid -> tid.block() != block);
        }
        if (!expected.equals(open(states.get(j), complete))) {
          return false;
        }
      }
    }
    return true;
  }

  private static Set<Tid> open(StateReply state, Set<Tid> complete) {
    Set<Tid> open = new HashSet<>(state.recentList());
    open.removeAll(complete);
    return open;
  }

  @Test
  void isAsLargeAsTheFiguresDefinition() {
    SeededRuns.of(2_000)
        .check(
            random -> {
              int k = 2 + random.nextInt(3);
              Shape shape = new Shape(k, 1 + random.nextInt(k));
              List<StateReply> states = reachable(shape, random);
              SortedSet<Integer> found = ConsistentSets.find(shape, states);
              assertThat(found.size()).isEqualTo(twin(shape, states));
            });
  }

  /** Writes that stopped somewhere, and complete ones collected somewhere. */
  private static List<StateReply> reachable(Shape shape, Random random) {
    List<Set<Tid>> recent = new ArrayList<>();
    List<Set<Tid>> old = new ArrayList<>();
    for (int i = 0; i < shape.blocks(); i++) {
      recent.add(new HashSet<>());
      old.add(new HashSet<>());
    }
    int writes = random.nextInt(5);
    for (int write = 0; write < writes; write++) {
      Tid tid = new Tid(write, 0, random.nextInt(shape.dataBlocks()));
      boolean isComplete = random.nextBoolean();
      // All nodes retire a write before any forgets it.
      int collected = random.nextInt(3);
      for (int i = 0; i < shape.blocks(); i++) {
        if (i != tid.block() && !shape.isParity(i)) {
          continue;
        }
        if (isComplete && collected == 1) {
          (random.nextBoolean() ? recent : old).get(i).add(tid);
        } else if (isComplete && collected == 2) {
          if (random.nextBoolean()) {
            old.get(i).add(tid);
          }
        } else if (isComplete || i == tid.block() || random.nextBoolean()) {
          recent.get(i).add(tid);
        }
      }
    }
    List<StateReply> states = new ArrayList<>();
    for (int i = 0; i < shape.blocks(); i++) {
      boolean isLost = random.nextInt(8) == 0;
      states.add(
          isLost
              ? state(OpMode.INIT, Set.of(), Set.of())
              : state(OpMode.NORM, recent.get(i), old.get(i)));
    }
    return states;
  }
}
