/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.reserve;

import io.hdfsparity.ecupdate.storage.ReservedSpace;
import io.hdfsparity.ecupdate.storage.ReservedSpaceOptions;
import java.util.Locale;

/**
 * How reserved space is looked after.
 *
 * @param turn what is done at the end of each period
 * @param options constants of Algorithm 1
 */
record ReservePolicy(PeriodEnd turn, ReservedSpaceOptions options) {
  private static final long KIB = 1 << 10;

  /** At the end of a period. */
  enum PeriodEnd {
    /** Nothing: the paper's baselines. */
    NOTHING("baseline") {
      @Override
      ReservedSpace end(ReservedSpace space) {
        return space;
      }
    },
    SHRINK("shrink only") {
      @Override
      ReservedSpace end(ReservedSpace space) {
        return space.shrink();
      }
    },
    SHRINK_AND_MERGE("shrink+merge") {
      @Override
      ReservedSpace end(ReservedSpace space) {
        return space.endPeriod();
      }
    };

    final String label;

    PeriodEnd(String label) {
      this.label = label;
    }

    /** The space in the next period. */
    abstract ReservedSpace end(ReservedSpace space);
  }

  String label() {
    return String.format(
        Locale.ROOT,
        "%s %s%s",
        turn.label,
        size(options.defaultBytes()),
        turn == PeriodEnd.NOTHING
            ? ""
            : String.format(
                Locale.ROOT,
                " by %s, u0=%.1f",
                size(options.chunkBytes()),
                options.initialUtility()));
  }

  private static String size(long bytes) {
    return bytes % (KIB * KIB) == 0 ? bytes / (KIB * KIB) + " MiB" : bytes / KIB + " KiB";
  }
}
