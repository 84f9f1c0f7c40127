/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.localcluster.torture.history.Operation;
import io.hdfsparity.localcluster.torture.history.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Violations that were planted are found, and histories of a register that works are right. */
class RegisterCheckerTest {
  private final RegisterChecker checker = new RegisterChecker();

  private void assertRight(Histories history) {
    assertThat(checker.check(history.list())).isEmpty();
  }

  private void assertWrong(Histories history, Violation.Kind kind) {
    assertThat(checker.check(history.list())).map(Violation::kind).contains(kind);
  }

  private static Histories begun() {
    return new Histories().write("0.0", 0, 1);
  }

  @Test
  void aStaleReadIsFound() {
    assertWrong(begun().write("1.0", 2, 3).read("0.0", 4, 5), Violation.Kind.STALE);
  }

  @Test
  void aLostWriteIsFound() {
    assertWrong(
        begun().write("1.0", 2, 3).write("2.0", 4, 5).read("1.0", 6, 7), Violation.Kind.STALE);
  }

  @Test
  void aValueThatNobodyHasWrittenIsFound() {
    assertWrong(begun().read("?a", 2, 3), Violation.Kind.NEVER_WRITTEN);
    assertWrong(begun().stockRead("?a", 2, 3), Violation.Kind.NEVER_WRITTEN);
  }

  @Test
  void aValueThatIsWrittenOnlyLaterIsFound() {
    assertWrong(begun().read("1.0", 2, 3).write("1.0", 4, 5), Violation.Kind.NOT_YET_WRITTEN);
    assertWrong(
        begun().stockRead("1.0", 2, 3).unknown("1.0", 4, 5), Violation.Kind.NOT_YET_WRITTEN);
  }

  @Test
  void readsThatGoBackInTimeAreFound() {
    assertWrong(
        begun().write("1.0", 2, 20).read("1.0", 3, 4).read("0.0", 5, 6),
        Violation.Kind.NOT_LINEARIZABLE);
    assertRight(begun().write("1.0", 2, 20).read("0.0", 3, 4).read("1.0", 5, 6));
  }

  /** What a crashed client wrote may come late, but what was read does not go away again. */
  @Test
  void aWriteOfUnknownOutcomeThatIsTakenBackIsFound() {
    assertRight(begun().unknown("1.0", 2, 3).read("0.0", 4, 5).read("1.0", 6, 7));
    assertRight(begun().unknown("1.0", 2, 3).read("0.0", 4, 5));
    assertWrong(
        begun().unknown("1.0", 2, 3).read("1.0", 4, 5).read("0.0", 6, 7),
        Violation.Kind.NOT_LINEARIZABLE);
  }

  /** One slice of the cell is older than an acknowledged write. */
  @Test
  void aTornCellIsFound() {
    assertWrong(begun().write("1.0", 2, 3).read("1.0,1.0,0.0,1.0", 4, 5), Violation.Kind.STALE);
    assertWrong(
        begun().write("1.0", 2, 3).stockRead("1.0,1.0,0.0,1.0", 4, 5), Violation.Kind.STALE);
    assertRight(begun().write("1.0", 2, 6).read("1.0,1.0,0.0,1.0", 4, 5));
    assertRight(begun().unknown("1.0", 2, 3).read("1.0,1.0,0.0,1.0", 4, 5).read("1.0", 6, 7));
  }

  /** That no order explains one slice is noted only; the bytes of another one are wrong. */
  @Test
  void aSliceWithoutAnOrderHidesNoWrongBytes() {
    assertWrong(
        begun().write("1.0", 2, 20).read("1.0,0.0", 3, 4).read("0.0,?bad", 5, 6),
        Violation.Kind.NEVER_WRITTEN);
  }

  @Test
  void stockReadsAreRegular() {
    assertWrong(begun().write("1.0", 2, 3).stockRead("0.0", 4, 5), Violation.Kind.STALE);
    // Old and new beside a write, in any order.
    assertRight(begun().write("1.0", 2, 9).stockRead("1.0", 3, 4).stockRead("0.0", 5, 6));
    assertRight(begun().unknown("1.0", 2, 3).write("2.0", 4, 5).stockRead("1.0", 6, 7));
  }

  @Test
  void twoWritesOfOneValueAreNoHistory() {
    assertThatThrownBy(() -> checker.check(begun().write("0.0", 2, 3).list()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("value=0.0");
  }

  @Test
  void historiesOfARegisterAreRight() {
    SeededRuns.of(3000)
        .check(
            random ->
                assertThat(checker.check(Histories.simulated(random, 1 + random.nextInt(5), 12, 1)))
                    .isEmpty());
  }

  @Test
  void historiesOfSlicesAreRight() {
    SeededRuns.of(1000)
        .check(random -> assertThat(checker.check(Histories.simulated(random, 4, 8, 4))).isEmpty());
  }

  @Test
  void aStaleReadBehindALongHistoryIsFound() {
    AtomicInteger planted = new AtomicInteger();
    SeededRuns.of(500)
        .check(
            random -> {
              List<Operation> history = new ArrayList<>(Histories.simulated(random, 4, 20, 1));
              boolean isReplaced =
                  history.stream()
                      .skip(1)
                      .anyMatch(each -> each.kind().isWrite() && each.outcome() == Outcome.OK);
              long after = history.stream().mapToLong(Operation::endNanos).max().orElseThrow() + 1;
              history.addAll(new Histories().read("0.0", after, after + 1).list());
              assertThat(checker.check(history).isPresent()).isEqualTo(isReplaced);
              planted.addAndGet(isReplaced ? 1 : 0);
            });
    assertThat(planted.get()).isGreaterThan(400);
  }

  @Test
  void itAgreesWithTryingAllOrders() {
    AtomicInteger right = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    Random seeds = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      long seed = seeds.nextLong();
      List<Operation> history = Histories.tiny(new Random(seed));
      boolean expected = BruteForce.isLinearizable(history);
      assertThat(checker.check(history).isEmpty())
          .as("seed %d: %s", seed, history)
          .isEqualTo(expected);
      (expected ? right : wrong).incrementAndGet();
    }
    assertThat(right.get()).isGreaterThan(1000);
    assertThat(wrong.get()).isGreaterThan(1000);
  }
}
