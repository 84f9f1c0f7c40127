/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class WeightedChoiceTest {
  @Test
  void choosesByWeight() {
    double[] weights = {1, 0, 5, 2, 0.5, 1.5};
    WeightedChoice choice = new WeightedChoice(weights);
    SplittableRandom random = new SplittableRandom(1);
    int draws = 1_000_000;
    int[] drawn = new int[weights.length];
    for (int i = 0; i < draws; i++) {
      drawn[choice.next(random)]++;
    }
    for (int i = 0; i < weights.length; i++) {
      assertThat((double) drawn[i] / draws).isCloseTo(weights[i] / 10, within(0.003));
    }
    assertThat(drawn[1]).isZero();
  }

  @Test
  void equalWeightsAreEquallyLikely() {
    WeightedChoice choice = new WeightedChoice(new double[] {3, 3, 3});
    SplittableRandom random = new SplittableRandom(2);
    int[] drawn = new int[3];
    for (int i = 0; i < 300_000; i++) {
      drawn[choice.next(random)]++;
    }
    for (int times : drawn) {
      assertThat(times).isBetween(98_000, 102_000);
    }
  }
}
