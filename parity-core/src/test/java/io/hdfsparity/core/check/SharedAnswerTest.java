/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class SharedAnswerTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final AtomicLong nowMs = new AtomicLong(Long.MIN_VALUE);
  private final AtomicInteger asked = new AtomicInteger();
  private final Semaphore answers = new Semaphore(0);
  private volatile Optional<String> next = Optional.empty();
  private final SharedAnswer<String> answer = new SharedAnswer<>(this::ask, 60, 10, nowMs::get);

  private Optional<String> ask() {
    asked.incrementAndGet();
    answers.acquireUninterruptibly();
    return next;
  }

  @AfterEach
  void stop() {
    answers.release(1000);
    threads.shutdownNow();
  }

  private Future<Optional<String>> later() {
    int before = asked.get();
    Future<Optional<String>> call = threads.submit(answer::trouble);
    await().until(() -> asked.get() > before);
    return call;
  }

  @Test
  void countsForAWhile() throws Exception {
    answers.release(1000);
    assertThat(answer.trouble()).isEmpty();
    next = Optional.of("hangs");
    nowMs.addAndGet(59);
    assertThat(answer.trouble()).isEmpty();
    nowMs.addAndGet(1);
    assertThat(answer.trouble()).contains("hangs");
    next = Optional.empty();
    nowMs.addAndGet(9);
    assertThat(answer.trouble()).contains("hangs");
    nowMs.addAndGet(1);
    assertThat(answer.trouble()).isEmpty();
    assertThat(asked).hasValue(3);
  }

  /** However many call, one thread waits for what does not answer. */
  @Test
  void nobodyWaitsWhileTroubleGoesOn() throws Exception {
    next = Optional.of("hangs");
    answers.release();
    assertThat(answer.trouble()).contains("hangs");
    nowMs.addAndGet(10);
    Future<Optional<String>> asks = later();
    for (int i = 0; i < 20; i++) {
      assertThat(answer.trouble()).contains("hangs");
    }
    assertThat(asks).isNotDone();
    next = Optional.empty();
    answers.release();
    assertThat(asks.get()).isEmpty();
    assertThat(answer.trouble()).isEmpty();
    assertThat(asked).hasValue(2);
  }

  @Test
  void callersWaitForOneAnswer() throws Exception {
    next = Optional.of("hangs");
    Future<Optional<String>> asks = later();
    Future<Optional<String>> waits = threads.submit(answer::trouble);
    answers.release();
    assertThat(asks.get()).contains("hangs");
    assertThat(waits.get()).contains("hangs");
    assertThat(asked).hasValue(1);
  }

  @Test
  void anErrorIsNoAnswer() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    SharedAnswer<String> failing =
        new SharedAnswer<>(
            () -> {
              if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
              }
              return Optional.empty();
            },
            60,
            10,
            nowMs::get);
    assertThatThrownBy(failing::trouble).hasMessage("once");
    assertThat(failing.trouble()).isEmpty();
  }
}
