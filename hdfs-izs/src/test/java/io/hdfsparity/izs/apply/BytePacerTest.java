/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BytePacerTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void averagesAndSavesNothingUp() {
    BytePacer pacer = new BytePacer(100);
    // A clock may begin anywhere, also before 0.
    long now = -5 * SECOND;
    assertThat(pacer.took(50, now)).isEqualTo(SECOND / 2);
    assertThat(pacer.took(50, now)).isEqualTo(SECOND);
    now += 10 * SECOND;
    assertThat(pacer.took(100, now)).isEqualTo(SECOND);
    assertThat(new BytePacer(0).took(Long.MAX_VALUE, now)).isZero();
  }
}
