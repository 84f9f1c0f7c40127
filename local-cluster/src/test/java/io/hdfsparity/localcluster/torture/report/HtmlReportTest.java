/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.torture.check.Violation;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The page tells all there is, and runs nothing. */
class HtmlReportTest {
  private static Operation operation(long number, OperationKind kind, Outcome outcome) {
    return new Operation(
        number,
        "<b>c</b>",
        kind,
        "/f#\"1\"",
        "1.0",
        outcome,
        number * 1_000_000,
        (number + 2) * 1_000_000);
  }

  private static RunResult result(List<Violation> violations, List<String> problems) {
    return new RunResult(
        List.of("seed 7"),
        List.of(new FaultSpan("kill dn2", 1_000_000, 3_000_000)),
        List.of(
            operation(0, OperationKind.UPDATE, Outcome.OK),
            operation(1, OperationKind.UPDATE, Outcome.UNKNOWN),
            operation(2, OperationKind.STOCK_READ, Outcome.FAILED)),
        violations,
        List.of("hdfs fsck: healthy"),
        problems);
  }

  @Test
  void aRightRunSaysSo() {
    String page = HtmlReport.of(result(List.of(), List.of()));
    assertThat(page)
        .contains("right</span>", "seed 7", "kill dn2", "hdfs fsck: healthy", "<svg ")
        .doesNotContain("VIOLATIONS", "Found wrong");
    // Nothing is loaded from elsewhere; the one URI is a name space.
    assertThat(page.replace("http://www.w3.org/2000/svg", "")).doesNotContain("http", "<script");
  }

  @Test
  void violationsAndProblemsAreShownWithAllTextEscaped() {
    Violation violation =
        new Violation(
            Violation.Kind.STALE,
            "/f#\"<1>\"",
            "#1 & #2",
            List.of(operation(2, OperationKind.STOCK_READ, Outcome.OK)));
    String page = HtmlReport.of(result(List.of(violation), List.of("parity <wrong>")));
    assertThat(page)
        .contains("VIOLATIONS FOUND", "STALE: /f#&quot;&lt;1&gt;&quot;", "#1 &amp; #2")
        .contains("parity &lt;wrong&gt;", "&lt;b&gt;c&lt;/b&gt;", "0.002000")
        .doesNotContain("<b>c", "<wrong>");
    assertThat(result(List.of(violation), List.of()).isRight()).isFalse();
    assertThat(result(List.of(), List.of("wrong")).isRight()).isFalse();
    Violation noted =
        new Violation(Violation.Kind.NOT_LINEARIZABLE, "/f#2", "regular", violation.operations());
    assertThat(result(List.of(noted), List.of()).isRight()).isTrue();
    assertThat(result(List.of(noted, violation), List.of()).isRight()).isFalse();
    assertThat(HtmlReport.of(result(List.of(noted), List.of())))
        .contains("Noted: NOT_LINEARIZABLE: /f#2")
        .doesNotContain("VIOLATIONS");
  }

  @Test
  void operationsAreCountedByKind() {
    assertThat(OperationCounts.of(result(List.of(), List.of()).history()))
        .containsExactly(
            new OperationCounts.Row(OperationKind.UPDATE, 1, 0, 1, 0, 2.0, 2.0),
            new OperationCounts.Row(OperationKind.STOCK_READ, 0, 1, 0, 0, 0, 0));
  }
}
