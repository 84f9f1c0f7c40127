/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RangeOrderTest {
  private final RangeOrder order = new RangeOrder();

  @Test
  void onlyOverlappingWritesWait() throws Exception {
    RangeOrder.Entry first = order.enter(100, 50);
    RangeOrder.Entry beside = order.enter(150, 50);
    RangeOrder.Entry before = order.enter(50, 50);
    RangeOrder.Entry over = order.enter(149, 1);
    first.await();
    beside.await();
    before.await();
    AtomicBoolean began = new AtomicBoolean();
    Thread waiting =
        new Thread(
            () -> {
              over.await();
              began.set(true);
            });
    waiting.start();
    await().until(() -> waiting.getState() == Thread.State.WAITING);
    assertThat(began).isFalse();
    first.close();
    waiting.join();
    assertThat(began).isTrue();
    over.close();
    beside.close();
    before.close();
    assertThat(order.size()).isZero();
  }

  /** Of each byte the last one that entered wins, and nobody waits for ever. */
  @Test
  void writesOfEachByteAreInTheOrderOfEntering() throws Exception {
    Random random = new Random(5);
    int bytes = 64;
    int writes = 400;
    int[] wanted = new int[bytes];
    AtomicInteger[] found = new AtomicInteger[bytes];
    for (int i = 0; i < bytes; i++) {
      found[i] = new AtomicInteger();
    }
    List<Thread> threads = new ArrayList<>();
    CountDownLatch all = new CountDownLatch(1);
    for (int write = 1; write <= writes; write++) {
      int from = random.nextInt(bytes);
      int to = from + random.nextInt(bytes - from) + 1;
      int value = write;
      for (int i = from; i < to; i++) {
        wanted[i] = value;
      }
      RangeOrder.Entry entry = order.enter(from, to - from);
      Thread thread =
          new Thread(
              () -> {
                try (entry) {
                  all.await();
                  entry.await();
                  for (int i = from; i < to; i++) {
                    assertThat(found[i].getAndSet(value)).isLessThan(value);
                  }
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    all.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    for (int i = 0; i < bytes; i++) {
      assertThat(found[i].get()).isEqualTo(wanted[i]);
    }
    assertThat(order.size()).isZero();
  }
}
