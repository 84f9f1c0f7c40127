/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.planted;

import java.util.concurrent.atomic.AtomicLong;

/** When a planted bug strikes: its code counts its calls here. Thread-safe. */
public final class Strikes {
  private static final AtomicLong CALLS = new AtomicLong();
  private static final int SHOWN = 3;

  private Strikes() {}

  /**
   * Counts a call.
   *
   * @param every the bug strikes once in so many calls of this process; at least 1
   * @return whether it strikes now
   */
  public static boolean now(int every) {
    long call = CALLS.incrementAndGet();
    if (call % every != 0) {
      return false;
    }
    if (call / every <= SHOWN) {
      System.err.println("planted bug strikes, call " + call);
    }
    return true;
  }
}
