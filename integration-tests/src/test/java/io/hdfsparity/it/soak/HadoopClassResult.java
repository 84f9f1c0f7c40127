/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What came of the tests of one class, on plain Hadoop and with the suite's parts in it.
 *
 * @param name of the class
 * @param plain outcomes by test
 * @param ours the same
 * @param notes by test: those that passed only when they were run again
 */
record HadoopClassResult(
    String name,
    SortedMap<String, HadoopTestOutcome> plain,
    SortedMap<String, HadoopTestOutcome> ours,
    SortedMap<String, String> notes) {

  /** Tests that pass on plain Hadoop only, and what they said with ours. */
  SortedMap<String, String> worse() {
    SortedMap<String, String> worse = new TreeMap<>();
    for (String test : passedOnlyIn(plain, ours)) {
      HadoopTestOutcome outcome = ours.get(test);
      worse.put(test, outcome == null ? "did not end" : outcome.word() + ": " + outcome.message());
    }
    return worse;
  }

  /** Tests that pass with ours only. */
  List<String> better() {
    return passedOnlyIn(ours, plain);
  }

  /** Tests that pass in the one and fail, or did not end, in the other. */
  static List<String> passedOnlyIn(
      SortedMap<String, HadoopTestOutcome> one, SortedMap<String, HadoopTestOutcome> other) {
    List<String> tests = new ArrayList<>();
    one.forEach(
        (test, outcome) -> {
          HadoopTestOutcome there = other.get(test);
          if (outcome.isPassed() && (there == null || !there.isPassed())) {
            tests.add(test);
          }
        });
    return tests;
  }

  String simpleName() {
    return simpleName(name);
  }

  static String simpleName(String name) {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static String counts(Map<String, HadoopTestOutcome> outcomes) {
    long passed = outcomes.values().stream().filter(HadoopTestOutcome::isPassed).count();
    long skipped =
        outcomes.values().stream()
            .filter(each -> each.word() == HadoopTestOutcome.Word.SKIPPED)
            .count();
    return passed
        + " of "
        + (outcomes.size() - skipped)
        + (skipped == 0 ? "" : ", " + skipped + " skipped");
  }
}
