/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class XorLockTest {
  /**
   * Whether work on [300, 400) gets in while another thread works on [100, 200) resp. on [350,
   * 360).
   */
  /**
   * Whether another gets into 300 to 400 beside one that holds a range.
   *
   * @param patienceMs how long it may take him
   */
  private static boolean enters(LockScope scope, long heldFrom, long heldTo, long patienceMs)
      throws Exception {
    XorLock lock = new XorLock(scope);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    CountDownLatch entered = new CountDownLatch(1);
    Thread holder =
        new Thread(
            () ->
                lock.run(
                    heldFrom,
                    heldTo,
                    () -> {
                      held.countDown();
                      awaitQuietly(leave);
                    }));
    holder.start();
    held.await();
    Thread other = new Thread(() -> lock.run(300, 400, entered::countDown));
    other.start();
    boolean parallel = entered.await(patienceMs, TimeUnit.MILLISECONDS);
    leave.countDown();
    holder.join();
    other.join();
    assertThat(entered.getCount()).isZero();
    return parallel;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void rangeKeepsOutOnlyWhatOverlapsSuperchunkKeepsOutAll() throws Exception {
    assertThat(enters(LockScope.RANGE, 100, 200, 120_000)).isTrue();
    assertThat(enters(LockScope.RANGE, 100, 300, 120_000)).isTrue();
    assertThat(enters(LockScope.RANGE, 350, 360, 200)).isFalse();
    assertThat(enters(LockScope.RANGE, 0, 301, 200)).isFalse();
    assertThat(enters(LockScope.SUPERCHUNK, 100, 200, 200)).isFalse();
  }

  @Test
  void aFailingWorkLetsGo() {
    XorLock lock = new XorLock(LockScope.SUPERCHUNK);
    org.assertj.core.api.Assertions.assertThatThrownBy(
            () ->
                lock.run(
                    0,
                    1,
                    () -> {
                      throw new IllegalStateException("x");
                    }))
        .hasMessage("x");
    AtomicInteger ran = new AtomicInteger();
    lock.run(0, 1, ran::incrementAndGet);
    assertThat(ran).hasValue(1);
  }
}
