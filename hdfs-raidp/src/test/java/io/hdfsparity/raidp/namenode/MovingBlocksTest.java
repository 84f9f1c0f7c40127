/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import java.util.List;
import org.junit.jupiter.api.Test;

class MovingBlocksTest {
  private static final SharedSuperchunk TO = new SharedSuperchunk(7, 3, "C", "D");

  private long nowMs = 1_000;
  private final MovingBlocks moving = new MovingBlocks(() -> nowMs);

  @Test
  void whatIsNotRepeatedCountsForAMinute() {
    moving.note(1, TO);
    nowMs += MovingBlocks.KEPT_MS - 1;
    assertThat(moving.of(1)).contains(TO);
    nowMs += 1;
    assertThat(moving.of(1)).isEmpty();
    moving.note(1, TO);
    assertThat(moving.of(1)).contains(TO);
    moving.end(1);
    assertThat(moving.of(1)).isEmpty();
  }

  /** HDFS deletes no replica of a block whose sides are not known, and copies none. */
  @Test
  void aBlockThatMovesBelongsWhereItGoesAndHasNoSides() {
    MixedWorld world = new MixedWorld();
    KnownSuperchunks known =
        new KnownSuperchunks(world.storages, world.homes, world.rowless, moving);
    moving.note(1, TO);
    assertThat(known.of(1, List.of("A", "B", "C", "D")))
        .hasValueSatisfying(
            home -> {
              assertThat(home.superchunkId()).isEqualTo(7);
              assertThat(home.isWhole(List.of("A", "B", "C", "D"))).isFalse();
              assertThat(home.lacking(List.of("A", "B", "C"))).isEmpty();
            });
    assertThat(known.isDecided(1, List.of("A", "B", "C", "D"))).isFalse();
    assertThat(known.of(2, List.of("A", "B"))).isEmpty();
  }
}
