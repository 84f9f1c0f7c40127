/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.izs.history.HistoryFormat;
import io.hdfsparity.izs.history.HistoryView;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How often a path was accessed.
 *
 * @param accesses in the window
 * @param missedAtMost accesses that may lack in that
 * @param watchedMs how long accesses were counted in the periods that these are of
 */
public record AccessRate(long accesses, long missedAtMost, long watchedMs) {
  private static final double DAY_MS = TimeUnit.DAYS.toMillis(1);

  /**
   * The rate of a path in the newest periods that make up a window, of those that began after the
   * file was written. What was counted in the period in which it was written may be of before.
   *
   * @param windowMs at least a period
   * @param writtenMs since the epoch
   * @throws IllegalArgumentException if the window is shorter than a period
   */
  public static AccessRate of(HistoryView view, String path, long windowMs, long writtenMs) {
    Checks.argument(
        windowMs >= view.periodMs(),
        "tell how often a file is accessed",
        "windowMs",
        windowMs,
        "at least dfs.parity.izs.access.period of the NameNode, "
            + view.periodMs()
            + "; change window in the rule table");
    long wanted = (windowMs + view.periodMs() - 1) / view.periodMs();
    int periods = view.periods();
    List<Integer> counts =
        view.counts().getOrDefault(path, Collections.nCopies(periods, /* no access */ 0));
    long accesses = 0;
    // A path that is too long for the history is never in it.
    long missed = HistoryFormat.fits(path) ? 0 : Integer.MAX_VALUE;
    long watchedMs = 0;
    for (int i = (int) Math.max(0, periods - wanted); i < periods; i++) {
      long beginMs = (view.newestPeriod() - periods + 1 + i) * view.periodMs();
      if (beginMs >= writtenMs) {
        accesses += counts.get(i);
        missed += view.missed().get(i);
        watchedMs += view.observedMs().get(i);
      } else if (beginMs + view.periodMs() > writtenMs) {
        missed += counts.get(i) + view.missed().get(i);
      }
    }
    return new AccessRate(accesses, missed, watchedMs);
  }

  /** At least so many a day. Not a number when nothing was watched. */
  public double perDay() {
    return accesses * DAY_MS / watchedMs;
  }

  /** At most so many a day. */
  public double perDayAtMost() {
    return (accesses + missedAtMost) * DAY_MS / watchedMs;
  }
}
