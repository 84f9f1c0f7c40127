/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rounds;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * Option {@code minutes}: no case is begun that would end later than this after the start of the
 * process, were it to take as long as the longest before it. Not thread-safe.
 */
final class TimeLimit {
  private final long endNanos;
  private long begunNanos;
  private long maxNanos;

  TimeLimit(CommandLine options) {
    long runsMs = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
    this.endNanos =
        System.nanoTime()
            - TimeUnit.MILLISECONDS.toNanos(runsMs)
            + TimeUnit.MINUTES.toNanos(options.number("minutes"));
  }

  boolean isReached() {
    return System.nanoTime() + maxNanos > endNanos;
  }

  void begin() {
    begunNanos = System.nanoTime();
  }

  /** Whole seconds since {@link #begin}. */
  long end() {
    long tookNanos = System.nanoTime() - begunNanos;
    maxNanos = Math.max(maxNanos, tookNanos);
    return TimeUnit.NANOSECONDS.toSeconds(tookNanos);
  }
}
