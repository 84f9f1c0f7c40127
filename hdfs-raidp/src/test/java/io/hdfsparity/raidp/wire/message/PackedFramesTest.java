/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PackedFramesTest {
  /** The plain list is the twin. */
  @Test
  void packedFramesAreTheSameFrames() {
    SeededRuns.of(200)
        .check(
            random -> {
              List<FrameReport> before = frames(random);
              List<FrameReport> now = new ArrayList<>(before);
              Map<Integer, FrameReport> changed = new HashMap<>();
              for (int i = random.nextInt(4); i > 0 && !now.isEmpty(); i--) {
                int position = random.nextInt(now.size());
                changed.put(position, frame(random, position));
                now.set(position, changed.get(position));
              }
              PackedFrames packedBefore = PackedFrames.of(before, List.of());
              PackedFrames packed = PackedFrames.of(now, packedBefore);
              assertThat(packedBefore).isEqualTo(before);
              assertThat(packed).isEqualTo(now);
              assertThat(PackedFrames.with(before, changed)).isEqualTo(now);
              assertThat(PackedFrames.with(packedBefore, changed)).isEqualTo(now);
              assertThat(packedBefore).as("immutable").isEqualTo(before);
              boolean expected = true;
              for (int i = 0; i < now.size(); i++) {
                FrameReport old = before.get(i);
                FrameReport fresh = now.get(i);
                assertThat(PackedFrames.state(packed, i)).isEqualTo(fresh.state());
                if (old.state().equals(fresh.state())) {
                  assertThat(PackedFrames.state(packed, i))
                      .isSameAs(PackedFrames.state(packedBefore, i));
                }
                expected &=
                    old.state().equals(fresh.state())
                        && (old.load().blocks() == 0) == (fresh.load().blocks() == 0)
                        && (old.load().limboBytes() == 0) == (fresh.load().limboBytes() == 0);
              }
              assertThat(PackedFrames.differInNumbersOnly(packedBefore, packed))
                  .isEqualTo(expected);
              assertThat(PackedFrames.differInNumbersOnly(before, packed)).isEqualTo(expected);
              now.add(frame(random, now.size()));
              assertThat(PackedFrames.differInNumbersOnly(packedBefore, now)).isFalse();
            });
  }

  private static List<FrameReport> frames(Random random) {
    List<FrameReport> frames = new ArrayList<>();
    for (int f = random.nextInt(8); f > 0; f--) {
      frames.add(frame(random, frames.size()));
    }
    return frames;
  }

  private static FrameReport frame(Random random, int index) {
    return new FrameReport(
        "v",
        index,
        random.nextInt(4) == 0
            ? Optional.empty()
            : Optional.of(new Pairing(1, 1 + random.nextInt(20) / 19, "w", "n", 1)),
        new FrameReport.Load(
            random.nextInt(),
            random.nextLong(),
            random.nextInt(2) * random.nextInt(3),
            random.nextInt(12) == 0 ? random.nextLong() : 0,
            random.nextInt(12) == 0 ? random.nextInt() : 0),
        random.nextInt(20) == 0);
  }
}
