/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the thread that moves changes on. Thread-safe. */
final class WorkSignal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private boolean isUrgent;

  /** Written with the lock held. */
  private volatile boolean isThere;

  /**
   * There is something to do, some time. Cheap, and wakes nobody, when that is known already: it is
   * called for every change. Whoever finds it known has made his change before it is forgotten, and
   * it is forgotten before changes are looked for.
   */
  void work() {
    if (isThere) {
      return;
    }
    lock.lock();
    try {
      isThere = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Somebody waits. */
  void urgent() {
    lock.lock();
    try {
      isThere = true;
      isUrgent = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits for work, but no longer than {@code maxMs}, and then for more of it to gather, unless it
   * is urgent.
   *
   * @return whether there is work
   */
  boolean await(long gatherMs, long maxMs) throws InterruptedException {
    lock.lock();
    try {
      long waitNs = TimeUnit.MILLISECONDS.toNanos(maxMs);
      while (!isThere) {
        if (waitNs <= 0) {
          return false;
        }
        waitNs = changed.awaitNanos(waitNs);
      }
      long leftNs = TimeUnit.MILLISECONDS.toNanos(gatherMs);
      while (!isUrgent && leftNs > 0) {
        leftNs = changed.awaitNanos(leftNs);
      }
      isThere = false;
      isUrgent = false;
      return true;
    } finally {
      lock.unlock();
    }
  }
}
