/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ThrottleTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void theBucketGrantsTheRateAndATenthOfASecondInAdvance() {
    TokenBucket bucket = new TokenBucket(1000);
    assertThat(bucket.reserve(100, 0)).isZero();
    assertThat(bucket.reserve(1000, 0)).isEqualTo(SECOND);
    assertThat(bucket.reserve(500, SECOND / 2)).isEqualTo(SECOND);
    assertThat(bucket.reserve(0, 10 * SECOND)).isZero();
    assertThat(bucket.reserve(1100, 10 * SECOND))
        .as("what is saved up is bounded")
        .isEqualTo(SECOND);
    assertThat(new TokenBucket(0).reserve(Long.MAX_VALUE, 5)).isZero();
    assertThat(new TokenBucket(Long.MAX_VALUE).reserve(1 << 30, 5)).isZero();
    assertThatThrownBy(() -> new TokenBucket(-1)).hasMessageContaining("bytesPerSecond=-1");
  }

  @Test
  void overAMinuteNoMoreThanTheRateGetsThrough() {
    TokenBucket bucket = new TokenBucket(10_000);
    long now = 0;
    long bytes = 0;
    java.util.Random random = new java.util.Random(1);
    while (now < 60 * SECOND) {
      int request = random.nextInt(30_000);
      now += bucket.reserve(request, now);
      bytes += request;
    }
    assertThat(bytes).isBetween(600_000L, 600_000L + 1_000 + 30_000);
  }

  @Test
  void waitsOnTheInjectedClockAlone() throws Exception {
    ManualClock clock = new ManualClock();
    Throttle throttle = new Throttle(1000, clock, new CancelToken());
    CompletableFuture<Void> waiting = start(throttle, 5100);
    assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    clock.advance(4999);
    assertThatThrownBy(() -> waiting.get(100, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    clock.advance(1);
    waiting.get(120, TimeUnit.SECONDS);
  }

  @Test
  void cancelEndsTheWait() {
    CancelToken cancel = new CancelToken();
    CompletableFuture<Void> waiting = start(new Throttle(1, new ManualClock(), cancel), 1_000_000);
    cancel.cancel();
    Awaitility.await().until(waiting::isDone);
    assertThatThrownBy(waiting::get)
        .isInstanceOfAny(ExecutionException.class, CancellationException.class);
  }

  private static CompletableFuture<Void> start(Throttle throttle, long bytes) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                throttle.acquire(bytes);
                done.complete(null);
              } catch (java.io.IOException | RuntimeException e) {
                done.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return done;
  }
}
