/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.Output.RecoveryResult;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * AJX under every order of messages and every crash that seeds come up with, within the bounds of
 * the theorems. {@code -Dajx.seed=N} runs one seed again, {@code -Dajx.schedules=N} so many, {@code
 * -Dajx.first=N} others: what a build says of a commit does not depend on chance.
 */
class AjxSimulationTest {
  private static final int FEW = 4_000;
  private static final int MANY = 100_000;

  @Test
  void fewSchedulesKeepTheInvariants() {
    runFrom(1, Integer.getInteger("ajx.schedules", FEW));
  }

  @Test
  @Tag("full")
  void manySchedulesKeepTheInvariants() {
    runFrom(
        Long.getLong("ajx.first", 60_567_724_000_000L), Integer.getInteger("ajx.schedules", MANY));
  }

  @Test
  void sameSeedSameRun() {
    for (long seed = 1; seed <= 300; seed++) {
      Simulation first = Simulation.ofSeed(seed, Fault.NONE);
      Simulation again = Simulation.ofSeed(seed, Fault.NONE);
      first.run();
      again.run();
      assertThat(again.time.executed()).isEqualTo(first.time.executed());
      assertThat(again.time.now()).isEqualTo(first.time.now());
      assertThat(again.counters.byKind).isEqualTo(first.counters.byKind);
    }
  }

  private static void runFrom(long first, int count) {
    Long only = Long.getLong("ajx.seed");
    if (only != null) {
      runOne(only);
      return;
    }
    int crashes = 0;
    int losses = 0;
    int restarts = 0;
    int yields = 0;
    Map<String, Integer> byKind = new TreeMap<>();
    Map<RecoveryResult, Integer> recoveries = new EnumMap<>(RecoveryResult.class);
    for (int i = 0; i < count; i++) {
      Simulation.Counters counters = runOne(first + i);
      crashes += counters.crashes;
      losses += counters.losses;
      restarts += counters.restarts;
      yields += counters.yields;
      counters.byKind.forEach((kind, times) -> byKind.merge(kind, times, Integer::sum));
      counters.recoveries.forEach((kind, times) -> recoveries.merge(kind, times, Integer::sum));
    }
    // A simulation in which nothing fails shows nothing.
    assertThat(crashes).isGreaterThan(count / 3);
    assertThat(losses).isGreaterThan(count / 10);
    assertThat(restarts).isGreaterThan(count / 10);
    assertThat(yields).isGreaterThan(count / 10);
    assertThat(byKind)
        .containsKeys("Swap", "Add", "AddAll", "Read", "CheckTid", "GcOld", "GcRecent", "Probe")
        .containsKeys("TryLock", "GetState", "GetRecent", "Reconstruct")
        .containsKeys("SetLock UNL", "SetLock L0", "SetLock EXP")
        .containsKeys("FinalizeRecovery RELEASED", "FinalizeRecovery KEPT");
    assertThat(recoveries)
        .containsOnlyKeys(RecoveryResult.RECOVERED, RecoveryResult.YIELDED, RecoveryResult.FENCED);
  }

  private static Simulation.Counters runOne(long seed) {
    try {
      Simulation simulation = Simulation.ofSeed(seed, Fault.NONE);
      simulation.run();
      return simulation.counters;
    } catch (RuntimeException e) {
      String message = "Schedule failed: seed=" + seed + ", rerun with -Dajx.seed=" + seed;
      System.err.println(message);
      throw new AssertionError(message + ": " + e.getMessage(), e);
    }
  }
}
