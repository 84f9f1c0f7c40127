/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Why the changes of a replica could not be brought on, and when that is tried again: after twice
 * as many rounds each time. Thread-safe.
 */
final class Postponement {
  private @Nullable IOException cause;
  private int waitRounds;
  private int waitedRounds;

  /**
   * An attempt has failed.
   *
   * @return whether the one before has not, or for another cause
   */
  synchronized boolean begin(IOException why) {
    boolean isNews = !describe(why).equals(describe(cause));
    cause = why;
    waitRounds = waitRounds == 0 ? 1 : (int) Math.min(2L * waitRounds, Integer.MAX_VALUE);
    waitedRounds = 0;
    return isNews;
  }

  /** An attempt has not failed. */
  synchronized void end() {
    cause = null;
    waitRounds = 0;
    waitedRounds = 0;
  }

  /** Why the last attempt has failed; null if it has not. */
  synchronized @Nullable IOException cause() {
    return cause;
  }

  /**
   * One round more: whether the next attempt is due in it.
   *
   * @param maxRounds after so many it is due in any case
   */
  synchronized boolean pollDue(int maxRounds) {
    waitedRounds++;
    return waitedRounds >= Math.min(waitRounds, maxRounds);
  }

  private static String describe(@Nullable IOException why) {
    return why == null ? "" : why.getClass().getName() + ": " + why.getMessage();
  }
}
