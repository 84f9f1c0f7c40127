/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.report;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A picture of a run over time as SVG: faults above; below, for each kind of operation, a strip
 * with the latencies of those that ended in each column, on a logarithmic scale from 0.1 ms to 1000
 * s, and a tick for each that failed. Pure; used by one thread.
 */
final class Timeline {
  private static final int LEFT = 120;
  private static final int WIDTH = 900;
  private static final int BAR = 14;
  private static final int STRIP = 90;
  private static final double MIN_MS = 0.1;
  private static final double DECADES = 7;

  private final StringBuilder out = new StringBuilder();
  private final long endNanos;
  private int y = 20;

  private Timeline(RunResult result) {
    long last = 1;
    for (Operation each : result.history()) {
      last = Math.max(last, each.endNanos());
    }
    for (FaultSpan each : result.faults()) {
      last = Math.max(last, each.endNanos());
    }
    endNanos = last;
  }

  /** The picture. */
  static String svg(RunResult result) {
    Timeline timeline = new Timeline(result);
    timeline.axis();
    result.faults().forEach(timeline::fault);
    for (OperationKind kind : OperationKind.values()) {
      List<Operation> some = result.history().stream().filter(each -> each.kind() == kind).toList();
      if (!some.isEmpty()) {
        timeline.strip(kind, some);
      }
    }
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\">%n%s</svg>%n"
        .formatted(LEFT + WIDTH + 20, timeline.y + 10, timeline.out);
  }

  private double x(long nanos) {
    return LEFT + (double) WIDTH * nanos / endNanos;
  }

  private void axis() {
    for (int i = 0; i <= 6; i++) {
      long at = endNanos / 6 * i;
      text(x(at), 12, "middle", String.format(Locale.ROOT, "%.0f s", at / 1e9));
    }
  }

  private void fault(FaultSpan fault) {
    rect("fault", x(fault.beginNanos()), y, x(fault.endNanos()) - x(fault.beginNanos()), BAR - 2);
    text(LEFT - 6, y + BAR - 4, "end", fault.name());
    y += BAR;
  }

  private void strip(OperationKind kind, List<Operation> some) {
    y += 12;
    text(LEFT - 6, y + STRIP / 2, "end", kind.name());
    rect("strip", LEFT, y, WIDTH, STRIP);
    long[][] columns = new long[WIDTH][];
    boolean[] failed = new boolean[WIDTH];
    for (Operation each : some) {
      int column = (int) Math.min(WIDTH - 1L, (long) (x(each.endNanos()) - LEFT));
      if (each.outcome() != Outcome.OK) {
        failed[column] = true;
        continue;
      }
      long[] before = columns[column] == null ? new long[0] : columns[column];
      columns[column] = Arrays.copyOf(before, before.length + 1);
      columns[column][before.length] = each.endNanos() - each.beginNanos();
    }
    for (int column = 0; column < WIDTH; column++) {
      if (columns[column] != null) {
        Arrays.sort(columns[column]);
        double median = height(columns[column][columns[column].length / 2]);
        double max = height(columns[column][columns[column].length - 1]);
        rect("latency", LEFT + column, y + STRIP - max, 1, Math.max(1, max - median));
      }
      if (failed[column]) {
        rect("failed", LEFT + column, y + STRIP, 1, 5);
      }
    }
    y += STRIP + 6;
  }

  private static double height(long nanos) {
    double decades = Math.log10(Math.max(nanos / 1e6, MIN_MS) / MIN_MS);
    return Math.min(decades / DECADES, 1) * STRIP;
  }

  private void rect(String style, double x, double y, double width, double height) {
    out.append(
        String.format(
            Locale.ROOT,
            "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>%n",
            style,
            x,
            y,
            Math.max(width, 1),
            height));
  }

  private void text(double x, double y, String anchor, String text) {
    out.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            Html.escaped(text)));
  }
}
