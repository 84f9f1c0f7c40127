/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What may stand between the quotes of a label. */
class LabelValueTest {
  @Test
  void nothingEndsOrBreaksALabel() {
    assertThat(LabelValue.of("Cannot open: name=\"a\\b\",\r\n\tfile=/x"))
        .isEqualTo("Cannot open: name='a/b',   file=/x");
    assertThat(LabelValue.of("")).isEmpty();
  }

  @Test
  void aLabelIsShort() {
    assertThat(LabelValue.of("x".repeat(10_000))).hasSize(LabelValue.MAX_CHARS);
  }
}
