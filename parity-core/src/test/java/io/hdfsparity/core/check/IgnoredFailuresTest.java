/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;

class IgnoredFailuresTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final IgnoredFailures failures =
      new IgnoredFailures(new PrintStream(printed, true, StandardCharsets.UTF_8));
  private final AtomicInteger looks = new AtomicInteger();

  private String waitFor(Callable<Boolean> condition) {
    assertThatThrownBy(
            () ->
                await("a green light")
                    .conditionEvaluationListener(failures)
                    .ignoreExceptions()
                    .atMost(Duration.ofMillis(300))
                    .pollInterval(Duration.ofMillis(10))
                    .until(condition))
        .isInstanceOf(ConditionTimeoutException.class);
    return printed.toString(StandardCharsets.UTF_8);
  }

  @Test
  void saysWhatAConditionHasThrownLast() {
    String said =
        waitFor(
            () -> {
              throw new IllegalStateException(
                  "the lamp is broken, look " + looks.incrementAndGet());
            });
    assertThat(said)
        .startsWith("Waited in vain for: a green light. What it threw last:")
        .contains("IllegalStateException: the lamp is broken, look ")
        .contains("IgnoredFailuresTest");
  }

  @Test
  void saysNothingOfWhatWasThrownBeforeItWasJustNotSo() {
    String said =
        waitFor(
            () -> {
              if (looks.incrementAndGet() == 1) {
                throw new IllegalStateException("not there yet");
              }
              return false;
            });
    assertThat(looks).hasValueGreaterThan(1);
    assertThat(said).isEmpty();
  }
}
