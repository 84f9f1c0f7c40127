/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.caso.replay.Replayer;
import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.trace.Access;
import org.junit.jupiter.api.Test;

class ParityForecastTest {
  private static final long DAY_TICKS = 24L * 3600 * 10_000_000;
  private static final long WINDOW_TICKS = 10_000;

  /** Times in days. */
  private static TimeWindows windows(long[]... timesAndCells) {
    RequestTable.Builder requests = new RequestTable.Builder();
    for (long[] each : timesAndCells) {
      requests.add(new CellRequest(each[0] * DAY_TICKS, Access.WRITE, each[1], 1));
    }
    return TimeWindows.of(requests.build(), WINDOW_TICKS);
  }

  private static StoredOrder sequential(long cells) {
    return StoredOrder.of(new SequentialOrganization(2), cells);
  }

  @Test
  void countsStripesOfWindowsByDay() {
    // Stripes of 2 cells, groups of 2 stripes: cells 0 to 3, 4 to 7, 8.
    ParityForecast forecast =
        ParityForecast.of(
            windows(
                new long[] {0, 0},
                new long[] {0, 1},
                new long[] {0, 2},
                new long[] {1, 0},
                new long[] {2, 8},
                new long[] {2, 9}),
            sequential(9),
            2,
            2);
    assertThat(forecast).isEqualTo(new ParityForecast(new long[] {1500, 0, 500}));
    assertThat(forecast.milliUpdatesPerDay(3)).isZero();
  }

  @Test
  void goesByTheOrderInWhichCellsAreStored() {
    StoredOrder order = new StoredOrder(new long[] {2, 0}, new long[] {2, 2}, 4);
    assertThat(
            ParityForecast.of(
                windows(new long[] {0, 0}, new long[] {1, 0}, new long[] {1, 3}), order, 2, 1))
        .isEqualTo(new ParityForecast(new long[] {1000, 2000}));
  }

  @Test
  void aTraceWithoutTimeCountsAsASecond() {
    assertThat(ParityForecast.of(windows(new long[] {0, 0}), sequential(2), 2, 1))
        .isEqualTo(new ParityForecast(new long[] {86_400_000}));
    assertThat(ParityForecast.of(windows(), sequential(2), 2, 1))
        .isEqualTo(new ParityForecast(new long[] {0}));
    assertThat(ParityForecast.of(windows(), sequential(0), 2, 1).groupCount()).isZero();
  }

  @Test
  void allGroupsTogetherAreWhatAReplayCounts() {
    SeededRuns.of(50)
        .check(
            random -> {
              int cells = 1 + random.nextInt(50);
              RequestTable.Builder requests = new RequestTable.Builder();
              requests.add(new CellRequest(0, Access.WRITE, 0, 1));
              // 1000 days: a thousandth a day is one update.
              requests.add(new CellRequest(1000 * DAY_TICKS, Access.WRITE, 0, 1));
              for (int i = 0; i < 40; i++) {
                requests.add(
                    new CellRequest(
                        DAY_TICKS * random.nextInt(20), Access.WRITE, random.nextInt(cells), 1));
              }
              TimeWindows windows = TimeWindows.of(requests.build(), WINDOW_TICKS);
              int k = 1 + random.nextInt(5);
              SequentialOrganization organization = new SequentialOrganization(k);
              ParityForecast forecast =
                  ParityForecast.of(
                      windows, StoredOrder.of(organization, cells), k, 1 + random.nextInt(4));
              long sum = 0;
              for (int group = 0; group < forecast.groupCount(); group++) {
                sum += forecast.milliUpdatesPerDay(group);
              }
              assertThat(sum).isEqualTo(new Replayer(1).parityUpdates(windows, organization));
            });
  }
}
