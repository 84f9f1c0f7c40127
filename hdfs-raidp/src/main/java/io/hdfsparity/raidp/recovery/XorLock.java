/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Serializes threads that XOR into the same bytes, at the granularity of a {@link LockScope}.
 * Positions are byte offsets in the superchunk. Not reentrant. Thread-safe.
 */
final class XorLock {
  private record Range(long from, long to) {}

  private final LockScope scope;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition released = lock.newCondition();
  private final List<Range> held = new ArrayList<>();

  XorLock(LockScope scope) {
    this.scope = scope;
  }

  /** Runs {@code work} while no other thread works on an overlapping range. */
  void run(long from, long to, Runnable work) {
    Range range =
        scope == LockScope.SUPERCHUNK
            ? new Range(Long.MIN_VALUE, Long.MAX_VALUE)
            : new Range(from, to);
    enter(range);
    try {
      work.run();
    } finally {
      leave(range);
    }
  }

  private void enter(Range range) {
    lock.lock();
    try {
      while (held.stream().anyMatch(r -> r.from < range.to && range.from < r.to)) {
        released.awaitUninterruptibly();
      }
      held.add(range);
    } finally {
      lock.unlock();
    }
  }

  private void leave(Range range) {
    lock.lock();
    try {
      held.remove(range);
      released.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
