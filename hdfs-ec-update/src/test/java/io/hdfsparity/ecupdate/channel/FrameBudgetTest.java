/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameBudgetTest {
  private final List<Object> served = new ArrayList<>();

  private boolean take(FrameBudget share, String taker, long bytes) {
    return share.take(taker, true, bytes, () -> served.add(taker));
  }

  /** There is no deadline while memory of the same user is waited for. */
  @Test
  void whoWaitsForHisOwnUserHoldsUpNoOther() {
    FrameBudget node = new FrameBudget(20);
    FrameBudget mallory = new FrameBudget(10, node);
    FrameBudget bob = new FrameBudget(20, node);
    FrameBudget alice = new FrameBudget(20, node);
    assertThat(take(bob, "b", 12)).isTrue();
    assertThat(take(mallory, "m1", 5)).isTrue();
    assertThat(take(mallory, "m2", 4)).as("beyond the node's memory").isTrue();
    assertThat(node.isOverdrawn("m2")).isTrue();
    assertThat(take(mallory, "m1", 6)).as("beyond the user's; waits for the node").isFalse();
    assertThat(take(mallory, "m2", 1)).as("waits for m1").isFalse();
    assertThat(served).as("m2 no longer stands in the way of m1").containsExactly("m1");
    assertThat(take(alice, "a", 1)).isFalse();
    mallory.frameEnded("m1");
    mallory.give(11);
    assertThat(served).containsExactlyInAnyOrder("m1", "m2", "a");
    bob.give(12);
    mallory.give(5);
    alice.give(1);
    assertThat(node.free()).isEqualTo(20);
    assertThat(mallory.free()).isEqualTo(10);
  }

  /** Each of them may have an answer to come, longer than its frame. */
  @Test
  void nobodyGoesBeyondTheMemoryWhileMuchOfItIsOwed() {
    FrameBudget budget = new FrameBudget(20);
    assertThat(take(budget, "a", 10)).isTrue();
    assertThat(take(budget, "b", 10)).isTrue();
    assertThat(take(budget, "a", 1)).as("beyond it").isTrue();
    budget.takeAnyway(7); // the answer
    budget.frameEnded("a");
    assertThat(take(budget, "b", 1)).as("8 are owed, of 5").isFalse();
    budget.give(2);
    assertThat(served).isEmpty();
    budget.give(1);
    assertThat(served).containsExactly("b");
    assertThat(budget.isOverdrawn("b")).isTrue();
    assertThat(budget.free()).isEqualTo(-6);
  }
}
