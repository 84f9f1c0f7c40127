/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Several works of the manager side by side. */
class ManagerRoundsTest {
  private final ManagerRounds rounds = new ManagerRounds();
  private final CountDownLatch never = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);

  @AfterEach
  void stop() {
    rounds.stop();
  }

  private void hang() {
    try {
      never.await();
    } catch (InterruptedException e) {
      ended.countDown();
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aWorkThatHangsDelaysNoOther() throws Exception {
    AtomicInteger others = new AtomicInteger();
    AtomicInteger hanging = new AtomicInteger();
    rounds.start(
        "hangs",
        1,
        () -> {
          hanging.incrementAndGet();
          hang();
        });
    Awaitility.await().until(() -> hanging.get() == 1);
    rounds.start("goes", 1, others::incrementAndGet);
    Awaitility.await().until(() -> others.get() > 2);
    assertThat(hanging.get()).isEqualTo(1);
    rounds.stop();
    assertThat(ended.await(1, TimeUnit.MINUTES)).as("a stop interrupts it").isTrue();
  }

  @Test
  void aWorkGoesOnAfterRoundsThatFailed() {
    AtomicInteger count = new AtomicInteger();
    rounds.start(
        "fails",
        1,
        () -> {
          switch (count.incrementAndGet()) {
            case 1 -> throw new IOException("failed by the test");
            case 2 -> throw new IllegalStateException("failed by the test");
            case 3 -> throw new OutOfMemoryError("failed by the test");
            default -> {}
          }
        });
    Awaitility.await().until(() -> count.get() > 4);
  }
}
