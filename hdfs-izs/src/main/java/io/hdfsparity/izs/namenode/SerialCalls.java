/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode;

import io.hdfsparity.bridge.wire.UserPermits;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Calls that are served one at a time, while a few others may wait. A caller beyond those is turned
 * away at once: it would hold a thread of the server that calls of others need. So is one whose
 * user has his share of the places: nobody keeps all others out by calling all the time.
 * Thread-safe.
 */
final class SerialCalls {
  private final UserPermits places;
  private final ReentrantLock oneAtATime = new ReentrantLock(/* fair= */ true);

  /**
   * @param max calls that are served or wait
   * @param maxEach the same of one user
   */
  SerialCalls(int max, int maxEach) {
    places = new UserPermits(max, maxEach);
  }

  /**
   * Waits for this caller's turn; if it has come, {@link #leave} must follow, by the same thread.
   *
   * @return false: the time is over, or too many wait
   */
  boolean enter(String user, long waitMs) throws InterruptedException {
    if (!places.tryAcquire(Optional.of(user))) {
      return false;
    }
    boolean isEntered = false;
    try {
      isEntered = oneAtATime.tryLock(waitMs, TimeUnit.MILLISECONDS);
      return isEntered;
    } finally {
      if (!isEntered) {
        places.release(Optional.of(user));
      }
    }
  }

  void leave(String user) {
    oneAtATime.unlock();
    places.release(Optional.of(user));
  }

  /** Callers that wait. */
  int waiting() {
    return oneAtATime.getQueueLength();
  }
}
