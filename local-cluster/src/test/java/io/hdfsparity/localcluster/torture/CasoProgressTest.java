/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CasoProgressTest {
  @Test
  void bytesAreThoseOfTheCopy() {
    assertThat(CasoProgress.bytes("6 s, copying and comparing: 7,602,176 bytes"))
        .isEqualTo(7_602_176);
    assertThat(CasoProgress.bytes("1 s, copying and comparing: 0 bytes")).isZero();
    assertThat(CasoProgress.bytes("1 s, counting correlations")).isEqualTo(-1);
    assertThat(CasoProgress.bytes("organize: Cannot change the order of a file")).isEqualTo(-1);
  }
}
