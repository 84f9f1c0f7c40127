/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls that are served one at a time, while a few others may wait. A caller beyond those is turned
 * away at once: it would hold a thread of the server that calls of others need. Thread-safe.
 */
final class SerialCalls {
  private final Semaphore permits;
  private final ReentrantLock oneAtATime = new ReentrantLock(/* fair= */ true);

  /**
   * @param maxWaiting callers that wait for the one who is served
   */
  SerialCalls(int maxWaiting) {
    permits = new Semaphore(1 + maxWaiting);
  }

  /**
   * Waits for this caller's turn; if it has come, {@link #leave} must follow, by the same thread.
   *
   * @return false: the time is over, or too many wait
   */
  boolean enter(long waitMs) throws InterruptedException {
    if (!permits.tryAcquire()) {
      return false;
    }
    boolean isEntered = false;
    try {
      isEntered = oneAtATime.tryLock(waitMs, TimeUnit.MILLISECONDS);
      return isEntered;
    } finally {
      if (!isEntered) {
        permits.release();
      }
    }
  }

  void leave() {
    oneAtATime.unlock();
    permits.release();
  }

  /** Callers that wait. */
  int waiting() {
    return oneAtATime.getQueueLength();
  }
}
