/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.benchmarks.macro.BarChart;
import io.hdfsparity.benchmarks.macro.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Experiments 1, 2 and 4 as a table and plots. Immutable. */
final class CountsReport {
  /** Of Experiments 1 and 4. */
  static final int PAPERS_PERCENT = 50;

  private static final int BAR_PIXELS = 45;
  private static final int MIN_PIXELS = 900;
  private static final double PERCENT = 100;

  private final List<CountCase> cases;

  CountsReport(List<CountCase> cases) {
    this.cases = List.copyOf(cases);
  }

  private List<CountCase> byCode() {
    return cases.stream().filter(each -> each.percent() == PAPERS_PERCENT).toList();
  }

  private List<CountCase> byRatio(CodeShape code) {
    return cases.stream().filter(each -> each.code().equals(code)).toList();
  }

  String table(CodeShape ratioCode) {
    StringBuilder out = new StringBuilder();
    out.append("Experiments 1 and 4: by code, analysis ratio 0.5. Shares are of bso.\n\n");
    table(out, byCode());
    out.append("\nExperiment 2: by analysis ratio, ").append(ratioCode).append("\n\n");
    table(out, byRatio(ratioCode));
    out.append('\n');
    summary(out, "recorded traces", byCode().stream().filter(each -> !each.isGenerated()).toList());
    summary(out, "made-up traces", byCode().stream().filter(CountCase::isGenerated).toList());
    summary(out, "recorded traces, all ratios", all(false));
    summary(out, "made-up traces, all ratios", all(true));
    return out.toString();
  }

  private List<CountCase> all(boolean isGenerated) {
    return cases.stream().filter(each -> each.isGenerated() == isGenerated).toList();
  }

  private static void table(StringBuilder out, List<CountCase> rows) {
    out.append(
        String.format(
            Locale.ROOT,
            "%-20s%-9s%6s%14s%18s%18s%16s%18s%18s  %s%n",
            "trace",
            "code",
            "ratio",
            "updates: bso",
            "algorithm1",
            "default",
            "reads: bso",
            "algorithm1",
            "default",
            "default took"));
    for (CountCase each : rows) {
      out.append(
          String.format(
              Locale.ROOT,
              "%-20s%-9s%6.1f%,14d%18s%18s%,16d%18s%18s  %s%n",
              each.trace(),
              each.code(),
              each.percent() / PERCENT,
              each.parityUpdates(Organizer.BSO),
              cell(
                  each.parityUpdates(Organizer.ALGORITHM_1),
                  each.updateShare(Organizer.ALGORITHM_1)),
              cell(each.parityUpdates(Organizer.DEFAULT), each.updateShare(Organizer.DEFAULT)),
              each.degradedReads(Organizer.BSO),
              cell(
                  each.degradedReads(Organizer.ALGORITHM_1), each.readShare(Organizer.ALGORITHM_1)),
              cell(each.degradedReads(Organizer.DEFAULT), each.readShare(Organizer.DEFAULT)),
              each.method().toLowerCase(Locale.ROOT)));
    }
  }

  private static String cell(long value, double share) {
    return Double.isNaN(share)
        ? String.format(Locale.ROOT, "%,d", value)
        : String.format(Locale.ROOT, "%,d %5.1f%%", value, PERCENT * share);
  }

  private static void summary(StringBuilder out, String name, List<CountCase> rows) {
    if (rows.isEmpty()) {
      return;
    }
    out.append(String.format(Locale.ROOT, "%s, %d cases:%n", name, rows.size()));
    for (String each : List.of(Organizer.ALGORITHM_1, Organizer.DEFAULT)) {
      out.append(
          String.format(
              Locale.ROOT,
              "  %-12s fewer parity updates %5.1f %% on average; above bso by more than 1 %% in"
                  + " %d; additional reads %+.1f %% on average, above bso by more than 1 %% in %d%n",
              each,
              PERCENT * (1 - average(rows, row -> row.updateShare(each))),
              above(rows, row -> row.updateShare(each)),
              PERCENT * (average(rows, row -> row.readShare(each)) - 1),
              above(rows, row -> row.readShare(each))));
    }
  }

  /** Of the cases that have one. */
  private static double average(List<CountCase> rows, ToDoubleFunction<CountCase> share) {
    return rows.stream()
        .mapToDouble(share)
        .filter(each -> !Double.isNaN(each))
        .average()
        .orElse(Double.NaN);
  }

  private static long above(List<CountCase> rows, ToDoubleFunction<CountCase> share) {
    return rows.stream().mapToDouble(share).filter(each -> each > CountCase.TOLERANCE).count();
  }

  void plot(Path out, String name, CodeShape ratioCode) throws IOException {
    bars(
        byCode(),
        "Parity updates by code, analysis ratio 0.5 (Fig. 8)",
        CountCase::updateShare,
        out.resolve(name + "-exp1.png"));
    bars(
        byRatio(ratioCode),
        "Parity updates by analysis ratio, " + ratioCode + " (Fig. 9)",
        CountCase::updateShare,
        out.resolve(name + "-exp2.png"));
    bars(
        byCode().stream().filter(each -> each.degradedReads(Organizer.BSO) > 0).toList(),
        "Additional degraded reads, analysis ratio 0.5 (Fig. 11)",
        CountCase::readShare,
        out.resolve(name + "-exp4.png"));
  }

  private interface Share {
    double of(CountCase row, String organization);
  }

  private static void bars(List<CountCase> rows, String title, Share share, Path file)
      throws IOException {
    if (rows.isEmpty()) {
      return;
    }
    BarChart chart =
        new BarChart(
            title,
            "% of the order of addresses",
            Math.max(MIN_PIXELS, BAR_PIXELS * rows.size()),
            rows.stream()
                .map(each -> each.trace() + " " + each.code() + " " + each.percent() + "%")
                .toList());
    for (String name : Organizer.NAMES) {
      chart.add(
          name,
          rows.stream().map(each -> Spread.of(List.of(PERCENT * share.of(each, name)))).toList());
    }
    chart.save(file);
  }
}
