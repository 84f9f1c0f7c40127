/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RefusalLogTest {
  /** Monotonic clocks may be negative. */
  private final AtomicLong clockMs = new AtomicLong(-5_000);

  private final RefusalLog log = new RefusalLog(clockMs::get);

  @Test
  void oneLineInTenSecondsTellsOfAllOfARule() {
    assertThat(log.count(GuardRule.CODEC)).contains(1L);
    for (int i = 0; i < 100; i++) {
      clockMs.addAndGet(99);
      assertThat(log.count(GuardRule.CODEC)).isEmpty();
    }
    assertThat(log.count(GuardRule.POLICY)).as("another rule").contains(1L);
    clockMs.addAndGet(100);
    assertThat(log.count(GuardRule.CODEC)).contains(101L);
    assertThat(log.count(GuardRule.CODEC)).isEmpty();
    assertThat(log.total(GuardRule.CODEC)).isEqualTo(103);
    assertThat(log.total(GuardRule.ORDER_READ)).isZero();
  }
}
