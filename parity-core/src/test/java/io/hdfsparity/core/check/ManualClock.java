/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * A clock that stands still until {@link #advance} moves it, which wakes whoever waits on it.
 * Thread-safe.
 */
public final class ManualClock implements Clock {
  /** Compared by identity: two threads may wait on one condition. */
  private static final class Waiter {
    final Lock lock;
    final Condition condition;

    Waiter(Lock lock, Condition condition) {
      this.lock = lock;
      this.condition = condition;
    }
  }

  private final Object monitor = new Object();
  private final Set<Waiter> waiters = new HashSet<>();
  private long nowNanos;
  private int waitsBegun;

  @Override
  public long nanoTime() {
    synchronized (monitor) {
      return nowNanos;
    }
  }

  @Override
  public long millis() {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime());
  }

  /** Moves time on. Not to be called with a lock held that a waiter needs. */
  public void advance(long ms) {
    Checks.argument(ms >= 0, "advance a clock", "ms", ms, ">= 0");
    Set<Waiter> woken;
    synchronized (monitor) {
      nowNanos += TimeUnit.MILLISECONDS.toNanos(ms);
      woken = new HashSet<>(waiters);
    }
    for (Waiter waiter : woken) {
      waiter.lock.lock();
      try {
        waiter.condition.signalAll();
      } finally {
        waiter.lock.unlock();
      }
    }
  }

  /** Waits begun so far: a test awaits the one it means before it calls {@link #advance}. */
  public int waitsBegun() {
    synchronized (monitor) {
      return waitsBegun;
    }
  }

  /** Threads waiting now, those included that are about to wake. */
  public int waiting() {
    synchronized (monitor) {
      return waiters.size();
    }
  }

  @Override
  @SuppressWarnings("WaitNotInLoop") // the loop is the caller's, as the interface says
  public long await(Lock lock, Condition condition, long timeoutMs) throws InterruptedException {
    if (timeoutMs <= 0) {
      return timeoutMs;
    }
    Waiter waiter = new Waiter(lock, condition);
    long deadlineNanos;
    synchronized (monitor) {
      deadlineNanos = nowNanos + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
      waiters.add(waiter);
      waitsBegun++;
    }
    try {
      // advance() needs the lock that we hold until here, so its signal cannot come too early.
      condition.await();
    } finally {
      synchronized (monitor) {
        waiters.remove(waiter);
      }
    }
    return TimeUnit.NANOSECONDS.toMillis(deadlineNanos - nanoTime());
  }
}
