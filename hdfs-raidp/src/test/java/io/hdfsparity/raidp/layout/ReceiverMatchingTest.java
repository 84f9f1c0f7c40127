/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The twins are the augmenting-path algorithm that goes by the cheapest receiver, and, on small
 * cases, trying everything.
 */
class ReceiverMatchingTest {
  private static final int MISSING = 1_000_000;

  @Test
  void isAsLargeAndAsCheapAsTryingEverything() {
    for (long seed : RandomShapes.seeds(600)) {
      Random random = new Random(seed);
      Case small = Case.of(random, 1 + random.nextInt(5), 1 + random.nextInt(6));
      assertThat(small.total(small.match()))
          .as("seed=%d", seed)
          .isEqualTo(small.least(0, new boolean[small.cost().length]));
    }
  }

  @Test
  void isAsLargeAndAsCheapAsItsTwin() {
    for (long seed : RandomShapes.seeds(200)) {
      Random random = new Random(seed);
      Case some = Case.of(random, 1 + random.nextInt(40), 1 + random.nextInt(60));
      int[] twin = AugmentingTwin.match(some.edge().length, some.cost().length, some::has);
      assertThat(some.total(some.match())).as("seed=%d", seed).isEqualTo(some.total(twin));
    }
  }

  @Test
  void givesTheSameMatchingAgain() {
    for (long seed : RandomShapes.seeds(50)) {
      Case some = Case.of(new Random(seed), 30, 40);
      assertThat(some.match()).as("seed=%d", seed).isEqualTo(some.match());
    }
  }

  @Test
  void matchesNobodyWhereNothingIsLegal() {
    assertThat(ReceiverMatching.match(3, 4, (s, r) -> false)).containsExactly(-1, -1, -1);
    assertThat(ReceiverMatching.match(0, 4, (s, r) -> true)).isEmpty();
    assertThat(ReceiverMatching.match(2, 0, (s, r) -> true)).containsExactly(-1, -1);
  }

  @Test
  void takesAsManySendersAsItSays() {
    for (int receivers : new int[] {0, 1, 3, 16, 17, 500, 1_000, 20_000}) {
      int senders = ReceiverMatching.maxSenders(receivers);
      assertThat(senders).isPositive();
      assertThat((long) senders * Math.min(senders, receivers))
          .isLessThanOrEqualTo(ReceiverMatching.MAX_EDGES);
    }
    assertThat(ReceiverMatching.maxSenders(12_000)).as("a node of 12 disks").isGreaterThan(768);
    assertThatThrownBy(() -> ReceiverMatching.match(1_000, 1_000, (s, r) -> true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("senders=1000", "receivers=1000");
  }

  private record Case(boolean[][] edge, int[] cost) {
    static Case of(Random random, int senders, int receivers) {
      int density = 1 + random.nextInt(9);
      boolean[][] edge = new boolean[senders][receivers];
      for (boolean[] row : edge) {
        for (int r = 0; r < receivers; r++) {
          row[r] = random.nextInt(10) < density;
        }
      }
      return new Case(edge, random.ints(receivers, 0, 20).sorted().toArray());
    }

    boolean has(int sender, int receiver) {
      return edge[sender][receiver];
    }

    int[] match() {
      return ReceiverMatching.match(edge.length, cost.length, this::has);
    }

    /** Total cost of a legal matching; an unmatched sender costs MISSING. */
    int total(int[] match) {
      int total = 0;
      Set<Integer> used = new HashSet<>();
      for (int s = 0; s < match.length; s++) {
        total += match[s] < 0 ? MISSING : cost[match[s]];
        if (match[s] >= 0) {
          assertThat(edge[s][match[s]]).as("legal").isTrue();
          assertThat(used.add(match[s])).as("matched once").isTrue();
        }
      }
      return total;
    }

    /** Least total cost of the senders from one on, by trying everything. */
    int least(int sender, boolean[] used) {
      if (sender == edge.length) {
        return 0;
      }
      int least = MISSING + least(sender + 1, used);
      for (int r = 0; r < used.length; r++) {
        if (edge[sender][r] && !used[r]) {
          used[r] = true;
          least = Math.min(least, cost[r] + least(sender + 1, used));
          used[r] = false;
        }
      }
      return least;
    }
  }
}
