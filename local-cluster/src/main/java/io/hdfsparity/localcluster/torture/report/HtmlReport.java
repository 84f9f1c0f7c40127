/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.report;

import io.hdfsparity.localcluster.torture.check.Violation;
import io.hdfsparity.localcluster.torture.history.Operation;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report of a run: one page that loads nothing from elsewhere. Pure. */
public final class HtmlReport {
  private static final String STYLE =
      """
      body { font: 14px sans-serif; margin: 2em; color: #222; background: #fff; }
      .right { color: #17663a; } .wrong { color: #a31515; }
      text { font: 11px sans-serif; fill: #444; }
      rect.fault { fill: #d9822b; } rect.strip { fill: #f3f3f3; }
      rect.latency { fill: #3b6ea5; } rect.failed { fill: #a31515; }
      table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: 2px 8px; }
      td.number { text-align: right; }
      """;

  private HtmlReport() {}

  /** The page. */
  public static String of(RunResult result) {
    StringBuilder out = new StringBuilder();
    out.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<title>hdfs-parity torture</title><style>\n")
        .append(STYLE)
        .append("</style></head><body>\n<h1>hdfs-parity torture: ")
        .append(
            result.isRight()
                ? "<span class=\"right\">right</span>"
                : "<span class=\"wrong\">VIOLATIONS FOUND</span>")
        .append("</h1>\n");
    list(out, "Run", result.facts());
    out.append("<h2>Timeline</h2>\n<p>Faults above. Below, latencies from the median to the ")
        .append("longest of each moment, 0.1 ms to 1000 s (logarithmic); red: failed or of ")
        .append("unknown outcome.</p>\n")
        .append(Timeline.svg(result));
    counts(out, result.history());
    list(out, "Found wrong at the end", result.problems());
    result.violations().forEach(violation -> violation(out, violation));
    list(out, "Checked at the end", result.checks());
    return out.append("</body></html>\n").toString();
  }

  private static void list(StringBuilder out, String title, List<String> lines) {
    if (!lines.isEmpty()) {
      out.append("<h2>").append(title).append("</h2>\n<ul>\n");
      lines.forEach(line -> out.append("<li>").append(Html.escaped(line)).append("</li>\n"));
      out.append("</ul>\n");
    }
  }

  private static void counts(StringBuilder out, List<Operation> history) {
    out.append("<h2>Operations</h2>\n<table>\n");
    row(out, "th", "kind", "acknowledged", "failed", "unknown", "mixed", "median ms", "max ms");
    for (OperationCounts.Row each : OperationCounts.of(history)) {
      row(
          out,
          "td class=\"number\"",
          each.kind().name(),
          String.valueOf(each.acknowledged()),
          String.valueOf(each.failed()),
          String.valueOf(each.unknown()),
          String.valueOf(each.mixed()),
          String.format(Locale.ROOT, "%.1f", each.medianMs()),
          String.format(Locale.ROOT, "%.0f", each.maxMs()));
    }
    out.append("</table>\n");
  }

  private static void violation(StringBuilder out, Violation violation) {
    out.append(violation.kind().breaksPromise() ? "<h2 class=\"wrong\">" : "<h2>Noted: ")
        .append(violation.kind())
        .append(": ")
        .append(Html.escaped(violation.object()))
        .append("</h2>\n<p>")
        .append(Html.escaped(violation.explanation()))
        .append("</p>\n<table>\n");
    row(out, "th", "number", "client", "kind", "value", "outcome", "begin s", "end s");
    for (Operation each : violation.operations()) {
      row(
          out,
          "td",
          "#" + each.number(),
          each.client(),
          each.kind().name(),
          each.value(),
          each.outcome().name(),
          seconds(each.beginNanos()),
          seconds(each.endNanos()));
    }
    out.append("</table>\n");
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.6f", nanos / 1e9);
  }

  private static void row(StringBuilder out, String cell, String... values) {
    String end = cell.substring(0, 2);
    out.append("<tr>")
        .append(
            List.of(values).stream()
                .map(value -> "<" + cell + ">" + Html.escaped(value) + "</" + end + ">")
                .collect(Collectors.joining()))
        .append("</tr>\n");
  }
}
