/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.net;

import java.util.ArrayDeque;
import java.util.Deque;

/** Bytes of memory that all connections of a node share. Fair; thread-safe. */
final class FrameBudget {
  private record Waiter(long bytes, Runnable whenTaken) {}

  private final Deque<Waiter> waiters = new ArrayDeque<>();
  private long free;

  FrameBudget(long bytes) {
    free = bytes;
  }

  /**
   * Takes bytes if there are so many, or queues up for them.
   *
   * @param whenTaken called, perhaps on another thread, when they have been taken after all
   * @return whether they have been taken at once; {@code whenTaken} is not called then
   */
  synchronized boolean take(long bytes, Runnable whenTaken) {
    if (waiters.isEmpty() && free >= bytes) {
      free -= bytes;
      return true;
    }
    waiters.add(new Waiter(bytes, whenTaken));
    return false;
  }

  /** Takes bytes that cannot be waited for; others wait for them instead. */
  synchronized void takeAnyway(long bytes) {
    free -= bytes;
  }

  /** Gives bytes back. */
  void give(long bytes) {
    Deque<Waiter> served = new ArrayDeque<>();
    synchronized (this) {
      free += bytes;
      for (Waiter next = waiters.peek();
          next != null && next.bytes <= free;
          next = waiters.peek()) {
        free -= next.bytes;
        served.add(waiters.remove());
      }
    }
    served.forEach(waiter -> waiter.whenTaken.run());
  }

  /** For tests: what nobody has. */
  synchronized long free() {
    return free;
  }
}
