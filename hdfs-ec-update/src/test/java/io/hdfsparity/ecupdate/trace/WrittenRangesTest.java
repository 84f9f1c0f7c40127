/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Ranges against an array that has the write of each byte. */
class WrittenRangesTest {
  private static final int BYTES = 200;

  @Test
  void agreesWithAnArray() {
    SeededRuns.of(200)
        .check(
            random -> {
              WrittenRanges ranges = new WrittenRanges();
              long[] twin = new long[BYTES];
              Arrays.fill(twin, -1);
              for (int write = 0; write < 40; write++) {
                int start = random.nextInt(BYTES);
                int end = start + 1 + random.nextInt(Math.min(60, BYTES - start));
                ranges.put(start, end, write);
                Arrays.fill(twin, start, end, write);
                assertThat(bytes(ranges)).isEqualTo(twin);
              }
            });
  }

  private static long[] bytes(WrittenRanges ranges) {
    long[] bytes = new long[BYTES];
    Arrays.fill(bytes, -1);
    long last = 0;
    for (WrittenRanges.Range range : ranges.ranges()) {
      assertThat(range.start()).isGreaterThanOrEqualTo(last).isLessThan(range.end());
      last = range.end();
      Arrays.fill(bytes, (int) range.start(), (int) range.end(), range.write());
    }
    return bytes;
  }
}
