/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.updater.ReceiptBoundSimulation.Trouble;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes that keep next to nothing of what writes replace, and a program that never collects. */
class ReceiptBoundTest {
  private static final int RUNS = Integer.getInteger("ecupdate.runs", 60);

  @Test
  void whoCollectsEndsWhateverHappensAndBytesAreRegular() {
    Map<Trouble, Integer> runs = new EnumMap<>(Trouble.class);
    int[] refused = new int[2];
    SeededRuns.of(RUNS)
        .check(
            random -> {
              ReceiptBoundSimulation simulation = new ReceiptBoundSimulation(random);
              simulation.run();
              runs.merge(simulation.trouble(), 1, Integer::sum);
              refused[0] += simulation.refusedHonest;
              refused[1] += simulation.refusedHostile;
            });
    if (runs.values().stream().mapToInt(Integer::intValue).sum() == RUNS) {
      assertThat(runs).as("all kinds of trouble").containsOnlyKeys(Trouble.values());
      assertThat(refused[0]).as("who collects met the bound, too").isPositive();
      assertThat(refused[1]).isPositive();
    }
  }
}
