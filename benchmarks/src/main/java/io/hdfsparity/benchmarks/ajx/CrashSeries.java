/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Operations by the time at which they ended, around a crash. Times are in seconds since the
 * clients began. Immutable.
 *
 * @param seconds beginnings of the steps
 * @param perSecond operations a second in each
 * @param times of the crash
 * @param rates around it
 * @param maxMs that an operation took
 */
record CrashSeries(
    double[] seconds,
    double[] perSecond,
    @JsonUnwrapped Times times,
    @JsonUnwrapped Rates rates,
    double maxMs) {
  static final double STEP_SECONDS = 0.5;

  /**
   * When things happened.
   *
   * @param killed the process was gone
   * @param starting it was started again
   * @param up the cluster said that it is back
   */
  record Times(double killed, double starting, double up) {}

  /**
   * Operations a second, medians of steps.
   *
   * @param before of the steps before the crash
   * @param down of the steps in which the process was gone, but for the first
   * @param recovered when first half of {@code before} was reached again; NaN: not within the run
   * @param after of the steps from then on
   */
  record Rates(double before, double down, double recovered, double after) {}

  static CrashSeries of(List<AjxClients.Done> done, double length, Times times) {
    int steps = (int) Math.round(length / STEP_SECONDS);
    double[] seconds = new double[steps];
    double[] perSecond = new double[steps];
    for (int step = 0; step < steps; step++) {
      seconds[step] = step * STEP_SECONDS;
    }
    double maxMs = 0;
    for (AjxClients.Done each : done) {
      int step = (int) (each.endNanos() / 1e9 / STEP_SECONDS);
      maxMs = Math.max(maxMs, each.tookNanos() / 1e6);
      if (step < steps) {
        perSecond[step] += 1 / STEP_SECONDS;
      }
    }
    double before = median(seconds, perSecond, 0, times.killed());
    double recovered = Double.NaN;
    for (int step = steps - 1; step >= 0 && seconds[step] >= times.starting(); step--) {
      recovered = perSecond[step] >= before / 2 ? seconds[step] : recovered;
    }
    return new CrashSeries(
        seconds,
        perSecond,
        times,
        new Rates(
            before,
            median(seconds, perSecond, times.killed() + STEP_SECONDS, times.starting()),
            recovered,
            Double.isNaN(recovered) ? Double.NaN : median(seconds, perSecond, recovered, length)),
        maxMs);
  }

  /** Of the steps that lie wholly within. */
  private static double median(double[] seconds, double[] perSecond, double from, double to) {
    double[] within = new double[seconds.length];
    int count = 0;
    for (int step = 0; step < seconds.length; step++) {
      if (seconds[step] >= from && seconds[step] + STEP_SECONDS <= to) {
        within[count++] = perSecond[step];
      }
    }
    Arrays.sort(within, 0, count);
    return count == 0 ? Double.NaN : within[count / 2];
  }

  String table() {
    StringBuilder out = new StringBuilder();
    out.append("Operations a second of clients that read and write, through a crash of a node\n\n");
    line(out, "before (median of half seconds)", rates.before());
    line(out, "while the node was gone", rates.down());
    line(out, "after", rates.after());
    line(out, "killed at, s", times.killed());
    line(out, "started again at, s", times.starting());
    line(out, "in service again at, s", times.up());
    line(out, "half of the rate again at, s", rates.recovered());
    line(out, "longest operation, ms", maxMs);
    return out.toString();
  }

  private static void line(StringBuilder out, String name, double value) {
    out.append(String.format(Locale.ROOT, "%-36s%,12.1f%n", name, value));
  }
}
