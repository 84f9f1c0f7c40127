/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.torture.history.Outcome;
import org.junit.jupiter.api.Test;

/** Files keep what was acknowledged. */
class FileCheckerTest {
  private final FileChecker checker = new FileChecker();

  private static Histories begun() {
    return new Histories().fileWrite("100", Outcome.OK, 0, 1);
  }

  private void assertRight(Histories history) {
    assertThat(checker.check(history.list())).isEmpty();
  }

  private void assertWrong(Histories history, Violation.Kind kind) {
    assertThat(checker.check(history.list())).map(Violation::kind).contains(kind);
  }

  @Test
  void acknowledgedBytesAreThere() {
    assertRight(begun().fileRead("100", 2, 3));
    assertWrong(begun().fileRead("99", 2, 3), Violation.Kind.STALE);
    assertWrong(
        begun().fileWrite("150", Outcome.OK, 2, 3).fileRead("100", 4, 5), Violation.Kind.STALE);
  }

  @Test
  void anAppendMayBeThereWhileItRunsAndAfterItHasFailed() {
    for (String found : new String[] {"100", "120", "150"}) {
      assertRight(begun().fileWrite("150", Outcome.OK, 2, 9).fileRead(found, 4, 5));
      assertRight(begun().fileWrite("150", Outcome.UNKNOWN, 2, 3).fileRead(found, 4, 5));
    }
    assertWrong(
        begun().fileWrite("150", Outcome.UNKNOWN, 2, 3).fileRead("151", 4, 5),
        Violation.Kind.NEVER_WRITTEN);
    assertWrong(
        begun().fileRead("150", 2, 3).fileWrite("150", Outcome.OK, 4, 5),
        Violation.Kind.NEVER_WRITTEN);
  }

  @Test
  void wrongBytesAreFound() {
    assertWrong(begun().fileRead("100!17", 2, 3), Violation.Kind.WRONG_BYTES);
    assertThat(FileLength.parse("100!17").toString()).isEqualTo("100!17");
  }
}
