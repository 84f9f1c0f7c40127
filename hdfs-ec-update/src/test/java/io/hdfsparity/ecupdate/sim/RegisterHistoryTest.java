/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.sim;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The checker must find what is planted, and let pass what regular registers may do. */
class RegisterHistoryTest {
  private final RegisterHistory history = new RegisterHistory(0);

  private void write(int value, long began, long ended) {
    history.writeBegan(value, began);
    history.writeEnded(value, ended);
  }

  @Test
  void concurrentWritesMaySwapInTheEyesOfReaders() {
    write(1, 10, 20);
    write(2, 12, 22);
    history.read(0, 11, 13);
    history.read(2, 15, 16);
    history.read(1, 30, 31); // both were concurrent: either may be the last
    history.read(2, 32, 33);
    assertThatCode(() -> history.check("x")).doesNotThrowAnyException();
  }

  @Test
  void newThenOldIsRegularDuringAWrite() {
    write(1, 10, 20);
    history.read(1, 11, 12);
    history.read(0, 13, 14);
    assertThatCode(() -> history.check("x")).doesNotThrowAnyException();
  }

  @Test
  void aWriteThatNeverEndedMayShowOrNot() {
    history.writeBegan(1, 10);
    history.read(1, 100, 101);
    history.read(0, 200, 201);
    assertThatCode(() -> history.check("x")).doesNotThrowAnyException();
  }

  @Test
  void findsALostWrite() {
    write(1, 10, 20);
    history.read(0, 21, 22);
    assertThatThrownBy(() -> history.check("x"))
        .isInstanceOf(Violation.class)
        .hasMessageContaining("lost a write: value 1");
  }

  @Test
  void findsAWriteLostBehindAnother() {
    write(1, 10, 20);
    write(2, 21, 30);
    history.read(1, 40, 41);
    assertThatThrownBy(() -> history.check("x")).hasMessageContaining("lost a write: value 2");
  }

  @Test
  void findsAValueNobodyWrote() {
    write(1, 10, 20);
    history.read(3, 11, 12);
    assertThatThrownBy(() -> history.check("x")).hasMessageContaining("never written");
  }

  @Test
  void findsAValueFromTheFuture() {
    history.read(1, 1, 2);
    write(1, 10, 20);
    assertThatThrownBy(() -> history.check("x")).hasMessageContaining("before it was written");
  }
}
