/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import java.util.SplittableRandom;

/**
 * Draws one of several things by weight, in constant time (Walker's alias method). Immutable but
 * for the source of chance that it is given.
 */
final class WeightedChoice {
  private final double[] keep;
  private final int[] alias;

  /**
   * Takes weights.
   *
   * @param weights at least one above 0
   */
  WeightedChoice(double[] weights) {
    int count = weights.length;
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    if (!(sum > 0)) {
      throw new IllegalArgumentException("Cannot choose: weights=0, expected one above 0");
    }
    keep = new double[count];
    alias = new int[count];
    int[] order = new int[count];
    int small = 0;
    int large = count;
    for (int i = 0; i < count; i++) {
      keep[i] = weights[i] * count / sum;
      alias[i] = i;
      if (keep[i] < 1) {
        order[small++] = i;
      } else {
        order[--large] = i;
      }
    }
    // order[0, small) holds what is below 1, order[large, count) what is not.
    while (small > 0 && large < count) {
      int low = order[--small];
      int high = order[large];
      alias[low] = high;
      keep[high] -= 1 - keep[low];
      if (keep[high] < 1) {
        large++;
        order[small++] = high;
      }
    }
    // What is left differs from 1 by rounding only.
    while (small > 0) {
      keep[order[--small]] = 1;
    }
    while (large < count) {
      keep[order[large++]] = 1;
    }
  }

  /** An index. */
  int next(SplittableRandom random) {
    int at = random.nextInt(keep.length);
    return random.nextDouble() < keep[at] ? at : alias[at];
  }
}
