/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

/** What of a log is shown when a test has failed. */
class RepeatedLinesTest {
  private final RepeatedLines lines = new RepeatedLines(LocalDateTime.of(2026, 5, 1, 12, 0, 0));

  @Test
  void linesThatDifferByNumbersAreOne() {
    lines.add("2026-05-01 12:00:01,001 INFO  Monitor [m-0] Node 127.0.0.1:501 has 3 blocks");
    lines.add("2026-05-01 12:00:02,000 INFO  Other [m-0] once");
    lines.add("2026-05-01 12:00:03,044 INFO  Monitor [m-0] Node 127.0.0.1:777 has 2 blocks");
    assertThat(lines.mostFrequent(10))
        .containsExactly(
            "2 x 2026-05-01 12:00:03,044 INFO  Monitor [m-0] Node 127.0.0.1:777 has 2 blocks");
  }

  @Test
  void theMostFrequentIsFirst() {
    for (int i = 0; i < 2; i++) {
      lines.add("2026-05-01 12:00:0" + i + ",001 INFO  A [m] rare");
    }
    for (int i = 0; i < 3; i++) {
      lines.add("2026-05-01 12:00:0" + i + ",001 INFO  A [m] often");
    }
    assertThat(lines.mostFrequent(1)).singleElement().asString().startsWith("3 x ").contains("oft");
  }

  @Test
  void whatComesAtOnceIsNotFrequent() {
    for (int i = 0; i < 9; i++) {
      lines.add("2026-05-01 12:00:01,00" + i + " INFO  A [m] stopped");
    }
    for (int i = 1; i < 3; i++) {
      lines.add("2026-05-01 12:00:0" + i + ",000 INFO  A [m] waiting");
    }
    assertThat(lines.mostFrequent(5)).singleElement().asString().contains("waiting");
  }

  @Test
  void whatIsOldOrHasNoTimeIsPassedBy() {
    for (int i = 0; i < 2; i++) {
      lines.add("2026-05-01 11:59:59,999 WARN  A [m] old");
      lines.add("\tat java.base/java.lang.Thread.run(Thread.java:840)");
      lines.add("");
    }
    assertThat(lines.mostFrequent(10)).isEmpty();
    assertThat(lines.rarestWarnings(10)).isEmpty();
  }

  @Test
  void theRarestWarningsAreInTheirOrder() {
    lines.add("2026-05-01 12:00:01,000 WARN  A [m] first");
    lines.add("2026-05-01 12:00:02,000 ERROR B [m] second");
    lines.add("2026-05-01 12:00:02,001 ERROR B [m] second");
    lines.add("2026-05-01 12:00:03,000 INFO  A [m] no warning");
    lines.add("2026-05-01 12:00:04,000 WARN  A [m] third");
    assertThat(lines.rarestWarnings(2))
        .extracting(each -> each.substring(each.lastIndexOf(' ') + 1))
        .containsExactly("first", "third");
  }

  @Test
  void aWarningHasItsException() {
    lines.add("2026-05-01 12:00:01,000 WARN  A [m] failed");
    lines.add("java.io.IOException: all are bad");
    lines.add("\tat java.base/java.lang.Thread.run(Thread.java:840)");
    lines.add("2026-05-01 12:00:03,000 INFO  A [m] no warning");
    lines.add("java.io.IOException: as expected");
    assertThat(lines.rarestWarnings(2))
        .containsExactly(
            "1 x 2026-05-01 12:00:01,000 WARN  A [m] failed | java.io.IOException: all are bad");
  }
}
