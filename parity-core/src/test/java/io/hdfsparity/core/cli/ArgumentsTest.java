/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArgumentsTest {
  private static Arguments given(String... args) throws UsageException {
    return Arguments.parse(List.of(args), Set.of(), Set.of("-n"));
  }

  @Test
  void numbersAreThoseOfTheirRange() throws UsageException {
    assertThat(given("-n", "1").number("-n", 1, 3)).isEqualTo(1);
    assertThat(given("-n", "3").number("-n", 1, 3, 2)).isEqualTo(3);
    assertThat(given().number("-n", 1, 3, 7)).isEqualTo(7);
    assertThatThrownBy(() -> given("-n", "4").number("-n", 1, 3, 2))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("-n=4, expected 1 to 3");
  }

  @Test
  void whatIsNoNumberIsRefused() {
    assertThatThrownBy(() -> given("-n", "x").number("-n", 1, 3))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("-n=x, expected a whole number from 1 to 3");
    assertThatThrownBy(() -> given().number("-n", 1, 3))
        .isInstanceOf(UsageException.class)
        .hasMessageContaining("-n is missing");
  }
}
