/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

class DurableLogTest {
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void waitsUntilItIsWritten() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    DurableLog.await(
        () -> awaitQuietly(written),
        () -> {
          if (looks.incrementAndGet() == 3) {
            written.countDown();
          }
          return true;
        });
    assertThat(looks).hasValueGreaterThanOrEqualTo(3);
  }

  /** HDFS's own wait has no end then: the thread that would end it was stopped. */
  @Test
  void aLogThatIsClosedMeanwhileEndsTheWait() {
    CountDownLatch never = new CountDownLatch(1);
    try {
      assertThatThrownBy(
              () -> DurableLog.await(() -> awaitQuietly(never), () -> looks.incrementAndGet() < 3))
          .isInstanceOf(StandbyException.class);
    } finally {
      never.countDown();
    }
  }

  @Test
  void aFailureIsThatOfTheCaller() {
    assertThatThrownBy(
            () ->
                DurableLog.await(
                    () -> {
                      throw new IllegalStateException("as the test wants");
                    },
                    () -> true))
        .hasRootCauseMessage("as the test wants");
  }

  @Test
  void anInterruptIsKeptAndEndsNothing() throws Exception {
    CountDownLatch written = new CountDownLatch(1);
    Thread.currentThread().interrupt();
    DurableLog.await(
        () -> awaitQuietly(written),
        () -> {
          written.countDown();
          return true;
        });
    assertThat(Thread.interrupted()).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
