/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SerialCallsTest {
  private static final long LONG_MS = 60_000;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SerialCalls calls = new SerialCalls(3, 2);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void aFewWaitAndOthersAreTurnedAwayAtOnce() throws Exception {
    AtomicInteger atOnce = new AtomicInteger();
    assertThat(calls.enter("u", LONG_MS)).isTrue();
    List<Future<Boolean>> waiting = new ArrayList<>();
    for (String user : List.of("v", "w")) {
      waiting.add(
          threads.submit(
              () -> {
                boolean isEntered = calls.enter(user, LONG_MS);
                boolean isAlone = atOnce.incrementAndGet() == 1;
                atOnce.decrementAndGet();
                calls.leave(user);
                return isEntered && isAlone;
              }));
    }
    await().until(() -> calls.waiting() == 2);
    assertThat(threads.submit(() -> calls.enter("x", LONG_MS)).get()).isFalse();
    calls.leave("u");
    for (Future<Boolean> each : waiting) {
      assertThat(each.get()).isTrue();
    }
    assertThat(calls.enter("x", 0)).isTrue();
    calls.leave("x");
  }

  @Test
  void whoseTimeIsOverReturnsItsPlace() throws Exception {
    assertThat(calls.enter("u", LONG_MS)).isTrue();
    for (int caller = 0; caller < 5; caller++) {
      assertThat(threads.submit(() -> calls.enter("u", 1)).get()).isFalse();
    }
    Future<Boolean> next = threads.submit(() -> calls.enter("u", LONG_MS));
    await().until(() -> calls.waiting() == 1);
    calls.leave("u");
    assertThat(next.get()).isTrue();
  }

  /** Who calls all the time, by many connections, leaves room for others. */
  @Test
  void aUserHasNotAllPlaces() throws Exception {
    assertThat(calls.enter("u", LONG_MS)).isTrue();
    Future<Boolean> second = threads.submit(() -> enterAndLeave("u"));
    await().until(() -> calls.waiting() == 1);
    assertThat(threads.submit(() -> calls.enter("u", LONG_MS)).get()).as("a third").isFalse();
    Future<Boolean> other = threads.submit(() -> enterAndLeave("v"));
    await().until(() -> calls.waiting() == 2);
    calls.leave("u");
    assertThat(second.get()).isTrue();
    assertThat(other.get()).isTrue();
  }

  private boolean enterAndLeave(String user) throws InterruptedException {
    boolean isEntered = calls.enter(user, LONG_MS);
    calls.leave(user);
    return isEntered;
  }
}
