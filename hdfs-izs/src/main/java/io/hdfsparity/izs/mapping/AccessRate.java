/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.mapping;

import io.hdfsparity.izs.history.HistoryView;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How often a path was accessed.
 *
 * @param accesses in the window
 * @param missedAtMost accesses that may lack in that
 * @param watchedMs how long accesses were counted, within the window and the life of the file
 */
public record AccessRate(long accesses, long missedAtMost, long watchedMs) {
  private static final double DAY_MS = TimeUnit.DAYS.toMillis(1);

  /**
   * The rate of a path in the newest periods that make up a window.
   *
   * @param ageMs time since the file was written; a count is not spread over time before that
   */
  public static AccessRate of(HistoryView view, String path, long windowMs, long ageMs) {
    long wanted = (windowMs + view.periodMs() - 1) / view.periodMs();
    int periods = (int) Math.min(view.periods(), wanted);
    long watchedMs = sum(view.observedMs(), periods);
    return new AccessRate(
        sum(view.counts().getOrDefault(path, List.of()), periods),
        sum(view.missed(), periods),
        Math.max(0, Math.min(Math.min(watchedMs, windowMs), ageMs)));
  }

  private static long sum(List<Integer> numbers, int last) {
    long sum = 0;
    for (int i = Math.max(0, numbers.size() - last); i < numbers.size(); i++) {
      sum += numbers.get(i);
    }
    return sum;
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
