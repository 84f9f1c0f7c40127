/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BoundedLookTest {
  private final AtomicInteger looks = new AtomicInteger();
  private final AtomicInteger checks = new AtomicInteger();
  private final CountDownLatch diskAnswers = new CountDownLatch(1);

  private boolean hang() {
    looks.incrementAndGet();
    try {
      diskAnswers.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
  }

  @Test
  void whatIsFoundIsReturned() throws Exception {
    BoundedLook look = new BoundedLook("DS-1", 60_000, checks::incrementAndGet);
    assertThat(look.ask(() -> true)).isTrue();
    assertThat(look.ask(() -> false)).isFalse();
    assertThatThrownBy(
            () ->
                look.ask(
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .isInstanceOf(IOException.class)
        .hasRootCauseMessage("broken");
    assertThat(look.ask(() -> true)).isTrue();
    assertThat(checks).hasValue(0);
  }

  @Test
  void nobodyWaitsLongForADiskThatDoesNotAnswer() throws Exception {
    BoundedLook look = new BoundedLook("DS-1", 10, checks::incrementAndGet);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> look.ask(this::hang))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("storageId=DS-1")
          .hasMessageContaining("try again");
    }
    assertThat(looks).as("threads at the disk").hasValue(1);
    assertThat(checks).as("checks by HDFS that were asked for").hasValue(3);
    diskAnswers.countDown();
    await().ignoreException(IOException.class).until(() -> look.ask(() -> true));
  }
}
