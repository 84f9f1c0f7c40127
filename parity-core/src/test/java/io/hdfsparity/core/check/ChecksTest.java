/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class ChecksTest {
  @Test
  void messagesFollowTheGrammar() {
    assertThat(
            ErrorMessage.to("open Lstor")
                .value("version", 3)
                .value("disk", "d1")
                .expected("1..2")
                .file(Path.of("lstor-d1"))
                .offset(512)
                .message())
        .isEqualTo(
            "Cannot open Lstor: version=3, disk=d1, expected 1..2, file=lstor-d1 offset=512");
    assertThat(ErrorMessage.to("go").value("a", null)).hasToString("Cannot go: a=null");
    assertThat(ErrorMessage.to("go").expected("a")).hasToString("Cannot go: expected a");
  }

  @Test
  void checksThrowWhatTheySay() {
    Checks.argument(true, "go", "a", 1, "1");
    Checks.argument(true, "go", "a", "x", "x");
    Checks.state(true, "go", "a", "x", "x");
    Checks.range("go", 5, 5, 10);
    assertThat(Checks.index("go", "i", 4, 5)).isEqualTo(4);
    assertThatThrownBy(() -> Checks.argument(false, "go", "a", 1, "2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot go: a=1, expected 2");
    assertThatThrownBy(() -> Checks.state(false, "go", "a", "x", "y"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("Cannot go: a=x, expected y");
    assertThatThrownBy(() -> Checks.index("go", "i", 5, 5))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("Cannot go: i=5, expected 0 <= i < 5");
    for (long[] bad : new long[][] {{-1, 1}, {0, 11}, {10, 1}, {Long.MAX_VALUE, 1}, {1, -1}}) {
      assertThatThrownBy(() -> Checks.range("go", bad[0], bad[1], 10))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }

  @Test
  void seededRunsNameTheSeedThatFails() {
    List<Integer> seen = new ArrayList<>();
    assertThatThrownBy(
            () ->
                SeededRuns.of(5)
                    .check(
                        random -> {
                          seen.add(random.nextInt());
                          assertThat(seen).hasSizeLessThan(1);
                        }))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("seed=0, rerun with -Dseed=0")
        .hasCauseInstanceOf(AssertionError.class);
    assertThat(seen).containsExactly(new java.util.Random(0).nextInt());
  }

  @Test
  void seededRunsRunAsOftenAsAsked() {
    AtomicInteger runs = new AtomicInteger();
    SeededRuns.of(7).check(random -> runs.incrementAndGet());
    assertThat(runs.get()).isEqualTo(System.getProperty("seed", "").isEmpty() ? 7 : 1);
  }

  @Test
  void seedsAreTheSameInEachBuildUnlessAskedOtherwise() {
    assertThat(SeededRuns.seeds("0").nextLong()).isEqualTo(SeededRuns.seeds("0").nextLong());
    assertThat(SeededRuns.seeds("1").nextLong()).isNotEqualTo(SeededRuns.seeds("0").nextLong());
    assertThat(SeededRuns.seeds("fresh").nextLong())
        .isNotEqualTo(SeededRuns.seeds("fresh").nextLong());
    assertThatThrownBy(() -> SeededRuns.seeds("any"))
        .hasMessage("Cannot run a property: seeds=any, expected a number or fresh");
  }

  @Test
  void manualClockWakesWaiters() throws Exception {
    ManualClock clock = new ManualClock();
    ReentrantLock lock = new ReentrantLock();
    Condition condition = lock.newCondition();
    CompletableFuture<List<Long>> left =
        CompletableFuture.supplyAsync(
            () -> {
              lock.lock();
              try {
                return List.of(clock.await(lock, condition, 100), clock.await(lock, condition, 70));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              } finally {
                lock.unlock();
              }
            });
    awaitWait(clock, 1, left);
    clock.advance(30);
    awaitWait(clock, 2, left);
    clock.advance(70);
    assertThat(left.get(120, TimeUnit.SECONDS)).containsExactly(70L, 0L);
    assertThat(clock.millis()).isEqualTo(100);
    assertThat(clock.waiting()).isZero();
  }

  private static void awaitWait(ManualClock clock, int number, CompletableFuture<?> waiting) {
    while (clock.waitsBegun() < number && !waiting.isDone()) {
      Thread.onSpinWait();
    }
  }

  @Test
  void systemClockTimesOut() throws Exception {
    ReentrantLock lock = new ReentrantLock();
    lock.lock();
    try {
      Condition condition = lock.newCondition();
      long start = Clock.system().nanoTime();
      long left = 20;
      while (left > 0) {
        left = Clock.system().await(lock, condition, left);
      }
      assertThat(Clock.system().nanoTime() - start).isGreaterThanOrEqualTo(20_000_000L);
      assertThat(Clock.system().await(lock, condition, 0)).isZero();
    } finally {
      lock.unlock();
    }
    assertThat(Clock.system().millis()).isGreaterThan(1_700_000_000_000L);
  }
}
