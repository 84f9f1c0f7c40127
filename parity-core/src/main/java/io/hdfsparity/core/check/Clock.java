/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** Time as a dependency, so that tests can move it. Thread-safe. */
public interface Clock {
  /** Monotonic nanoseconds from an arbitrary origin; for durations. */
  long nanoTime();

  /** Milliseconds since the epoch; for records that people read. Can jump. */
  long millis();

  /**
   * Waits until signalled or until {@code timeoutMs} of this clock have passed, as {@link
   * Condition#awaitNanos} does: the caller holds {@code lock} and checks its own condition again
   * afterwards. Can wake for no reason.
   *
   * @param lock held by the caller; {@code condition} belongs to it
   * @param timeoutMs milliseconds; at most 0 returns at once
   * @return milliseconds left, rounded up; at most 0 when the time has passed
   */
  long await(Lock lock, Condition condition, long timeoutMs) throws InterruptedException;

  /** The system's clock. */
  static Clock system() {
    return SystemClock.INSTANCE;
  }

  /** Real time; stateless. */
  enum SystemClock implements Clock {
    INSTANCE;

    @Override
    public long nanoTime() {
      return System.nanoTime();
    }

    @Override
    public long millis() {
      return System.currentTimeMillis();
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's, as the interface says
    public long await(Lock lock, Condition condition, long timeoutMs) throws InterruptedException {
      if (timeoutMs <= 0) {
        return timeoutMs;
      }
      long leftNanos = condition.awaitNanos(TimeUnit.MILLISECONDS.toNanos(timeoutMs));
      return leftNanos <= 0 ? 0 : (leftNanos + 999_999) / 1_000_000;
    }
  }
}
