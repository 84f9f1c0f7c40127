/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.OperationKind;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Violations in long histories of many cells are cut down to the operations that show them. */
class HistoryCheckerTest {
  private final HistoryChecker checker = new HistoryChecker();

  @Test
  void cellsAreCheckedApart() {
    Histories history =
        new Histories().of("/f#1").write("0.0", 0, 1).write("1.0", 2, 3).read("1.0", 4, 5);
    history.of("/f#2").write("0.0", 0, 1).read("0.0", 4, 5);
    assertThat(checker.check(history.list())).isEmpty();
  }

  /** Of dozens of operations those stay without which the stale read would be right. */
  @Test
  void aStaleReadIsCutDown() {
    SeededRuns.of(100)
        .check(
            random -> {
              List<Operation> history = new ArrayList<>(Histories.simulated(random, 4, 15, 1));
              long after = history.stream().mapToLong(Operation::endNanos).max().orElseThrow() + 1;
              String cell = history.get(0).object();
              history.add(operation(1000, cell, OperationKind.UPDATE, "9.9", after, after + 1));
              history.add(
                  operation(1001, cell, OperationKind.UPDATER_READ, "0.0", after + 2, after + 3));
              List<Violation> found = checker.check(history);
              assertThat(found).hasSize(1);
              assertThat(found.get(0).kind()).isEqualTo(Violation.Kind.STALE);
              assertThat(found.get(0).operations()).hasSize(3);
              List<Operation> shown = found.get(0).operations();
              assertThat(checker.check(shown)).hasSize(1);
              for (Operation each : shown) {
                List<Operation> fewer = shown.stream().filter(other -> other != each).toList();
                assertThat(checker.check(fewer))
                    .noneMatch(other -> other.kind() == Violation.Kind.STALE);
              }
            });
  }

  private static Operation operation(
      long number, String cell, OperationKind kind, String value, long begin, long end) {
    return new Operation(number, "c", kind, cell, value, Outcome.OK, begin, end);
  }

  /** Not to a read whose write was taken away. */
  @Test
  void aForeignValueIsCutDownToTheReadThatFoundIt() {
    Histories history = new Histories().write("0.0", 0, 1);
    for (int i = 0; i < 20; i++) {
      history.write("1." + i, 10 * i + 2, 10 * i + 3).read("1." + i, 10 * i + 4, 10 * i + 5);
    }
    history.read("?bad", 500, 501);
    assertThat(checker.check(history.list()))
        .singleElement()
        .satisfies(
            found -> {
              assertThat(found.kind()).isEqualTo(Violation.Kind.NEVER_WRITTEN);
              assertThat(found.operations()).extracting(Operation::value).containsExactly("?bad");
            });
  }

  @Test
  void aReadThatFailsAtTheEndIsFound() {
    Operation read =
        new Operation(
            1, HistoryChecker.LAST_READER, OperationKind.FILE_READ, "/f", "", Outcome.FAILED, 5, 6);
    assertThat(checker.check(List.of(read)))
        .extracting(Violation::kind)
        .containsExactly(Violation.Kind.UNREADABLE);
  }

  @Test
  void aDeletionIsNoWriteOfAFile() {
    List<Operation> history =
        List.of(
            operation(1, "/f", OperationKind.FILE_DELETE, "", 0, 1),
            operation(2, "/f", OperationKind.FILE_WRITE, "5", 2, 3),
            operation(3, "/f", OperationKind.FILE_READ, "5", 4, 5));
    assertThat(checker.check(history)).isEmpty();
  }

  @Test
  void aMinimalListFailsAndNoneOfItsParts() {
    SeededRuns.of(300)
        .check(
            random -> {
              List<Integer> all = IntStream.range(0, 1 + random.nextInt(60)).boxed().toList();
              List<Integer> needed =
                  all.stream().filter(each -> random.nextInt(8) == 0 || each == 0).toList();
              assertThat(Reduction.minimal(all, some -> some.containsAll(needed)))
                  .isEqualTo(needed);
            });
  }
}
