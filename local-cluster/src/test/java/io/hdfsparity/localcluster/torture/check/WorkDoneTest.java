/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorkDoneTest {
  private static final Set<OperationKind> EXPECTED =
      Set.of(OperationKind.FILE_WRITE, OperationKind.FILE_READ);

  private final List<Operation> history = new ArrayList<>();

  private void add(String client, OperationKind kind, String object, Outcome outcome) {
    int number = history.size();
    history.add(new Operation(number, client, kind, object, "1", outcome, number, number + 1));
  }

  private List<String> lacking() {
    return WorkDone.lacking(history, Set.of("a", "b"), EXPECTED);
  }

  @Test
  void whatIsExpectedHasToBeDoneOnceByAnyOfTheClients() {
    assertThat(lacking()).hasSize(2);
    add("a", OperationKind.FILE_WRITE, "/f", Outcome.OK);
    add("a", OperationKind.FILE_READ, "/f", Outcome.FAILED);
    add("c", OperationKind.FILE_READ, "/f", Outcome.OK);
    assertThat(lacking()).singleElement().asString().contains("1", "FILE_READ");
    add("b", OperationKind.FILE_READ, "/f", Outcome.OK);
    assertThat(lacking()).isEmpty();
  }

  @Test
  void whatIsOftenTriedInVainIsLackingToo() {
    add("a", OperationKind.FILE_WRITE, "/f", Outcome.OK);
    add("a", OperationKind.FILE_READ, "/f", Outcome.OK);
    for (int i = 1; i < 10; i++) {
      add("b", OperationKind.LEVEL, "/", Outcome.UNKNOWN);
    }
    assertThat(lacking()).isEmpty();
    add("b", OperationKind.LEVEL, "/", Outcome.UNKNOWN);
    assertThat(lacking()).singleElement().asString().contains("10", "LEVEL");
    add("b", OperationKind.LEVEL, "/", Outcome.OK);
    assertThat(lacking()).isEmpty();
  }

  @Test
  void filesCountThatAreReadAtTheEndAndAreRight() {
    add("a", OperationKind.FILE_READ, "/early", Outcome.OK);
    add(HistoryChecker.LAST_READER, OperationKind.FILE_READ, "/right", Outcome.OK);
    add(HistoryChecker.EARLIER_LAST_READER, OperationKind.FILE_READ, "/right", Outcome.OK);
    add(HistoryChecker.LAST_READER, OperationKind.FILE_READ, "/unreadable", Outcome.FAILED);
    add(HistoryChecker.EARLIER_LAST_READER, OperationKind.FILE_READ, "/wrong", Outcome.OK);
    Violation wrong = new Violation(Violation.Kind.WRONG_BYTES, "/wrong", "", List.of());
    assertThat(WorkDone.rightFiles(history, List.of(wrong))).isEqualTo(1);
  }
}
