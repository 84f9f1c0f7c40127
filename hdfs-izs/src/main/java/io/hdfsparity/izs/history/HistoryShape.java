/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import io.hdfsparity.core.check.Checks;

/**
 * What a history keeps.
 *
 * @param periodMs length of a period in milliseconds; the paper has four of them a day
 * @param periods how many are kept, the current one included
 * @param maxEntries limit on the paths; {@link #maxBytes} is the one on the heap that they take
 */
public record HistoryShape(long periodMs, int periods, int maxEntries) {
  /** Maximum number of periods: they are counted by 16 bits in the file. */
  public static final int MAX_PERIODS = 10_000;

  /** So many paths as are allowed have room when they are so long on average. */
  public static final int MEAN_PATH_CHARS = 256;

  /** What a path takes beside its characters and counts: node of a map, string, arrays. */
  private static final int ENTRY_OVERHEAD_BYTES = 160;

  public HistoryShape {
    Checks.argument(periodMs > 0, "define a history", "periodMs", periodMs, "more than 0");
    Checks.argument(
        periods >= 1 && periods <= MAX_PERIODS,
        "define a history",
        "periods",
        periods,
        "1 to " + MAX_PERIODS);
    Checks.argument(maxEntries >= 1, "define a history", "maxEntries", maxEntries, "1 or more");
  }

  /** Upper bound of the heap, in bytes, that a path of so many characters and its counts take. */
  long entryBytes(int pathChars) {
    return ENTRY_OVERHEAD_BYTES
        + (long) Character.BYTES * pathChars
        + (long) Integer.BYTES * periods;
  }

  /** Limit on the heap, in bytes, that all paths and their counts take together. */
  public long maxBytes() {
    return maxEntries * entryBytes(MEAN_PATH_CHARS);
  }

  /** The period that a time lies in: whole periods since the epoch. */
  public long periodOf(long epochMs) {
    return Math.floorDiv(epochMs, periodMs);
  }
}
