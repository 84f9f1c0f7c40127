/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import io.hdfsparity.core.check.Clock;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Ends a decode from another thread. Once cancelled it stays so. Thread-safe. */
public final class CancelToken {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile boolean cancelled;

  public void cancel() {
    lock.lock();
    try {
      cancelled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  public boolean isCancelled() {
    return cancelled;
  }

  /**
   * @throws CancellationException once {@link #cancel} was called
   */
  public void check() {
    if (cancelled) {
      throw new CancellationException("Cannot continue decoding: cancelled");
    }
  }

  /**
   * Waits until a moment of the clock.
   *
   * @param deadlineNanos on {@link Clock#nanoTime}
   * @throws CancellationException as soon as {@link #cancel} is called
   */
  void awaitUntil(Clock clock, long deadlineNanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      check();
      for (long left = deadlineNanos - clock.nanoTime();
          left > 0;
          left = deadlineNanos - clock.nanoTime()) {
        long leftMs = TimeUnit.NANOSECONDS.toMillis(left + TimeUnit.MILLISECONDS.toNanos(1) - 1);
        // Spurious wake-ups and time left are both seen by asking the clock again.
        clock.await(lock, changed, leftMs);
        check();
      }
    } finally {
      lock.unlock();
    }
  }
}
