/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.it.soak.HadoopTestOutcome.Word;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HadoopTestsPageTest {
  private static final List<String> ALL = List.of("TestOne", "TestTwo", "TestThree");

  @Test
  void aRunKeepsTheRowsOfOtherClasses() {
    HadoopTestsPage first = HadoopTestsPage.parse("");
    first.put(
        new HadoopClassResult(
            "a.TestOne", outcomes(Word.PASSED), outcomes(Word.FAILED), new TreeMap<>()),
        "2026-01-01",
        "abc",
        test -> "because of " + test);

    HadoopTestsPage second = HadoopTestsPage.parse(first.text(ALL, List.of()));
    SortedMap<String, String> notes = new TreeMap<>();
    notes.put("testX()", "passed alone.");
    second.put(
        new HadoopClassResult("b.TestTwo", outcomes(Word.PASSED), outcomes(Word.PASSED), notes),
        "2026-01-02",
        "def",
        test -> "");

    assertThat(second.text(ALL, List.of("TestTwo")))
        .contains("| TestOne | 2026-01-01 | abc | 1 of 1 | 0 of 1 | 1 |\n")
        .contains("| TestTwo | 2026-01-02 | def | 1 of 1 | 1 of 1 | 0 |\n")
        .contains("- `TestOne.testX()`: because of TestOne.testX()\n")
        .contains("- `TestTwo.testX()`: passed alone.\n")
        .contains("which ends such a DataNode: TestTwo.\n")
        .contains("Not run yet:\nTestThree.\n");
    assertThat(second.hasRun("TestOne", "abc")).isTrue();
    assertThat(second.hasRun("TestOne", "def")).isFalse();
  }

  @Test
  void aRunReplacesWhatThePageHasOfItsClass() {
    HadoopTestsPage page = HadoopTestsPage.parse("");
    page.put(
        new HadoopClassResult(
            "a.TestOne", outcomes(Word.PASSED), outcomes(Word.FAILED), new TreeMap<>()),
        "2026-01-01",
        "abc",
        test -> "not explained");
    HadoopTestsPage again = HadoopTestsPage.parse(page.text(ALL, List.of()));
    again.put(
        new HadoopClassResult(
            "a.TestOne", outcomes(Word.PASSED), outcomes(Word.PASSED), new TreeMap<>()),
        "2026-01-02",
        "def",
        test -> "");

    assertThat(again.text(ALL, List.of())).doesNotContain("abc").doesNotContain("not explained");
  }

  @Test
  void testsOfTemplatesHaveNamesOfTheirOwn() {
    HadoopTestOutcome outcome =
        HadoopTestOutcome.ofLine(
            "FAILED\t[engine:junit-jupiter]/[class:a.TestOne]/[test-template:testX(int)]"
                + "/[test-template-invocation:#2]\twhy");

    assertThat(outcome.test()).isEqualTo("testX(int)/#2");
    assertThat(outcome.isPassed()).isFalse();
    assertThat(HadoopTestOutcome.ofLine(outcome.line())).isEqualTo(outcome);
  }

  @Test
  void aTestThatDidNotEndPassesOnTheOtherSideOnly() {
    HadoopClassResult result =
        new HadoopClassResult("a.TestOne", outcomes(Word.PASSED), new TreeMap<>(), new TreeMap<>());

    assertThat(result.worse()).containsEntry("testX()", "did not end");
    assertThat(result.better()).isEmpty();
  }

  private static SortedMap<String, HadoopTestOutcome> outcomes(Word word) {
    SortedMap<String, HadoopTestOutcome> outcomes = new TreeMap<>();
    HadoopTestOutcome outcome =
        new HadoopTestOutcome(
            word, "[engine:junit-jupiter]/[class:a.TestOne]/[method:testX()]", "");
    outcomes.put(outcome.test(), outcome);
    return outcomes;
  }
}
