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

import io.hdfsparity.bridge.namenode.DegradedBlocks.Unfiled;
import io.hdfsparity.raidp.lstor.SlotState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class RowQuestionsTest {
  private final DiskWorld world = new DiskWorld();
  private final BlockHomes homes = new BlockHomes();
  private final RowQuestions questions = new RowQuestions(world::view, homes, world, Runnable::run);

  private static List<Unfiled> on(String storageId, long... blockIds) {
    List<Unfiled> unfiled = new ArrayList<>();
    for (long id : blockIds) {
      unfiled.add(new Unfiled(id, List.of(storageId)));
    }
    return unfiled;
  }

  private Optional<Long> home(long blockId, String storageId) {
    return homes.of(world.view(), blockId, List.of(storageId)).map(SuperchunkView::id);
  }

  @Test
  void theSuperchunkThatLostASideIsListedAndNoOther() {
    world.write(1, AB, "A", "B");
    world.write(2, AB, "A", "B");
    world.write(3, AC, "A", "C");
    world.fail("B");
    questions.ask(on("A", 1), 0);
    assertThat(world.listed).containsExactly("A/" + AB);
    assertThat(home(1, "A")).contains(AB);
    assertThat(home(2, "A")).as("all that it lacks").contains(AB);
    assertThat(homes.size()).isEqualTo(2);
  }

  @Test
  void ofAllRowsOfAVolumeOnlyThoseOfUnknownBlocksAreKept() {
    for (long id = 1; id <= 100; id++) {
      world.write(id, id % 2 == 0 ? AB : AC, "A");
    }
    questions.ask(on("A", 1, 2, 200), 0);
    assertThat(world.listed).containsExactly("A");
    assertThat(home(1, "A")).contains(AC);
    assertThat(home(2, "A")).contains(AB);
    assertThat(homes.size()).isEqualTo(2);
    questions.ask(on("A", 200, 4), 1);
    assertThat(world.listed).as("not again at once").hasSize(1);
    questions.ask(on("A", 200, 4), RowQuestions.AGAIN_MS);
    assertThat(world.listed).hasSize(2);
    assertThat(home(4, "A")).contains(AB);
  }

  @Test
  void aBlockWithoutARowIsLookedForLessOftenEachTime() {
    world.write(1, AB, "A");
    int asked = 0;
    for (long ms = 0; ms <= 3_600_000; ms += RowQuestions.AGAIN_MS) {
      asked += questions.ask(on("A", 200), ms);
    }
    assertThat(asked).isBetween(25, 40);
    long now = 3_600_001;
    questions.ask(on("A", 200, 1), now);
    assertThat(home(1, "A")).as("another one is not delayed").contains(AB);
    world.write(200, AC, "A");
    now += RowQuestions.AGAIN_MS;
    questions.ask(on("A", 200), now);
    assertThat(home(200, "A")).isEmpty();
    questions.want(200, List.of("A"));
    questions.ask(on("A", 200), now);
    assertThat(home(200, "A")).as("a writer waits for it").contains(AC);
  }

  @Test
  void aDeletedReplicaSaysNothing() {
    world.putRow(1, AB, "A", SlotState.LIMBO);
    world.putRow(2, AB, "A", SlotState.RESERVED);
    questions.ask(on("A", 1, 2), 0);
    assertThat(home(1, "A")).isEmpty();
    assertThat(home(2, "A")).contains(AB);
  }

  @Test
  void aNodeThatFailsDelaysOnlyItsOwnBlocks() {
    world.write(1, AB, "A");
    world.write(2, BC, "C");
    world.silent.add("nA");
    List<Unfiled> both = new ArrayList<>(on("A", 1));
    both.addAll(on("C", 2));
    questions.ask(both, 0);
    assertThat(home(1, "A")).isEmpty();
    assertThat(home(2, "C")).contains(BC);
    world.silent.clear();
    world.listed.clear();
    questions.ask(on("A", 1), NodeRounds.FAILED_MS - 1);
    assertThat(world.listed).isEmpty();
    questions.ask(on("A", 1), NodeRounds.FAILED_MS);
    assertThat(home(1, "A")).contains(AB);
  }

  @Test
  void aNodeThatHangsIsNotAskedTwiceAndOthersAreAnswered() throws Exception {
    world.write(1, AB, "A");
    world.write(2, BC, "C");
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    List<String> asked = new ArrayList<>();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      RowQuestions parallel =
          new RowQuestions(
              world::view,
              homes,
              (peer, storageId, superchunkId) -> {
                synchronized (asked) {
                  asked.add(storageId);
                }
                if (storageId.equals("A")) {
                  try {
                    hangs.await();
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                }
                return world.entries(peer, storageId, superchunkId);
              },
              task ->
                  threads.execute(
                      () -> {
                        task.run();
                        answered.countDown();
                      }));
      List<Unfiled> both = new ArrayList<>(on("A", 1));
      both.addAll(on("C", 2));
      parallel.ask(both, 0);
      answered.await();
      assertThat(home(2, "C")).contains(BC);
      parallel.ask(on("A", 1), RowQuestions.AGAIN_MS);
      synchronized (asked) {
        assertThat(asked).containsExactlyInAnyOrder("A", "C");
      }
      assertThat(home(1, "A")).isEmpty();
    } finally {
      hangs.countDown();
      threads.shutdown();
    }
  }

  @Test
  void aSuperchunkIsListedAgainUnderItsNewEpoch() {
    world.write(1, AB, "A", "B");
    world.write(2, AC, "A", "C");
    world.fail("B");
    questions.ask(on("A", 1), 0);
    world.pair(AB, 6, "A", 0, "D", 0);
    world.report();
    assertThat(home(1, "A")).isEmpty();
    questions.ask(on("A", 1), 1);
    assertThat(home(1, "A")).contains(AB);
    assertThat(world.listed).containsExactly("A/" + AB, "A/" + AB);
  }

  @Test
  void afterAFailoverAllIsAskedAnew() {
    world.write(1, AB, "A");
    questions.ask(on("A", 1), 0);
    questions.stop();
    assertThat(homes.size()).isZero();
    questions.ask(on("A", 1), 1);
    assertThat(home(1, "A")).contains(AB);
  }

  @Test
  void blocksThatAreInNoQueueAreAskedForToo() {
    world.write(1, BC, "B");
    questions.want(1, List.of("B"));
    questions.ask(List.of(), 0);
    assertThat(home(1, "B")).contains(BC);
    questions.ask(List.of(), RowQuestions.AGAIN_MS);
    assertThat(world.listed).as("once").hasSize(1);
  }

  @Test
  void aVolumeOfOneSuperchunkIsNotAsked() {
    world.frames.get("A").remove(1);
    world.frames.get("C").remove(0);
    world.report();
    questions.ask(on("A", 1), 0);
    questions.ask(on("unknown", 1), 0);
    assertThat(world.listed).isEmpty();
  }
}
