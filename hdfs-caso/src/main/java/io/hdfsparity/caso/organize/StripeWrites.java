/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

import io.hdfsparity.caso.correlation.TimeWindows;
import java.util.Arrays;

/**
 * What the writes of some windows cost under an organization.
 *
 * @param cells cells written, each once a window
 * @param stripes stripes with a written cell, each once a window; each costs its m parity cells
 */
public record StripeWrites(long cells, long stripes) {
  /** Counts. */
  public static StripeWrites of(TimeWindows windows, Organization organization) {
    long[] sums = new long[2];
    windows.forEach(
        (cells, count) -> {
          sums[0] += count;
          for (int i = 0; i < count; i++) {
            cells[i] = organization.stripe(cells[i]);
          }
          Arrays.sort(cells, 0, count);
          for (int i = 0; i < count; i++) {
            if (i == 0 || cells[i] != cells[i - 1]) {
              sums[1]++;
            }
          }
        });
    return new StripeWrites(sums[0], sums[1]);
  }
}
