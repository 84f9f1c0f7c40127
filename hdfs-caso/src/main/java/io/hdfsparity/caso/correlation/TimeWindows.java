/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.Checks;
import java.util.Arrays;

/**
 * Requests cut into periods that do not overlap (the paper's Fig. 4): a request at time t is in
 * period floor(t / distance). Periods without a request do not count.
 *
 * <p>Immutable, thread-safe.
 */
public final class TimeWindows {
  private final RequestTable requests;
  private final long distanceTicks;

  /** Number of the first request of each window, and of the one after the last. */
  private final int[] starts;

  private final int from;
  private final int to;

  private TimeWindows(RequestTable requests, long distanceTicks, int[] starts, int from, int to) {
    this.requests = requests;
    this.distanceTicks = distanceTicks;
    this.starts = starts;
    this.from = from;
    this.to = to;
  }

  /**
   * Cuts requests into windows.
   *
   * @param distanceTicks length of a window in ticks of 100 ns, > 0
   */
  public static TimeWindows of(RequestTable requests, long distanceTicks) {
    Checks.argument(distanceTicks > 0, "cut a trace", "distanceTicks", distanceTicks, "> 0");
    int[] starts = new int[requests.size() + 1];
    int count = 0;
    long last = 0;
    for (int request = 0; request < requests.size(); request++) {
      long window = Math.floorDiv(requests.timeTicks(request), distanceTicks);
      if (request == 0 || window != last) {
        starts[count++] = request;
        last = window;
      }
    }
    starts[count] = requests.size();
    return new TimeWindows(requests, distanceTicks, Arrays.copyOf(starts, count + 1), 0, count);
  }

  /** How many windows. */
  public int count() {
    return to - from;
  }

  /** How many requests. */
  public int requestCount() {
    return starts[to] - starts[from];
  }

  /**
   * When a window begins, in ticks of 100 ns.
   *
   * @throws IndexOutOfBoundsException unless {@code 0 <= window < count()}
   */
  public long beginTicks(int window) {
    Checks.index("tell when a window begins", "window", window, count());
    long timeTicks = requests.timeTicks(starts[from + window]);
    return Math.floorDiv(timeTicks, distanceTicks) * distanceTicks;
  }

  /** Windows {@code first} to {@code end}, without {@code end}; shares memory. */
  public TimeWindows slice(int first, int end) {
    Checks.range("slice windows", first, (long) end - first, count());
    return new TimeWindows(requests, distanceTicks, starts, from + first, from + end);
  }

  /**
   * How many windows an analysis ratio takes: {@code floor(ratio * count())}. A window is never
   * split.
   *
   * @param ratio 0 to 1
   */
  public int analysed(double ratio) {
    Checks.argument(ratio >= 0 && ratio <= 1, "split a trace", "ratio", ratio, "0 to 1");
    return (int) Math.floor(ratio * count());
  }

  /** Shows the windows in order of time. */
  public void forEach(WindowVisitor visitor) {
    long[] cells = new long[64];
    for (int window = from; window < to; window++) {
      int count = 0;
      for (int request = starts[window]; request < starts[window + 1]; request++) {
        long firstCell = requests.firstCell(request);
        int end = Math.addExact(count, requests.cellCount(request));
        if (end > cells.length) {
          cells = Arrays.copyOf(cells, (int) Math.min(Integer.MAX_VALUE - 8, 2L * end));
        }
        while (count < end) {
          cells[count++] = firstCell++;
        }
      }
      visitor.window(cells, distinct(cells, count));
    }
  }

  private static int distinct(long[] cells, int count) {
    Arrays.sort(cells, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || cells[kept - 1] != cells[i]) {
        cells[kept++] = cells[i];
      }
    }
    return kept;
  }
}
