/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Receivers of rebuilds cannot store what they have decoded. */
class FullReceiverRecoveryTest {
  private SimCluster sim;
  private SuperchunkView lost;
  private Set<Long> blocks;
  private SimDisk receiver;

  /** Both disks of a superchunk have failed, and it has a receiver that has rebuilt nothing yet. */
  private void failBothSides(Random random) throws Exception {
    sim = new SimCluster(random, 12, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    lost =
        sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
            .filter(s -> sim.frame(s.leader().ref()).rows.size() > 1)
            .findFirst()
            .orElseThrow();
    blocks = new TreeSet<>(sim.frame(lost.leader().ref()).rows.keySet());
    lost.holders().forEach(f -> sim.frame(f.ref()).disk.failed = true);
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 30 && !sim.manager.recovery().isMoving(lost.id()); i++) {
      sim.step();
    }
    receiver =
        sim.manager.recovery().status().moves().stream()
            .filter(move -> move.superchunkId() == lost.id())
            .map(move -> sim.frame(move.receiver().frame()).disk)
            .findFirst()
            .orElseThrow();
  }

  private Set<Long> notActive() {
    return sim.manager.map().view().all().stream()
        .filter(s -> s.state() != SuperchunkState.ACTIVE)
        .map(SuperchunkView::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Set<Long> unread() {
    return blocks.stream()
        .filter(id -> !sim.hasReplica(id))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void assertRecovered() throws Exception {
    RecoveryRuns.runUntilDone(sim);
    sim.steps(30);
    assertThat(unread()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
    assertThat(sim.manager.recovery().status().givenUp()).isEmpty();
    assertThat(notActive()).isEmpty();
    assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
  }

  /** None of the superchunks is re-paired, since all limbo of their disks may be needed. */
  private void stepsWithoutLoss(int steps, Set<Long> held) throws Exception {
    for (int i = 0; i < steps && !unread().isEmpty(); i++) {
      sim.step();
      assertThat(sim.manager.recovery().status().givenUp())
          .as(() -> RecoveryRuns.describe(sim))
          .isEmpty();
      if (!unread().isEmpty()) {
        assertThat(notActive()).as(() -> RecoveryRuns.describe(sim)).containsAll(held);
      }
    }
  }

  @Test
  void noBlockIsLostWhileItsReceiverIsFull() {
    SeededRuns.of(16)
        .check(
            random -> {
              failBothSides(random);
              Set<Long> superchunks = notActive();
              sim.steps(random.nextInt(3));
              receiver.isFull = true;
              stepsWithoutLoss(30 + random.nextInt(400), superchunks);
              receiver.isFull = false;
              if (random.nextBoolean()) {
                sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              }
              assertRecovered();
            });
  }

  /** Then its superchunk is in no plan. */
  @Test
  void noBlockIsLostWhileTheLstorOfTheFullReceiverHasFailedToo() {
    SeededRuns.of(8)
        .check(
            random -> {
              failBothSides(random);
              Set<Long> superchunks = notActive();
              receiver.isFull = true;
              stepsWithoutLoss(20, superchunks);
              receiver.lstorFailed = true;
              stepsWithoutLoss(100, superchunks);
              receiver.lstorFailed = false;
              receiver.isFull = false;
              assertRecovered();
            });
  }

  @Test
  void anAdministratorSeesWhichReceiverIsFull() throws Exception {
    failBothSides(new Random(7));
    sim.disks().forEach(disk -> disk.isFull = true);
    for (int i = 0; i < 60 && sim.manager.recovery().status().state() != State.WAITING; i++) {
      sim.step();
    }
    assertThat(sim.manager.recovery().status().waiting())
        .filteredOn(waiting -> waiting.superchunkId() == lost.id())
        .singleElement()
        .satisfies(
            waiting -> {
              assertThat(waiting.reason()).isEqualTo("RECEIVER_FAILED");
              assertThat(waiting.detail())
                  .contains(receiver.id, "no space left on device", "make room");
            });
    sim.disks().forEach(disk -> disk.isFull = false);
    assertRecovered();
  }

  /** It may have failed itself: nothing that it could not rebuild counts as lost. */
  @Test
  void noBlockIsLostByTheWordOfADataNodeThatIsTooOldToSayWhetherItIsFull() {
    SeededRuns.of(8)
        .check(
            random -> {
              failBothSides(random);
              sim.tellObstacles = false;
              receiver.isFull = true;
              stepsWithoutLoss(30 + random.nextInt(100), Set.of(lost.id()));
              receiver.isFull = false;
              assertRecovered();
            });
  }

  /** Blocks that the sources do not give are lost, whatever the receiver has been. */
  @Test
  void whatTheSourcesDoNotGiveIsLostOnceTheReceiverHasRoom() throws Exception {
    failBothSides(new Random(9));
    long undecodable = blocks.iterator().next();
    sim.undecodable.add(undecodable);
    receiver.isFull = true;
    sim.steps(60);
    assertThat(sim.manager.recovery().status().givenUp()).isEmpty();
    receiver.isFull = false;
    RecoveryRuns.runUntilDone(sim);
    assertThat(sim.manager.recovery().status().givenUp()).containsExactly(lost.id());
    assertThat(unread()).containsExactly(undecodable);
    assertThat(notActive()).isEmpty();
  }
}
