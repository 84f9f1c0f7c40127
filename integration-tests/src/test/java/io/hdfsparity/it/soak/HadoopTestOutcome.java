/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.soak;

import java.util.List;
import java.util.stream.Collectors;
import org.junit.platform.engine.UniqueId;

/**
 * How one test ended.
 *
 * @param uniqueId JUnit's, by which it can be run alone
 * @param message first line of the failure, or why it was skipped
 */
record HadoopTestOutcome(Word word, String uniqueId, String message) {
  /** How a test can end. */
  enum Word {
    PASSED,
    FAILED,
    SKIPPED
  }

  private static final List<String> OUTER = List.of("engine", "class", "class-template");

  boolean isPassed() {
    return word == Word.PASSED;
  }

  /** As the page names it, such as {@code testChecksum(int)/#2}. */
  String test() {
    String name =
        UniqueId.parse(uniqueId).getSegments().stream()
            .filter(segment -> !OUTER.contains(segment.getType()))
            .map(UniqueId.Segment::getValue)
            .collect(Collectors.joining("/"));
    return name.isEmpty() ? "(the class)" : name;
  }

  /** A line of a file of outcomes. */
  String line() {
    return word + "\t" + uniqueId + "\t" + message;
  }

  static HadoopTestOutcome ofLine(String line) {
    String[] parts = line.split("\t", 3);
    return new HadoopTestOutcome(Word.valueOf(parts[0]), parts[1], parts[2]);
  }
}
