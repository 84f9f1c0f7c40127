/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** The generated trace has the statistics of Table 1, as counted from its writes alone. */
class NfsTraceTest {
  private static final TraceStatistics WANTED = TraceStatistics.HARVARD.scaled(0.002);

  private static TraceStatistics statistics(long seed) {
    TraceCounter counter = new TraceCounter();
    new NfsTrace(WANTED, seed).run(counter);
    return counter.statistics();
  }

  @Test
  void table1IsWhatThePaperSays() {
    TraceStatistics table = TraceStatistics.HARVARD;
    assertThat(table.writes()).isEqualTo(172_702_071L);
    assertThat(table.workingSetKib() / 1024.0 / 1024).isCloseTo(174.73, within(0.001));
    assertThat(table.files()).isEqualTo(2_039_724L);
  }

  @Test
  void theTraceHasTheStatisticsOfTable1() {
    for (long seed = 1; seed <= 3; seed++) {
      TraceStatistics made = statistics(seed);
      assertThat(made.writes())
          .as("writes")
          .isCloseTo(WANTED.writes(), Percentage.withPercentage(1));
      assertThat(made.workingSetKib()).as("working set").isEqualTo(WANTED.workingSetKib());
      assertThat(made.updatedWorkingSetShare()).as("updated").isCloseTo(0.6839, within(0.005));
      assertThat(made.updateShare()).as("update writes").isCloseTo(0.9156, within(0.005));
      assertThat(made.files()).as("files").isEqualTo(WANTED.files());
      assertThat(made.updatedFileShare()).as("updated files").isCloseTo(0.1210, within(0.001));
      assertThat(made.updateKib()).as("average update").isCloseTo(10.58, within(0.1));
    }
  }

  @Test
  void theSameSeedGivesTheSameWritesInOrderOfTime() {
    List<Long> first = hashes(7);
    assertThat(hashes(7)).isEqualTo(first);
    assertThat(hashes(8)).isNotEqualTo(first);
  }

  private static List<Long> hashes(long seed) {
    List<Long> byHour = new ArrayList<>();
    int[] last = {0};
    long[] hash = {0};
    new NfsTrace(TraceStatistics.HARVARD.scaled(0.0002), seed)
        .run(
            (hour, file, addressKib, sizeKib) -> {
              assertThat(hour).isBetween(last[0], NfsTrace.HOURS - 1);
              if (hour > last[0]) {
                byHour.add(hash[0]);
              }
              last[0] = hour;
              hash[0] = hash[0] * 31 + addressKib * 1_000_003 + sizeKib + file;
            });
    byHour.add(hash[0]);
    return byHour;
  }
}
