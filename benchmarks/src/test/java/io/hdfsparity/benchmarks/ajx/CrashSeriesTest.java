/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CrashSeriesTest {
  private static AjxClients.Done at(double seconds) {
    return new AjxClients.Done((long) (seconds * 1e9), 1_000_000);
  }

  @Test
  void tellsTheRatesAroundACrash() {
    List<AjxClients.Done> done = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      done.add(at(i / 100.0)); // 100 a second until 10
      done.add(at(20 + i / 125.0)); // 125 a second from 20 to 28
    }
    done.add(new AjxClients.Done(20_500_000_000L, 10_500_000_000L));
    CrashSeries series = CrashSeries.of(done, 30, new CrashSeries.Times(10, 15, 18));
    assertThat(series.perSecond()).hasSize(60);
    assertThat(series.rates().before()).isCloseTo(100, within(1.0));
    assertThat(series.rates().down()).isZero();
    assertThat(series.rates().recovered()).isCloseTo(20, within(1e-9));
    assertThat(series.rates().after()).isCloseTo(125, within(3.0));
    assertThat(series.maxMs()).isCloseTo(10_500, within(1e-6));
    assertThat(series.table()).contains("while the node was gone");
  }

  @Test
  void aRateThatNeverComesBackIsNoNumber() {
    List<AjxClients.Done> done = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      done.add(at(i / 50.0));
    }
    CrashSeries series = CrashSeries.of(done, 10, new CrashSeries.Times(2, 4, 5));
    assertThat(series.rates().recovered()).isNaN();
    assertThat(series.rates().after()).isNaN();
  }
}
