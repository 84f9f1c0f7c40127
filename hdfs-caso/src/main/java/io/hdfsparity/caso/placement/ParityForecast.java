/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.placement;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * How often the parity of each block group of a file will be updated, if the time to come is like a
 * trace. All parity units of a group are updated together, so one figure stands for all.
 *
 * <p>Immutable, thread-safe.
 */
public final class ParityForecast {
  /** More is taken for this: sums over many groups stay below 2^63. */
  public static final long MAX_RATE = 1_000_000_000_000L;

  private static final double MILLI_DAY_TICKS = 1000.0 * 24 * 3600 * 10_000_000;

  private final long[] milliUpdatesPerDay;

  /**
   * A forecast.
   *
   * @param milliUpdatesPerDay of each group, thousandths of an update a day, 0 to {@link
   *     #MAX_RATE}; copied
   */
  public ParityForecast(long[] milliUpdatesPerDay) {
    for (long rate : milliUpdatesPerDay) {
      Checks.argument(
          rate >= 0 && rate <= MAX_RATE,
          "forecast parity updates",
          "milliUpdatesPerDay",
          rate,
          "0 to " + MAX_RATE);
    }
    this.milliUpdatesPerDay = milliUpdatesPerDay.clone();
  }

  /**
   * What a trace's writes say: one update for each stripe and time window with a written cell, as
   * {@link io.hdfsparity.caso.replay.Replayer} counts them.
   *
   * @param windows of the trace; cells beyond the order are left out
   * @param order in which the file is to be stored
   * @param dataCells of a stripe, > 0
   * @param stripesPerGroup > 0
   */
  public static ParityForecast of(
      TimeWindows windows, StoredOrder order, int dataCells, long stripesPerGroup) {
    Checks.argument(dataCells > 0, "forecast parity updates", "dataCells", dataCells, "> 0");
    Checks.argument(
        stripesPerGroup > 0, "forecast parity updates", "stripesPerGroup", stripesPerGroup, "> 0");
    long stripes = (order.storedCellCount() + dataCells - 1) / dataCells;
    int groups = Math.toIntExact((stripes + stripesPerGroup - 1) / stripesPerGroup);
    long[] updates = new long[groups];
    windows.forEach(
        (cells, count) -> {
          int known = 0;
          for (int i = 0; i < count; i++) {
            if (cells[i] < order.cellCount()) {
              cells[known++] = order.storedCell(cells[i]) / dataCells;
            }
          }
          Arrays.sort(cells, 0, known);
          for (int i = 0; i < known; i++) {
            if (i == 0 || cells[i] != cells[i - 1]) {
              updates[(int) (cells[i] / stripesPerGroup)]++;
            }
          }
        });
    return new ParityForecast(perDay(updates, windows));
  }

  private static long[] perDay(long[] updates, TimeWindows windows) {
    if (windows.count() == 0) {
      return updates;
    }
    // From the first window to the last one. A trace of one window says nothing of how often it
    // comes: a second, then.
    long ticks = windows.beginTicks(windows.count() - 1) - windows.beginTicks(0);
    double perUpdate = MILLI_DAY_TICKS / Math.max(ticks, 10_000_000);
    return Arrays.stream(updates)
        .map(count -> Math.min(MAX_RATE, Math.round(count * perUpdate)))
        .toArray();
  }

  /** How many block groups. */
  public int groupCount() {
    return milliUpdatesPerDay.length;
  }

  /**
   * Updates that each parity unit of a group will take, in thousandths a day; 0 for groups beyond
   * the last one.
   *
   * @param group number in the file, >= 0
   */
  public long milliUpdatesPerDay(int group) {
    Checks.argument(group >= 0, "tell a forecast", "group", group, ">= 0");
    return group < milliUpdatesPerDay.length ? milliUpdatesPerDay[group] : 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ParityForecast forecast
        && Arrays.equals(milliUpdatesPerDay, forecast.milliUpdatesPerDay);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(milliUpdatesPerDay);
  }

  @Override
  public String toString() {
    return groupCount() + " groups, " + Arrays.stream(milliUpdatesPerDay).sum() + "/1000 a day";
  }
}
