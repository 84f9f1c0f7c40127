/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static io.hdfsparity.raidp.namenode.DiskWorld.AB;
import static io.hdfsparity.raidp.namenode.DiskWorld.AC;
import static io.hdfsparity.raidp.namenode.DiskWorld.BC;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.core.check.SeededRuns;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReplicaSuperchunksTest {
  private static final long BLOCK = 1L << 30;
  private final DiskWorld world = new DiskWorld();
  private final BlockHomes homes = new BlockHomes();
  private final ReplicaSuperchunks superchunks = new ReplicaSuperchunks(world::view, homes);

  private Optional<Long> of(String... storageIds) {
    return superchunks.of(BLOCK, List.of(storageIds)).map(Home::superchunkId);
  }

  @Test
  void twoStoragesOfASuperchunkSayIt() {
    assertThat(of("A", "B")).contains(AB);
    assertThat(of("C", "A")).contains(AC);
    assertThat(of("B", "C")).contains(BC);
    assertThat(of("B", "C", "D")).contains(BC);
  }

  /** B holds what was left behind when the block's superchunk went on, and shares another one. */
  @Test
  void rowsThatAreKnownCountBeforeTheStorages() {
    homes.put(BLOCK, world.superchunk(AC));
    assertThat(of("A", "B")).contains(AC);
    assertThat(of("B")).as("an answer of other volumes").isEmpty();
    assertThat(superchunks.of(BLOCK + 1, List.of("A", "B")).map(Home::superchunkId)).contains(AB);
  }

  @Test
  void ofASingleReplicaTheRowsSayIt() {
    assertThat(of("A")).isEmpty();
    homes.put(BLOCK, world.superchunk(AC));
    assertThat(of("A")).contains(AC);
    assertThat(superchunks.of(BLOCK, List.of("A")).orElseThrow().lacking(List.of("A")))
        .hasValueSatisfying(side -> assertThat(side.storageId()).isEqualTo("C"));
    assertThat(superchunks.of(BLOCK + 1, List.of("A"))).isEmpty();
    assertThat(of("B")).as("an answer of other volumes").isEmpty();
  }

  @Test
  void ofThreeReplicasTheRowsSayIt() {
    assertThat(of("A", "B", "C")).isEmpty();
    homes.put(BLOCK, world.superchunk(BC));
    assertThat(of("A", "B", "C")).contains(BC);
  }

  @Test
  void aVolumeOfOneSuperchunkSaysItAlone() {
    world.frames.get("A").remove(1);
    world.frames.get("C").remove(0);
    world.report();
    assertThat(of("A")).contains(AB);
    assertThat(of("C")).contains(BC);
    assertThat(of("B")).isEmpty();
    assertThat(of("D")).isEmpty();
  }

  @Test
  void anAnswerIsForgottenWhenThePairingChanges() {
    homes.put(BLOCK, world.superchunk(AC));
    world.fail("C");
    assertThat(of("A")).as("of the side that is left").contains(AC);
    world.pair(AC, 6, "A", 1, "D", 0);
    world.report();
    assertThat(of("A")).isEmpty();
    homes.put(BLOCK, world.superchunk(AC));
    assertThat(of("A")).contains(AC);
    assertThat(of("A", "D")).contains(AC);
  }

  /** The row may be in the frame that its superchunk went on without. */
  @Test
  void aFrameThatWasSupersededMakesItsVolumeOneOfSeveral() {
    world.frames.get("B").remove(1);
    world.pair(AB, 6, "A", 0, "D", 0);
    world.frames.get("B").put(2, world.frames.get("C").get(1));
    world.pair(BC, 5, "B", 2, "C", 1);
    world.report();
    assertThat(of("B")).isEmpty();
  }

  @Test
  void whatIsKeptIsBoundedAndTheYoungestIsThere() {
    SeededRuns.of(20).check(ReplicaSuperchunksTest::sameAsMap);
  }

  private static void sameAsMap(Random random) {
    DiskWorld world = new DiskWorld();
    int max = 50;
    BlockHomes homes = new BlockHomes(max);
    Map<Long, Long> all = new HashMap<>();
    for (int i = 0; i < 1_000; i++) {
      long block = random.nextInt(200);
      List<String> where = List.of("A", "B", "C");
      if (random.nextBoolean()) {
        if (!all.containsKey(block)) {
          all.put(block, 1L + random.nextInt(3));
        }
        homes.put(block, world.superchunk(all.get(block)));
        assertThat(homes.of(world.view(), block, where).map(SuperchunkView::id))
            .contains(all.get(block));
      } else {
        homes
            .of(world.view(), block, where)
            .ifPresent(found -> assertThat(found.id()).isEqualTo(all.get(block)));
      }
      assertThat(homes.size()).isLessThanOrEqualTo(2 * max);
    }
    homes.clear();
    assertThat(homes.size()).isZero();
  }
}
