/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SeededContentTest {
  @Test
  void anyRangeIsThatRangeOfTheWhole() {
    long seed = Long.getLong("seed", 7);
    Random random = new Random(seed);
    SeededContent content = new SeededContent(random.nextLong(), 10_000);
    byte[] whole = content.read(0, 10_000);
    for (int i = 0; i < 500; i++) {
      int from = random.nextInt(10_000);
      int length = random.nextInt(10_000 - from + 1);
      assertThat(content.read(from, length))
          .as("seed %d, from %d", seed, from)
          .isEqualTo(Arrays.copyOfRange(whole, from, from + length));
    }
  }

  @Test
  void seedsGiveDifferentBytes() {
    assertThat(new SeededContent(1, 64).read(0, 64))
        .hasSize(64)
        .isNotEqualTo(new SeededContent(2, 64).read(0, 64));
  }
}
