/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import java.util.SplittableRandom;

/**
 * Sizes of requests that come out at an average, whatever ends of files cut off. Not thread-safe.
 */
final class RequestSizes {
  private static final int SMALL_KIB = 8;
  private static final int[] LARGE_KIB = {16, 32};
  private static final double SHARE = 0.4;

  /** All sizes are multiplied by how often this goes into the average. */
  private static final double SCALED_KIB = 10;

  /** KB behind the average at which large requests are {@value #SHARE} likelier. */
  private static final double WINDOW_KIB = 1000;

  private final double averageKib;
  private final SplittableRandom random;
  private final int scale;
  private double behindKib;

  RequestSizes(double averageKib, SplittableRandom random) {
    this.averageKib = averageKib;
    this.random = random;
    scale = (int) Math.max(1, Math.round(averageKib / SCALED_KIB));
  }

  /** The next size, of at most so much. */
  int next(int maxKib) {
    double large = SHARE + SHARE * (behindKib + averageKib) / (WINDOW_KIB * scale);
    int drawn =
        scale
            * (random.nextDouble() < large
                ? LARGE_KIB[random.nextInt(LARGE_KIB.length)]
                : 1 + random.nextInt(SMALL_KIB));
    int size = Math.min(drawn, maxKib);
    behindKib += averageKib - size;
    return size;
  }
}
