/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What came of the tests of one class, on plain Hadoop and with the suite's parts in the DataNodes.
 *
 * @param name of the class
 * @param plain word and first line of the failure by test
 * @param ours the same
 */
record HadoopClassResult(
    String name, SortedMap<String, String> plain, SortedMap<String, String> ours) {
  static final String PASSED = "PASSED";

  /** Tests that pass on plain Hadoop only, and what they said with ours. */
  SortedMap<String, String> worse() {
    return differing(plain, ours);
  }

  /** Tests that pass with ours only. */
  List<String> better() {
    return List.copyOf(differing(ours, plain).keySet());
  }

  private static SortedMap<String, String> differing(
      Map<String, String> passes, Map<String, String> other) {
    return passes.entrySet().stream()
        .filter(each -> each.getValue().startsWith(PASSED))
        .map(Entry::getKey)
        .filter(test -> !Objects.requireNonNullElse(other.get(test), "").startsWith(PASSED))
        .collect(
            Collectors.toMap(
                test -> test,
                test -> Objects.requireNonNullElse(other.get(test), "did not run"),
                (one, two) -> one,
                TreeMap::new));
  }

  String simpleName() {
    return name.substring(name.lastIndexOf('.') + 1);
  }

  static String counts(Map<String, String> results) {
    long passed = results.values().stream().filter(word -> word.startsWith(PASSED)).count();
    long skipped = results.values().stream().filter(word -> word.startsWith("SKIPPED")).count();
    return passed
        + " of "
        + (results.size() - skipped)
        + (skipped == 0 ? "" : ", " + skipped + " skipped");
  }
}
