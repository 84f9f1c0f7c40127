/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowlessReplicasTest {
  private final RowlessReplicas rowless = new RowlessReplicas(100);

  @Test
  void eachReplicaIsKnownByItself() {
    rowless.put(1, "a", rowless.begin());
    rowless.put(2, "b", rowless.begin());
    assertThat(rowless.contains(1, "a")).isTrue();
    assertThat(rowless.contains(1, "b")).isFalse();
    assertThat(rowless.contains(2, "a")).isFalse();
    assertThat(rowless.contains(2, "b")).isTrue();
  }

  @Test
  void anAnswerToAQuestionFromBeforeARowWasPromisedCountsForNothing() {
    long begun = rowless.begin();
    rowless.put(1, "a", begun);
    rowless.forget(1);
    assertThat(rowless.contains(1, "a")).isFalse();
    rowless.put(1, "a", begun);
    assertThat(rowless.contains(1, "a")).as("it looked before").isFalse();
    rowless.put(2, "a", begun);
    assertThat(rowless.contains(2, "a")).as("another block").isTrue();
    rowless.put(1, "a", rowless.begin());
    assertThat(rowless.contains(1, "a")).isTrue();
  }

  @Test
  void soItIsWhenManyBlocksWereForgotten() {
    long begun = rowless.begin();
    for (long id = 0; id < 150_000; id++) {
      rowless.forget(id);
    }
    for (long id : new long[] {0, 99_999, 149_999}) {
      rowless.put(id, "a", begun);
      assertThat(rowless.contains(id, "a")).isFalse();
    }
  }

  @Test
  void aBlockWhoseRowsAreBeingMadeIsNotCalledRowlessForAWhile() {
    rowless.advance(1_000_000);
    rowless.put(1, "a", rowless.begin());
    rowless.promise(1, "a");
    assertThat(rowless.contains(1, "a")).isFalse();
    rowless.put(1, "a", rowless.begin());
    rowless.advance(1_000_000 + RowlessReplicas.GENERATION_MS);
    rowless.put(1, "a", rowless.begin());
    assertThat(rowless.contains(1, "a")).isFalse();
    rowless.advance(1_000_000 + 2 * RowlessReplicas.GENERATION_MS);
    rowless.put(1, "a", rowless.begin());
    assertThat(rowless.contains(1, "a")).isTrue();
  }

  @Test
  void aReplicaThatItsStorageDoesNotTakeMayBeCalledRowlessAgain() {
    rowless.promise(1, "a");
    rowless.promise(1, "a");
    long begun = rowless.begin();
    rowless.endPromise(1, "a");
    rowless.put(1, "a", begun);
    assertThat(rowless.contains(1, "a")).as("asked while it was promised").isFalse();
    rowless.put(1, "a", rowless.begin());
    assertThat(rowless.contains(1, "a")).isTrue();
    rowless.advance(1_000_000);
    rowless.promise(2, "a");
    rowless.advance(1_000_000 + RowlessReplicas.GENERATION_MS);
    rowless.endPromise(2, "a");
    rowless.put(2, "a", rowless.begin());
    assertThat(rowless.contains(2, "a")).as("promised long before").isTrue();
  }

  /** Only the sides get rows. When both are lost the others count, and are copied. */
  @Test
  void otherReplicasOfAPromisedBlockMayBeCalledRowless() {
    rowless.promise(1, "a");
    rowless.put(1, "a", rowless.begin());
    rowless.put(1, "b", rowless.begin());
    assertThat(rowless.contains(1, "a")).isFalse();
    assertThat(rowless.contains(1, "b")).isTrue();
  }

  @Test
  void answersAreForgottenWithTime() {
    rowless.advance(1_000_000);
    rowless.put(1, "a", rowless.begin());
    rowless.advance(1_000_000 + RowlessReplicas.GENERATION_MS);
    assertThat(rowless.contains(1, "a")).isTrue();
    rowless.advance(1_000_000 + 2 * RowlessReplicas.GENERATION_MS);
    assertThat(rowless.contains(1, "a")).isFalse();
  }

  @Test
  void aBoundedNumberIsKept() {
    for (long id = 0; id < 1_000; id++) {
      rowless.put(id, "a", rowless.begin());
    }
    assertThat(rowless.size()).isLessThanOrEqualTo(200);
    assertThat(rowless.contains(999, "a")).isTrue();
    assertThat(rowless.contains(0, "a")).isFalse();
  }

  @Test
  void anotherActiveNameNodeMakesAllUnknown() {
    long begun = rowless.begin();
    rowless.put(1, "a", begun);
    rowless.clear();
    rowless.put(2, "a", begun);
    assertThat(rowless.size()).isZero();
  }
}
