/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** How often a line of the log is written that strangers can cause. Thread-safe. */
final class LineLimit {
  static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final LongSupplier nanos;

  /** When the last line was written; without one the first. Guarded by this. */
  private long lastNanos;

  private long skipped;

  /**
   * No line was written yet.
   *
   * @param nanos as {@link System#nanoTime}
   */
  LineLimit(LongSupplier nanos) {
    this.nanos = nanos;
    lastNanos = nanos.getAsLong() - INTERVAL_NANOS;
  }

  /**
   * Takes a line.
   *
   * @return how many lines were left out since the last one that was written; empty: this one is to
   *     be left out
   */
  synchronized OptionalLong next() {
    long now = nanos.getAsLong();
    if (now - lastNanos < INTERVAL_NANOS) {
      skipped++;
      return OptionalLong.empty();
    }
    OptionalLong before = OptionalLong.of(skipped);
    lastNanos = now;
    skipped = 0;
    return before;
  }
}
