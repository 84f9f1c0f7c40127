/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static io.hdfsparity.raidp.namenode.DiskWorld.BC;
import static io.hdfsparity.raidp.namenode.DiskWorld.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.lstor.SlotState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnequalSidesTest {
  private static final long MINUTE_MS = 60_000;
  private static final long SIX_HOURS_MS = 6 * 60 * MINUTE_MS;

  private final DiskWorld world = new DiskWorld();
  private final List<Long> lacking = new ArrayList<>();
  private final UnequalSides sides = new UnequalSides(world, world::block, lacking::add);

  private void rounds(long... minutes) {
    for (long minute : minutes) {
      sides.round(world.view(), minute * MINUTE_MS);
    }
  }

  /** A client went on with a plain replica on C when B failed. */
  private void writeBesideB(long blockId) {
    world.write(blockId, AB, "A");
    world.blocks.get(blockId).add("C");
  }

  @Test
  void aBlockWithOneSideAndAPlainReplicaIsFoundInTwoLooks() {
    world.write(1, AB, "A", "B");
    writeBesideB(2);
    world.write(3, AC, "A", "C");
    world.report();
    rounds(0);
    assertThat(world.listed).as("a report may be older than the other one").isEmpty();
    rounds(1);
    assertThat(lacking).containsExactly(2L);
    assertThat(world.listed).containsExactlyInAnyOrder("A/1", "B/1");
  }

  @Test
  void sidesThatAreEqualInBetweenAreNotListed() {
    world.write(1, AB, "A");
    world.report();
    rounds(0);
    world.write(1, AB, "A", "B");
    world.report();
    rounds(1);
    world.write(2, AB, "A");
    world.report();
    rounds(2);
    assertThat(world.listed).isEmpty();
  }

  @Test
  void whatHdfsLooksAfterIsLeftToIt() {
    world.write(1, AB, "A");
    world.write(2, AB, "A");
    world.blocks.get(2L).add("B");
    world.write(3, AC, "A");
    world.blocks.remove(3L);
    writeBesideB(4);
    world.putRow(4, AB, "A", SlotState.LIMBO);
    world.report();
    rounds(0, 1);
    assertThat(world.listed).isNotEmpty();
    assertThat(lacking)
        .as("under-replicated, covered later, deleted, and a row of a deleted replica")
        .isEmpty();
  }

  @Test
  void aNodeThatDoesNotAnswerIsAskedAgain() {
    writeBesideB(1);
    world.silent.add(node("B"));
    world.report();
    rounds(0, 1);
    assertThat(lacking).isEmpty();
    world.silent.clear();
    rounds(2);
    assertThat(lacking).containsExactly(1L);
  }

  /** What it found before is forgotten when another NameNode becomes active. */
  @Test
  void aNameNodeThatIsActiveAgainComparesAgain() {
    writeBesideB(1);
    world.report();
    rounds(0, 1, 2);
    assertThat(lacking).containsExactly(1L);
    sides.clear();
    rounds(3, 4);
    assertThat(lacking).containsExactly(1L, 1L);
  }

  @Test
  void superchunksThatStayUnequalAreComparedLessAndLessOften() {
    writeBesideB(1);
    world.write(2, BC, "B", "C");
    world.report();
    for (long minute = 0; minute * MINUTE_MS < 4 * SIX_HOURS_MS; minute++) {
      rounds(minute);
    }
    assertThat(lacking).hasSizeBetween(4, 13).containsOnly(1L);
  }
}
