/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * When the requests of a trace are due, by their times in it. Pure. For one thread.
 *
 * <p>Requests are made in the order of the trace. One whose time is before that of an earlier one,
 * as in a trace put together of two, is due with that: it could not have been made before.
 */
final class ReplaySchedule {
  private static final double NANOS_PER_TICK = 100;

  /** Whoever waits for longer has a trace in another unit of time, or a broken line in it. */
  private static final double MAX_NANOS = TimeUnit.DAYS.toNanos(3660);

  private final double speed;
  private boolean isBegun;
  private long firstTicks;
  private long latestTicks;

  /**
   * @param speed above 0: so many times as fast as the trace; 0: all are due at once
   */
  ReplaySchedule(double speed) {
    this.speed = speed;
  }

  /**
   * When the next request is due.
   *
   * @param ticks its time in the trace, in 100 ns, at least 0
   * @return nanoseconds after the first request was
   * @throws IOException if that is in more than ten years
   */
  long dueNanos(long ticks) throws IOException {
    if (!isBegun) {
      isBegun = true;
      firstTicks = ticks;
      latestTicks = ticks;
    }
    latestTicks = Math.max(latestTicks, ticks);
    if (speed == 0) {
      return 0;
    }
    double nanos = (latestTicks - firstTicks) * NANOS_PER_TICK / speed;
    if (nanos > MAX_NANOS) {
      throw new IOException(
          ErrorMessage.to("replay at the trace's times")
              .value("timestamp", ticks)
              .value("of the first request", firstTicks)
              .expected("at most ten years after it, in units of 100 ns")
              .message());
    }
    return (long) nanos;
  }
}
