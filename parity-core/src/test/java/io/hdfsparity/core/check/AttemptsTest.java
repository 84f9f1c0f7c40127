/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AttemptsTest {
  private final Attempts attempts = new Attempts();

  @Test
  void allAreTriedAndTheFirstFailureIsThrownWithTheOthers() {
    List<Integer> done = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int number = i;
      attempts.run(
          () -> {
            done.add(number);
            if (number % 2 == 1) {
              throw new IOException("action " + number);
            }
          });
    }
    assertThat(done).containsExactly(0, 1, 2, 3);
    assertThatThrownBy(attempts::throwFirst)
        .isInstanceOf(IOException.class)
        .hasMessage("action 1")
        .satisfies(
            first ->
                assertThat(first.getSuppressed())
                    .extracting("message")
                    .containsExactly("action 3"));
  }

  @Test
  void whereNothingFailsNothingIsThrown() {
    attempts.run(() -> {});
    assertThatCode(attempts::throwFirst).doesNotThrowAnyException();
  }
}
