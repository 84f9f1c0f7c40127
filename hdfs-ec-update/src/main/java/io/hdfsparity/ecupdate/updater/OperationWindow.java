/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many operations may be under way at a time. One that is abandoned goes on: its nodes may
 * answer much later, or never when its block group lacks units. It leaves the window then, so that
 * others begin, and is counted for its kind instead: no more of that kind begin while there are too
 * many of them. As many operations as the window has may be abandoned in all; further ones keep
 * their places, so that memory is bounded.
 *
 * <p>Thread-safe.
 */
final class OperationWindow {
  /** What of a kind may be abandoned, as a part of the window. */
  private static final int KIND_SHARE = 8;

  private final int max;
  private final int maxAbandonedOfKind;
  private final Semaphore free;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();

  /** By kind; none is 0. Guarded by the lock, as the sum. */
  private final Map<Kind, Integer> abandoned = new HashMap<>();

  private int abandonedInAll;

  /**
   * Operations that wait for the same nodes.
   *
   * @param doing what is done
   * @param group index of the block group
   * @param unit the only one that is asked; -1 if there are several
   */
  record Kind(String doing, int group, int unit) {
    static final int SEVERAL_UNITS = -1;
  }

  private enum State {
    UNDER_WAY,
    ABANDONED,
    ENDED
  }

  /** Empty. */
  OperationWindow(int max) {
    this.max = max;
    maxAbandonedOfKind = Math.max(1, max / KIND_SHARE);
    free = new Semaphore(max, true);
  }

  /**
   * Waits for a place.
   *
   * @return null if there was none in time
   */
  @Nullable Place enter(Kind kind, long waitMs) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs);
    return awaitEnd(kind, deadlineNanos)
            && free.tryAcquire(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS)
        ? new Place(kind)
        : null;
  }

  /** False: there are too many of the kind still. */
  private boolean awaitEnd(Kind kind, long deadlineNanos) throws InterruptedException {
    lock.lock();
    try {
      while (abandoned.getOrDefault(kind, 0) >= maxAbandonedOfKind) {
        long leftNanos = deadlineNanos - System.nanoTime();
        if (leftNanos <= 0) {
          return false;
        }
        ended.awaitNanos(leftNanos);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** For messages: what of a kind is abandoned, and what is under way. */
  String state(Kind kind) {
    lock.lock();
    try {
      return abandoned.getOrDefault(kind, 0)
          + " of the same kind, "
          + (abandonedInAll + max - free.availablePermits())
          + " in all";
    } finally {
      lock.unlock();
    }
  }

  /** Of an operation. Thread-safe. */
  final class Place {
    private final Kind kind;

    /** Guarded by the lock. */
    private State state = State.UNDER_WAY;

    private Place(Kind kind) {
      this.kind = kind;
    }

    /** Nobody waits for the operation any more. It may have ended. */
    void abandon() {
      lock.lock();
      try {
        if (state != State.UNDER_WAY || abandonedInAll >= max) {
          return;
        }
        abandoned.merge(kind, 1, Integer::sum);
        abandonedInAll++;
        state = State.ABANDONED;
      } finally {
        lock.unlock();
      }
      free.release();
    }

    /** The operation has ended, or was not begun; once. */
    void leave() {
      lock.lock();
      try {
        State before = state;
        state = State.ENDED;
        if (before == State.ABANDONED) {
          abandonedInAll--;
          abandoned.computeIfPresent(kind, (of, count) -> count == 1 ? null : count - 1);
          ended.signalAll();
          return;
        }
      } finally {
        lock.unlock();
      }
      free.release();
    }
  }
}
