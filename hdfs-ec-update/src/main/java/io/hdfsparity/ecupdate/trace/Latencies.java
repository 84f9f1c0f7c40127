/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.ConcurrentHistogram;

/** How long requests of a kind took, to three digits. Thread-safe. */
final class Latencies {
  private static final int DIGITS = 3;

  private final ConcurrentHistogram nanos =
      new ConcurrentHistogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
  private final LongAdder bytes = new LongAdder();

  Latencies() {
    nanos.setAutoResize(true);
  }

  /** A request has ended. */
  void add(long tookNanos, int lengthBytes) {
    nanos.recordValue(Math.max(0, tookNanos));
    bytes.add(lengthBytes);
  }

  /** Of all that have ended; to be asked for when none is under way. */
  RequestStats stats() {
    return new RequestStats(
        nanos.getTotalCount(),
        bytes.sum(),
        micros(nanos.getValueAtPercentile(50)),
        micros(nanos.getValueAtPercentile(95)),
        micros(nanos.getValueAtPercentile(99)),
        micros(nanos.getMaxValue()));
  }

  private static long micros(long value) {
    return TimeUnit.NANOSECONDS.toMicros(value);
  }
}
