/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * When requests are due: one after the other, or at random moments of an average rate, whatever the
 * answers take, as users ask.
 *
 * @param perSecond average rate; 0: each when the one before it is answered
 */
record Pace(double perSecond) {
  static final Pace ONE_BY_ONE = new Pace(0);

  static Pace perSecond(double rate) {
    return new Pace(rate);
  }

  /**
   * The moment of the next request, by {@link System#nanoTime}.
   *
   * @param lastNanos that of the one before
   */
  long nextNanos(long lastNanos, Random random) {
    if (perSecond == 0) {
      return System.nanoTime();
    }
    double waitSeconds = -Math.log(1 - random.nextDouble()) / perSecond;
    return lastNanos + (long) (waitSeconds * TimeUnit.SECONDS.toNanos(1));
  }
}
