/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.benchmarks.ajx.AjxModel.Costs;
import io.hdfsparity.benchmarks.ajx.AjxModel.Kind;
import io.hdfsparity.benchmarks.ajx.AjxModel.Spec;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class AjxModelTest {
  private static final Costs COSTS = new Costs(5, 20, 400, 100, 1000, 4096);
  private static final double BLOCK_US = (4096 + 100) * 8 / 1000.0;
  private static final double HEADER_US = 100 * 8 / 1000.0;

  private static AjxModel.Result run(Kind kind, int dataUnits, int units, int clients) {
    return AjxModel.run(new Spec(kind, dataUnits, units, clients, 16, 0), COSTS, 1, 250);
  }

  @Test
  void messagesAreThoseOfTheProtocol() {
    for (int parity = 1; parity <= 4; parity++) {
      assertThat(run(Kind.READ, 3, 3 + parity, 2).messagesEach()).isCloseTo(2, within(0.05));
      assertThat(run(Kind.WRITE, 3, 3 + parity, 2).messagesEach())
          .isCloseTo(2 * (parity + 1), within(0.1));
      assertThat(run(Kind.BROADCAST_WRITE, 3, 3 + parity, 2).messagesEach())
          .isCloseTo(3 + parity, within(0.1));
    }
  }

  @Test
  void oneReadAtATimeTakesTheSumOfItsParts() {
    double us = 5 + HEADER_US + 100 + HEADER_US + 20 + BLOCK_US + 100 + BLOCK_US + 5;
    double perSecond = AjxModel.run(new Spec(Kind.READ, 3, 5, 1, 1, 0), COSTS, 1, 250).perSecond();
    assertThat(perSecond).isCloseTo(1e6 / us, Percentage.withPercentage(1));
  }

  @Test
  void oneWriteAtATimeTakesTwoRoundTripsAndTwoForces() {
    double swap = 5 + BLOCK_US + 100 + BLOCK_US + 20 + 400 + BLOCK_US + 100 + BLOCK_US + 5;
    double add = 5 + BLOCK_US + 100 + BLOCK_US + 20 + 400 + HEADER_US + 100 + HEADER_US + 5;
    double perSecond = AjxModel.run(new Spec(Kind.WRITE, 3, 4, 1, 1, 0), COSTS, 1, 250).perSecond();
    assertThat(perSecond).isCloseTo(1e6 / (swap + add), Percentage.withPercentage(1));
  }

  @Test
  void whatTheClientsLinkTakesIsTheBoundOfItsWrites() {
    double most = 1e6 / (3 * BLOCK_US);
    double perSecond =
        AjxModel.run(new Spec(Kind.WRITE, 8, 10, 1, 64, 0), COSTS, 1, 250).perSecond();
    assertThat(perSecond).isBetween(0.9 * most, 1.01 * most);
  }

  @Test
  void moreParityCostsAClientLessByBroadcast() {
    double two = run(Kind.WRITE, 8, 10, 1).perSecond();
    double eight = run(Kind.WRITE, 8, 16, 1).perSecond();
    assertThat(eight).isLessThan(0.6 * two);
    double twoAtOnce = run(Kind.BROADCAST_WRITE, 8, 10, 1).perSecond();
    double eightAtOnce = run(Kind.BROADCAST_WRITE, 8, 16, 1).perSecond();
    assertThat(eightAtOnce).isGreaterThan(0.75 * twoAtOnce);
  }

  @Test
  void readsDependOnTheNodesOnly() {
    double two = run(Kind.READ, 2, 10, 32).perSecond();
    double eight = run(Kind.READ, 8, 10, 32).perSecond();
    assertThat(eight).isCloseTo(two, Percentage.withPercentage(5));
  }

  @Test
  void hostsOfOneMachineShareItsProcessors() {
    double perSecond = AjxModel.run(new Spec(Kind.READ, 3, 5, 8, 16, 2), COSTS, 1, 250).perSecond();
    assertThat(perSecond)
        .as("2 processors by 30 us")
        .isCloseTo(2e6 / 30, Percentage.withPercentage(2));
  }

  @Test
  void aForceTakesAllThatWaitWithIt() {
    Costs slow = new Costs(0, 0, 10_000, 0, 0, 4096);
    double perSecond =
        AjxModel.run(new Spec(Kind.WRITE, 1, 2, 1, 100, 0), slow, 1, 250).perSecond();
    // One by one it would be 50: two forces an operation.
    assertThat(perSecond).isBetween(2000.0, 5100.0);
  }
}
