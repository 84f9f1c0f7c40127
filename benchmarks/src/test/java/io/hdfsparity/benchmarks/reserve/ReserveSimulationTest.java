/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hdfsparity.benchmarks.reserve.ReservePolicy.PeriodEnd;
import io.hdfsparity.benchmarks.trace.NfsTrace;
import io.hdfsparity.benchmarks.trace.TraceStatistics;
import io.hdfsparity.ecupdate.storage.ReservedSpaceOptions;
import org.junit.jupiter.api.Test;

class ReserveSimulationTest {
  private static final long MIB = 1 << 20;
  private static final int SEGMENTS = 4;
  private static final int SEGMENT_KIB = SegmentCode.PAPER.segmentKib();

  private static ReserveSimulation simulation(PeriodEnd turn, long reservedMib, double utility) {
    return new ReserveSimulation(
        new ReservePolicy(turn, new ReservedSpaceOptions(0.3, 2 * MIB, reservedMib * MIB, utility)),
        SegmentCode.PAPER,
        (long) SEGMENTS * SEGMENT_KIB);
  }

  @Test
  void theBaselinesHaveTheOverheadsOfThePaper() {
    assertThat(simulation(PeriodEnd.NOTHING, 2, 1).end().lastOverhead())
        .isCloseTo(0.2, within(1e-9));
    assertThat(simulation(PeriodEnd.NOTHING, 8, 1).end().lastOverhead())
        .isCloseTo(0.8, within(1e-9));
    assertThat(simulation(PeriodEnd.NOTHING, 16, 1).end().lastOverhead())
        .isCloseTo(1.6, within(1e-9));
  }

  @Test
  void aFullSpaceIsMergedAndTheNextDeltaGoesThere() {
    ReserveSimulation simulation = simulation(PeriodEnd.NOTHING, 2, 1);
    for (int i = 0; i < 5; i++) {
      simulation.update(0, 0, 1024);
    }
    ReserveOutcome outcome = simulation.end();
    assertThat(outcome.merges()[0]).as("before the third and the fifth").isEqualTo(2);
    assertThat(outcome.mergesByDay()[0]).isCloseTo(400, within(1e-9));
    assertThat(outcome.mergesPerThousand()).isCloseTo(400, within(1e-9));
  }

  @Test
  void firstWritesCountAsWritesOnly() {
    ReserveSimulation simulation = simulation(PeriodEnd.NOTHING, 2, 1);
    for (int i = 0; i < 100; i++) {
      simulation.first(5);
    }
    ReserveOutcome outcome = simulation.end();
    assertThat(outcome.writes()[0]).isEqualTo(100);
    assertThat(outcome.mergesPerThousand()).isZero();
  }

  @Test
  void whatIsIdleFromTheStartLosesItsSpaceAndTakesUpdatesInPlace() {
    ReserveSimulation simulation = simulation(PeriodEnd.SHRINK_AND_MERGE, 16, 0);
    simulation.update(0, 0, 1024);
    simulation.update(13, 3L * SEGMENT_KIB, 8);
    ReserveOutcome outcome = simulation.end();
    assertThat(outcome.withoutShare()).isCloseTo(0.75, within(1e-9));
    assertThat(outcome.inPlace()[0]).isEqualTo(1);
    assertThat(outcome.lastOverhead())
        .as("one chunk of 2 MB of a segment")
        .isCloseTo(0.05, within(1e-9));
  }

  @Test
  void aWriteOverTheEndOfASegmentIsOneWriteInTwo() {
    ReserveSimulation simulation = simulation(PeriodEnd.NOTHING, 2, 1);
    for (int i = 0; i < 3; i++) {
      simulation.update(0, SEGMENT_KIB - 1024, 2048);
    }
    ReserveOutcome outcome = simulation.end();
    assertThat(outcome.writes()[0]).isEqualTo(3);
    assertThat(outcome.merges()[0]).isEqualTo(1);
  }

  @Test
  void mergingAtTheEndOfAPeriodSavesSpaceAsInThePaper() {
    NfsTrace trace = new NfsTrace(TraceStatistics.HARVARD.scaled(0.002), 1);
    ReserveSimulation[] simulations = new ReserveSimulation[3];
    PeriodEnd[] turns = PeriodEnd.values();
    for (int i = 0; i < turns.length; i++) {
      simulations[i] =
          new ReserveSimulation(
              new ReservePolicy(turns[i], new ReservedSpaceOptions(0.3, 2 * MIB, 16 * MIB, 0.5)),
              SegmentCode.PAPER,
              trace.workingSetKib());
    }
    trace.run(
        (hour, file, addressKib, sizeKib) -> {
          for (ReserveSimulation each : simulations) {
            each.update(hour, addressKib, sizeKib);
          }
        });
    double fixed = simulations[0].end().lastOverhead();
    double shrunk = simulations[1].end().lastOverhead();
    double merged = simulations[2].end().lastOverhead();
    assertThat(fixed).isCloseTo(1.6, within(1e-9));
    assertThat(merged).isLessThanOrEqualTo(shrunk);
    assertThat(shrunk).isLessThan(fixed);
  }
}
