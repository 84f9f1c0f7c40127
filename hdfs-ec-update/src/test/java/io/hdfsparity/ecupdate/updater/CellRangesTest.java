/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.ajx.Patch;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Against an array and a mask. */
class CellRangesTest {
  private static final int CELL_BYTES = 40;

  private final int[] twin = new int[CELL_BYTES];

  private static byte[] random(Random random, int offset) {
    byte[] bytes = new byte[1 + random.nextInt(CELL_BYTES - offset)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void put(int[] twin, int offset, byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      twin[offset + i] = bytes[i] & 0xff;
    }
  }

  @Test
  void heldIsWhatWasWrittenLast() {
    SeededRuns.of(500)
        .check(
            random -> {
              CellRanges ranges = new CellRanges();
              java.util.Arrays.fill(twin, -1);
              for (int i = 0; i < random.nextInt(12); i++) {
                int offset = random.nextInt(CELL_BYTES);
                byte[] bytes = random(random, offset);
                put(twin, offset, bytes);
                if (random.nextInt(5) > 0) {
                  ranges.put(offset, bytes);
                } else {
                  CellRanges newer = new CellRanges();
                  newer.put(offset, bytes);
                  newer.putUnder(ranges);
                  ranges = newer;
                }
              }
              check(ranges, random);
            });
  }

  private void check(CellRanges ranges, Random random) {
    int[] found = new int[CELL_BYTES];
    java.util.Arrays.fill(found, -1);
    int end = -1;
    int held = 0;
    for (Patch patch : ranges.patches()) {
      assertThat(patch.offset()).as("joined").isGreaterThan(end);
      end = patch.end();
      held += patch.bytes().length();
      put(found, patch.offset(), patch.bytes().toArray());
    }
    assertThat(found).isEqualTo(twin);
    assertThat(ranges.bytes()).isEqualTo(held);
    assertThat(ranges.isEmpty()).isEqualTo(held == 0);
    int from = random.nextInt(CELL_BYTES);
    int length = 1 + random.nextInt(CELL_BYTES - from);
    int[] within = new int[CELL_BYTES];
    java.util.Arrays.fill(within, -1);
    ranges.within(from, length).forEach(p -> put(within, p.offset(), p.bytes().toArray()));
    for (int at = 0; at < CELL_BYTES; at++) {
      boolean isInside = at >= from && at < from + length;
      assertThat(within[at]).isEqualTo(isInside ? twin[at] : -1);
    }
  }
}
