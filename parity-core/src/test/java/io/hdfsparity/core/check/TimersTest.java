/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class TimersTest {
  private static final long FOR_EVER_MS = TimeUnit.DAYS.toMillis(1);

  private final ExecutorService pool = Timers.daemonPool(1, "test");
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);
  private final AtomicBoolean isInterrupted = new AtomicBoolean();

  @AfterEach
  void end() {
    pool.shutdownNow();
  }

  private void begin() throws InterruptedException {
    pool.execute(
        () -> {
          begun.countDown();
          try {
            go.await();
          } catch (InterruptedException e) {
            isInterrupted.set(true);
          }
        });
    begun.await();
  }

  @Test
  void whatHasBegunIsWaitedFor() throws InterruptedException {
    begin();
    go.countDown();
    Timers.end(pool, FOR_EVER_MS);
    assertThat(pool.isTerminated()).isTrue();
    assertThat(isInterrupted).isFalse();
  }

  @Test
  void whatDoesNotEndIsInterrupted() throws InterruptedException {
    begin();
    Timers.end(pool, 1);
    assertThat(pool.awaitTermination(FOR_EVER_MS, TimeUnit.MILLISECONDS)).isTrue();
    assertThat(isInterrupted).isTrue();
  }

  @Test
  void whoIsInterruptedDoesNotWaitAndStaysInterrupted() throws InterruptedException {
    begin();
    Thread.currentThread().interrupt();
    Timers.end(pool, FOR_EVER_MS);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(pool.awaitTermination(FOR_EVER_MS, TimeUnit.MILLISECONDS)).isTrue();
    assertThat(isInterrupted).isTrue();
  }

  @Test
  void guardedWorkGoesOnWhateverItAndTheLogThrow() {
    AtomicInteger rounds = new AtomicInteger();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    ScheduledExecutorService timer = Timers.daemon("test-guarded");
    try {
      timer.scheduleWithFixedDelay(
          Timers.guarded(
              () -> {
                switch (rounds.incrementAndGet()) {
                  case 1 -> throw new OutOfMemoryError("planted");
                  case 2 -> throw new IllegalStateException("planted");
                  default -> {}
                }
              },
              e -> {
                failures.add(e);
                throw new OutOfMemoryError("for the log too");
              }),
          0,
          1,
          TimeUnit.MILLISECONDS);
      Awaitility.await().until(() -> rounds.get() > 3);
    } finally {
      timer.shutdownNow();
    }
    assertThat(failures)
        .hasSize(2)
        .satisfiesExactly(
            e -> assertThat(e).isInstanceOf(OutOfMemoryError.class),
            e -> assertThat(e).isInstanceOf(IllegalStateException.class));
  }
}
