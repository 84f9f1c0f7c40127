/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Beside a dumb twin: a set of pairs. */
class BlockFramesTest {
  private record Row(long blockId, int frame) {}

  @Test
  void answersAsASetOfPairsDoes() {
    SeededRuns.of(20)
        .check(
            random -> {
              BlockFrames frames = new BlockFrames();
              Set<Row> twin = new HashSet<>();
              int blocks = 1 + random.nextInt(400);
              for (int i = 0; i < 3000; i++) {
                Row row = new Row(id(random, blocks), random.nextInt(4));
                if (random.nextInt(100) < 55) {
                  frames.add(row.blockId(), row.frame());
                  twin.add(row);
                } else {
                  frames.remove(row.blockId(), row.frame());
                  twin.remove(row);
                }
                assertThat(frames.size()).isEqualTo(twin.size());
                assertSame(frames, twin, row.blockId());
                assertSame(frames, twin, id(random, blocks));
              }
              for (Row row : twin) {
                assertSame(frames, twin, row.blockId());
              }
            });
  }

  /** Consecutive ones as HDFS gives them, and some at the ends of the range. */
  private static long id(Random random, int blocks) {
    return switch (random.nextInt(20)) {
      case 0 -> random.nextInt(3);
      case 1 -> Long.MAX_VALUE - random.nextInt(3);
      case 2 -> Long.MIN_VALUE + random.nextInt(3);
      default -> 1_073_741_825L + random.nextInt(blocks);
    };
  }

  private static void assertSame(BlockFrames frames, Set<Row> twin, long blockId) {
    for (int frame = 0; frame < 4; frame++) {
      int wanted = frame;
      assertThat(frames.find(blockId, each -> each == wanted).isPresent())
          .isEqualTo(twin.contains(new Row(blockId, frame)));
    }
    assertThat(frames.find(blockId, each -> true).isPresent())
        .isEqualTo(twin.stream().anyMatch(row -> row.blockId() == blockId));
  }
}
