/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls that are served one at a time, while a few others may wait. A caller beyond those is turned
 * away at once: it would hold a thread of the server that calls of others need. So is one whose
 * user has his share of the places: nobody keeps all others out by calling all the time.
 * Thread-safe.
 */
final class SerialCalls {
  private final int max;
  private final int maxEach;
  private final ReentrantLock oneAtATime = new ReentrantLock(/* fair= */ true);

  /** Calls that are served or wait, by user. Guarded by this, as the sum. */
  private final Map<String, Integer> calls = new HashMap<>();

  private int callsInAll;

  /**
   * @param max calls that are served or wait
   * @param maxEach the same of one user
   */
  SerialCalls(int max, int maxEach) {
    this.max = max;
    this.maxEach = maxEach;
  }

  /**
   * Waits for this caller's turn; if it has come, {@link #leave} must follow, by the same thread.
   *
   * @return false: the time is over, or too many wait
   */
  boolean enter(String user, long waitMs) throws InterruptedException {
    if (!begin(user)) {
      return false;
    }
    boolean isEntered = false;
    try {
      isEntered = oneAtATime.tryLock(waitMs, TimeUnit.MILLISECONDS);
      return isEntered;
    } finally {
      if (!isEntered) {
        end(user);
      }
    }
  }

  void leave(String user) {
    oneAtATime.unlock();
    end(user);
  }

  private synchronized boolean begin(String user) {
    if (callsInAll >= max || calls.getOrDefault(user, 0) >= maxEach) {
      return false;
    }
    callsInAll++;
    calls.merge(user, 1, Integer::sum);
    return true;
  }

  private synchronized void end(String user) {
    callsInAll--;
    calls.computeIfPresent(user, (of, count) -> count == 1 ? null : count - 1);
  }

  /** Callers that wait. */
  int waiting() {
    return oneAtATime.getQueueLength();
  }
}
