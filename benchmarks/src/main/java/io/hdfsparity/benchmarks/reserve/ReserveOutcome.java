/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

import java.util.Arrays;

/**
 * What a policy came to.
 *
 * @param policy its label
 * @param overhead the paper's Γ at the end of each half day
 * @param writes of each day
 * @param merges writes of each day that had to wait for a merge, reserved space being full
 * @param inPlace writes of each day whose parity was changed in place, no space being reserved
 * @param withoutShare part of the parity chunks that have no reserved space at the end, 0..1
 */
record ReserveOutcome(
    String policy,
    double[] overhead,
    long[] writes,
    long[] merges,
    long[] inPlace,
    double withoutShare) {
  private static final double THOUSAND = 1000;

  /** Γ at the end of the trace. */
  double lastOverhead() {
    return overhead[overhead.length - 1];
  }

  double averageOverhead() {
    return Arrays.stream(overhead).average().orElse(0);
  }

  /** Merges per 1,000 writes of a day. */
  double[] mergesByDay() {
    double[] rates = new double[writes.length];
    for (int day = 0; day < rates.length; day++) {
      rates[day] = THOUSAND * merges[day] / Math.max(1, writes[day]);
    }
    return rates;
  }

  /** Per 1,000 writes, over all days. */
  double mergesPerThousand() {
    return THOUSAND * Arrays.stream(merges).sum() / Arrays.stream(writes).sum();
  }

  /** The worst day's. */
  double worstMergesPerThousand() {
    return Arrays.stream(mergesByDay()).max().orElse(0);
  }

  /** Per 1,000 writes, over all days. */
  double inPlacePerThousand() {
    return THOUSAND * Arrays.stream(inPlace).sum() / Arrays.stream(writes).sum();
  }
}
