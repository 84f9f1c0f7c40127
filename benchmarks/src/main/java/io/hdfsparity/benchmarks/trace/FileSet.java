/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.trace;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * The files of a generated trace: sizes, which of them are updated, and when each is first
 * accessed. They lie one after the other in the order of their first access. Immutable.
 *
 * <p>Sizes are lognormal, wide ones for files that are updated (mailboxes are) and narrower ones
 * for others, scaled so that the shares of the statistics come out. Which distribution, and when
 * files come, is ours: the paper says nothing of either.
 */
final class FileSet {
  /** Spread of the logarithm of sizes. */
  private static final double UPDATED_SIGMA = 2.0;

  private static final double OTHER_SIGMA = 1.5;

  /** Part of the files that were there before the trace began, and are met within days. */
  private static final double OLD_SHARE = 0.6;

  private static final double OLD_MET_WITHIN_HOURS = 72;

  private final int[] sizeKib;
  private final long[] startKib;
  private final int[] firstHour;
  private final boolean[] isUpdated;

  FileSet(TraceStatistics wanted, int hours, SplittableRandom random) {
    int count = Math.toIntExact(wanted.files());
    int updatedCount = (int) Math.round(count * wanted.updatedFileShare());
    Checks.argument(
        updatedCount > 0 && updatedCount < count,
        "generate files",
        "files",
        count,
        "enough for some to be updated and some not");
    firstHour = new int[count];
    for (int file = 0; file < count; file++) {
      double hour =
          random.nextDouble() < OLD_SHARE
              ? -OLD_MET_WITHIN_HOURS * Math.log(1 - random.nextDouble())
              : random.nextDouble() * hours;
      // The last hours are left for updates of what came before.
      firstHour[file] = (int) Math.min(hour, hours - 2.0);
    }
    Arrays.sort(firstHour);
    isUpdated = new boolean[count];
    int left = updatedCount;
    for (int file = 0; file < count; file++) {
      if (random.nextInt(count - file) < left) {
        isUpdated[file] = true;
        left--;
      }
    }
    long updatedKib = Math.round(wanted.workingSetKib() * wanted.updatedWorkingSetShare());
    sizeKib = new int[count];
    draw(true, UPDATED_SIGMA, updatedKib, random);
    draw(false, OTHER_SIGMA, wanted.workingSetKib() - updatedKib, random);
    startKib = new long[count];
    long at = 0;
    for (int file = 0; file < count; file++) {
      startKib[file] = at;
      at += sizeKib[file];
    }
  }

  /** Draws sizes of the one kind and scales them to a sum, each of at least a KB. */
  private void draw(boolean updated, double sigma, long sumKib, SplittableRandom random) {
    double[] drawn = new double[sizeKib.length];
    double sum = 0;
    for (int file = 0; file < drawn.length; file++) {
      if (isUpdated[file] == updated) {
        drawn[file] = Math.exp(sigma * random.nextGaussian());
        sum += drawn[file];
      }
    }
    long got = 0;
    int largest = -1;
    for (int file = 0; file < drawn.length; file++) {
      if (isUpdated[file] == updated) {
        sizeKib[file] = (int) Math.max(1, Math.round(drawn[file] / sum * sumKib));
        got += sizeKib[file];
        largest = largest < 0 || sizeKib[file] > sizeKib[largest] ? file : largest;
      }
    }
    sizeKib[largest] = (int) Math.max(1, sizeKib[largest] + sumKib - got);
  }

  int count() {
    return sizeKib.length;
  }

  int sizeKib(int file) {
    return sizeKib[file];
  }

  long startKib(int file) {
    return startKib[file];
  }

  int firstHour(int file) {
    return firstHour[file];
  }

  boolean isUpdated(int file) {
    return isUpdated[file];
  }

  long sizeKib() {
    int last = sizeKib.length - 1;
    return startKib[last] + sizeKib[last];
  }
}
