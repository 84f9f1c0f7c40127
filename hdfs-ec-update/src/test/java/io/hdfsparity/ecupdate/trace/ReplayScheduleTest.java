/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReplayScheduleTest {
  /** Timestamps of the MSR traces: 100 ns since 1601. */
  private static final long BEGIN_TICKS = 128_166_372_003_061_629L;

  private static final long SECOND_TICKS = 10_000_000;

  @Test
  void requestsAreDueAtTheirTimesAfterTheFirst() throws Exception {
    ReplaySchedule schedule = new ReplaySchedule(1);
    assertThat(schedule.dueNanos(BEGIN_TICKS)).isZero();
    assertThat(schedule.dueNanos(BEGIN_TICKS + 1)).isEqualTo(100);
    assertThat(schedule.dueNanos(BEGIN_TICKS + 3 * SECOND_TICKS))
        .isEqualTo(TimeUnit.SECONDS.toNanos(3));
    assertThat(schedule.dueNanos(BEGIN_TICKS + 7 * 86_400 * SECOND_TICKS))
        .isEqualTo(TimeUnit.DAYS.toNanos(7));
  }

  @Test
  void aSpeedDividesTheTimes() throws Exception {
    ReplaySchedule schedule = new ReplaySchedule(0.5);
    schedule.dueNanos(BEGIN_TICKS);
    assertThat(schedule.dueNanos(BEGIN_TICKS + SECOND_TICKS))
        .isEqualTo(TimeUnit.SECONDS.toNanos(2));
    ReplaySchedule none = new ReplaySchedule(0);
    none.dueNanos(0);
    assertThat(none.dueNanos(Long.MAX_VALUE)).isZero();
  }

  /** Their latencies would otherwise be counted from days ago. */
  @Test
  void whatIsEarlierThanTheOneBeforeIsDueWithIt() throws Exception {
    ReplaySchedule schedule = new ReplaySchedule(1);
    schedule.dueNanos(BEGIN_TICKS);
    schedule.dueNanos(BEGIN_TICKS + 5 * SECOND_TICKS);
    assertThat(schedule.dueNanos(BEGIN_TICKS + SECOND_TICKS))
        .isEqualTo(TimeUnit.SECONDS.toNanos(5));
    assertThat(schedule.dueNanos(0)).isEqualTo(TimeUnit.SECONDS.toNanos(5));
    assertThat(schedule.dueNanos(BEGIN_TICKS + 6 * SECOND_TICKS))
        .isEqualTo(TimeUnit.SECONDS.toNanos(6));
  }

  @Test
  void aTimeThatNobodyWaitsForIsRefused() throws Exception {
    ReplaySchedule schedule = new ReplaySchedule(1);
    schedule.dueNanos(0);
    assertThatThrownBy(() -> schedule.dueNanos(BEGIN_TICKS))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("timestamp=" + BEGIN_TICKS)
        .hasMessageContaining("ten years");
    ReplaySchedule far = new ReplaySchedule(1e-9);
    far.dueNanos(0);
    assertThatThrownBy(() -> far.dueNanos(SECOND_TICKS)).isInstanceOf(IOException.class);
  }
}
