/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.report;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How many operations there were of each kind, and how long they took. Pure. */
public final class OperationCounts {
  private OperationCounts() {}

  /**
   * Operations of a kind.
   *
   * @param acknowledged those that ended well
   * @param failed reads without an answer
   * @param unknown writes of unknown outcome
   * @param mixed reads that found parts of several writes
   * @param medianMs median time of those that ended well, in milliseconds
   * @param maxMs the longest of these, in milliseconds
   */
  public record Row(
      OperationKind kind,
      long acknowledged,
      long failed,
      long unknown,
      long mixed,
      double medianMs,
      double maxMs) {
    /** For people. */
    public String describe() {
      return String.format(
          Locale.ROOT,
          "%-13s %7d acknowledged, %d failed, %d unknown, %d mixed; median %.1f ms, max %.0f ms",
          kind,
          acknowledged,
          failed,
          unknown,
          mixed,
          medianMs,
          maxMs);
    }
  }

  /** A row for each kind that there is. */
  public static List<Row> of(List<Operation> history) {
    List<Row> rows = new ArrayList<>();
    for (OperationKind kind : OperationKind.values()) {
      List<Operation> some = history.stream().filter(each -> each.kind() == kind).toList();
      if (!some.isEmpty()) {
        rows.add(row(kind, some));
      }
    }
    return rows;
  }

  private static Row row(OperationKind kind, List<Operation> some) {
    long[] nanos =
        some.stream()
            .filter(each -> each.outcome() == Outcome.OK)
            .mapToLong(each -> each.endNanos() - each.beginNanos())
            .sorted()
            .toArray();
    return new Row(
        kind,
        nanos.length,
        count(some, Outcome.FAILED),
        count(some, Outcome.UNKNOWN),
        some.stream().filter(each -> each.slices().size() > 1).count(),
        nanos.length == 0 ? 0 : nanos[nanos.length / 2] / 1e6,
        nanos.length == 0 ? 0 : nanos[nanos.length - 1] / 1e6);
  }

  private static long count(List<Operation> some, Outcome outcome) {
    return some.stream().filter(each -> each.outcome() == outcome).count();
  }
}
