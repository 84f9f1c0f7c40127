/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.channel;

import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Requests that are being executed, by whose they are. Thread-safe. */
final class Running {
  private static final long ASK_AGAIN_MS = 1000;

  private final Map<ChannelAccess.Grant, Integer> counts = new IdentityHashMap<>();

  synchronized void begin(ChannelAccess.Grant grant) {
    counts.merge(grant, 1, Integer::sum);
  }

  synchronized void end(ChannelAccess.Grant grant) {
    counts.computeIfPresent(grant, (key, count) -> count == 1 ? null : count - 1);
    notifyAll();
  }

  /**
   * Returns when none of them is being executed, or the time is over.
   *
   * @param grants may change its mind; it is asked again from time to time
   * @return whether none is
   */
  synchronized boolean awaitNone(Predicate<ChannelAccess.Grant> grants, long maxMs)
      throws InterruptedException {
    long beganNs = System.nanoTime();
    while (counts.keySet().stream().anyMatch(grants)) {
      long leftMs = maxMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
      if (leftMs <= 0) {
        return false;
      }
      wait(Math.min(leftMs, ASK_AGAIN_MS));
    }
    return true;
  }

  /** Those of which a request is being executed now. */
  synchronized List<ChannelAccess.Grant> all() {
    return List.copyOf(counts.keySet());
  }
}
