/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.core.check.Checks;

/**
 * What makes cells correlated, and how much memory may be spent on it.
 *
 * @param threshold in how many windows two cells must come together, at least 2: the paper's
 *     "access threshold"
 * @param maxCellsPerWindow windows with more distinct cells that could be correlated are left out,
 *     and counted: such a write fills whole stripes in any order, and n cells are n(n-1)/2 pairs
 * @param maxPairs limit on the pairs of cells: without a {@link SpillSpace} of those that are
 *     counted, at 24 to 48 bytes each, with one of those that are correlated, at some 36
 */
public record CorrelationOptions(int threshold, int maxCellsPerWindow, int maxPairs) {
  /** The paper's threshold. */
  public static final int DEFAULT_THRESHOLD = 2;

  /** 32 MiB in cells of 4 KiB within one window. */
  public static final int DEFAULT_MAX_CELLS_PER_WINDOW = 8192;

  /** Some 1.5 GB, either way. */
  public static final int DEFAULT_MAX_PAIRS = 50_000_000;

  /** As in the paper, with the default bounds. */
  public static final CorrelationOptions DEFAULT =
      new CorrelationOptions(DEFAULT_THRESHOLD, DEFAULT_MAX_CELLS_PER_WINDOW, DEFAULT_MAX_PAIRS);

  public CorrelationOptions {
    Checks.argument(threshold >= 2, "analyse a trace", "threshold", threshold, ">= 2");
    Checks.argument(
        maxCellsPerWindow >= 2, "analyse a trace", "maxCellsPerWindow", maxCellsPerWindow, ">= 2");
    Checks.argument(maxPairs >= 1, "analyse a trace", "maxPairs", maxPairs, ">= 1");
  }
}
