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
    byte[] whole = new byte[10_000];
    content.read(0, whole, whole.length);
    for (int i = 0; i < 500; i++) {
      int from = random.nextInt(10_000);
      int length = random.nextInt(10_000 - from + 1);
      byte[] part = new byte[length];
      content.read(from, part, length);
      assertThat(part)
          .as("seed %d, from %d", seed, from)
          .isEqualTo(Arrays.copyOfRange(whole, from, from + length));
    }
  }

  @Test
  void seedsGiveDifferentBytes() {
    byte[] one = new byte[64];
    byte[] two = new byte[64];
    new SeededContent(1, 64).read(0, one, 64);
    new SeededContent(2, 64).read(0, two, 64);
    assertThat(one).isNotEqualTo(two);
  }
}
