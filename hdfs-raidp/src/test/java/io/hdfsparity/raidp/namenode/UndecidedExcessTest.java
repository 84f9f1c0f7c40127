/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.core.check.SeededRuns;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Against a set without a bound: each block is looked at until it is decided. */
class UndecidedExcessTest {
  private static final int MAX_WAITING = 8;
  private static final int BLOCKS = 60;

  @Test
  void noBlockIsForgotten() {
    SeededRuns.of(50)
        .check(
            random -> {
              UndecidedExcess excess = new UndecidedExcess(MAX_WAITING);
              TreeSet<Long> undecided = new TreeSet<>();
              for (int step = 0; step < 500; step++) {
                long blockId = random.nextInt(BLOCKS);
                switch (random.nextInt(4)) {
                  case 0, 1 -> {
                    excess.add(blockId, List.of("A", random.nextBoolean() ? "B" : "C"));
                    undecided.add(blockId);
                  }
                  case 2 ->
                      excess.next(3).stream()
                          .filter(block -> random.nextBoolean() && excess.settle(block))
                          .map(Unfiled::blockId)
                          .forEach(undecided::remove);
                  default -> lookAgain(excess);
                }
                assertThat(excess.size()).isEqualTo(undecided.size());
              }
              TreeSet<Long> seen = new TreeSet<>();
              for (int round = 0; round < 2 * BLOCKS; round++) {
                excess.next(MAX_WAITING).forEach(block -> seen.add(block.blockId()));
                lookAgain(excess);
              }
              assertThat(seen).as("each waits now and then").isEqualTo(undecided);
            });
  }

  /** HDFS finds again that it cannot decide. */
  private static void lookAgain(UndecidedExcess excess) {
    excess.takeOthers(2).forEach(blockId -> excess.add(blockId, List.of("A", "B")));
  }
}
