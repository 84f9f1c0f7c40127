/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.repair;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class SourceBookTest {
  @Test
  void doubtfulOnesComeBackAndCorruptOnesDoNot() {
    SourceBook book = new SourceBook(List.of(1, 2, 3, 4));
    book.doubt(2);
    book.dropCorrupt(3);
    assertThat(book.trusted()).containsExactly(1, 4);
    assertThat(book.readable()).containsExactly(1, 2, 4);
    book.trustAgain();
    assertThat(book.trusted()).containsExactly(1, 2, 4);
    book.doubt(3);
    assertThat(book.readable()).containsExactly(1, 2, 4);
    book.doubt(2);
    book.dropCorrupt(2);
    book.trustAgain();
    assertThat(book.trusted()).containsExactly(1, 4);
  }
}
