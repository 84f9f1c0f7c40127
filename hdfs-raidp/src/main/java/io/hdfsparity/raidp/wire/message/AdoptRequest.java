/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Asks that the files below a path are looked at, adopted or released, or how far that is.
 *
 * @param replication of files that are released; empty: the NameNode's default
 * @param throttleBytesPerSecond of bytes that are covered, or replicated again; 0: no limit; empty:
 *     the same
 */
public record AdoptRequest(
    String path,
    Goal goal,
    Action action,
    OptionalInt replication,
    OptionalLong throttleBytesPerSecond) {
  private static final long MIN_THROTTLE = 64 << 10;

  /** What is to be done with the files. */
  public enum Goal {
    /** They are counted. */
    SURVEY,
    ADOPT,
    /** They get plain replicas, and give up their parity. */
    RELEASE
  }

  /** What is asked. */
  public enum Action {
    /** Starts a run, or joins the one that is running. */
    START,
    /** Starts nothing. */
    WATCH
  }

  /**
   * @throws IllegalArgumentException for a throttle that cannot be kept
   */
  public AdoptRequest {
    requireThrottle("adopt", throttleBytesPerSecond);
  }

  static void requireThrottle(String action, OptionalLong bytesPerSecond) {
    long throttle = bytesPerSecond.orElse(0);
    if (throttle != 0 && throttle < MIN_THROTTLE) {
      throw new IllegalArgumentException(
          "Cannot "
              + action
              + ": throttle="
              + throttle
              + ", expected 0, or at least 64k bytes per second");
    }
  }
}
