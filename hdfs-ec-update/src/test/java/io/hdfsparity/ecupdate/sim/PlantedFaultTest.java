/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.ecupdate.ajx.AddMode;
import io.hdfsparity.ecupdate.ajx.Bounds.Failures;
import io.hdfsparity.ecupdate.ajx.Shape;
import java.util.Random;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The simulator is worth what it finds. */
class PlantedFaultTest {
  private static final int SCHEDULES = 20_000;

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void isFoundAndFoundAgainFromItsSeed(Fault fault) {
    long seed = firstFailure(candidate -> Simulation.ofSeed(candidate, fault));
    String first = failure(Simulation.ofSeed(seed, fault));
    assertThat(failure(Simulation.ofSeed(seed, fault))).isEqualTo(first);
    assertThatThrownBy(() -> Simulation.ofSeed(seed, fault).run()).hasMessage(first);
  }

  /** Beyond the bound something must go wrong in some schedule, or the bound means nothing. */
  @Test
  void oneClientTooManyLosesDataOrHangs() {
    firstFailure(
        seed -> {
          Random random = new Random(~seed);
          return new Simulation(
              seed,
              new Scenario(
                  new Shape(3, 2),
                  AddMode.PARALLEL,
                  1,
                  1,
                  new Failures(0, 2),
                  3,
                  3,
                  1,
                  2,
                  0,
                  0,
                  0,
                  random.nextBoolean(),
                  true,
                  Fault.NONE));
        });
  }

  private static long firstFailure(LongFunction<Simulation> simulations) {
    for (long seed = 1; seed <= SCHEDULES; seed++) {
      if (failure(simulations.apply(seed)) != null) {
        return seed;
      }
    }
    throw new AssertionError("Not found in " + SCHEDULES + " schedules");
  }

  private static String failure(Simulation simulation) {
    try {
      simulation.run();
      return null;
    } catch (RuntimeException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
