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
import io.hdfsparity.raidp.namenode.SimCluster.SimNode;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** DataNodes are away while a recovery reads their mirrors. */
class SilentMirrorRecoveryTest {
  private SimCluster sim;
  private SuperchunkView lost;
  private long block;
  private SimNode mirror;

  /** Both disks of a superchunk have failed, and one of its blocks needs the mirrors of a node. */
  private void failBothSides(Random random) throws Exception {
    sim = new SimCluster(random, 12, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    lost =
        sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
            .filter(s -> !sim.frame(s.leader().ref()).rows.isEmpty())
            .findFirst()
            .orElseThrow();
    block = sim.frame(lost.leader().ref()).rows.keySet().iterator().next();
    List<SimDisk> disks = lost.holders().stream().map(f -> sim.frame(f.ref()).disk).toList();
    mirror =
        sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
            .filter(s -> isOn(s, disks.get(0)) && s.id() != lost.id())
            .flatMap(s -> s.holders().stream())
            .map(f -> sim.frame(f.ref()).disk.node)
            .filter(node -> disks.stream().noneMatch(disk -> disk.node == node))
            .findFirst()
            .orElseThrow();
    sim.mirrors.put(block, mirror);
    disks.forEach(disk -> disk.failed = true);
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 30 && !sim.manager.recovery().isMoving(lost.id()); i++) {
      sim.step();
    }
  }

  private static boolean isOn(SuperchunkView superchunk, SimDisk disk) {
    return superchunk.holders().stream().anyMatch(f -> f.diskId().equals(disk.id));
  }

  private Set<Long> notActive() {
    return sim.manager.map().view().all().stream()
        .filter(s -> s.state() != SuperchunkState.ACTIVE)
        .map(SuperchunkView::id)
        .collect(Collectors.toSet());
  }

  /** None of the superchunks is re-paired, since all limbo of their disks may be needed. */
  private void stepsWithoutPairing(int steps, Set<Long> superchunks) throws Exception {
    for (int i = 0; i < steps && !sim.hasReplica(block); i++) {
      sim.step();
      if (!sim.hasReplica(block)) {
        assertThat(notActive())
            .as(() -> "step " + RecoveryRuns.describe(sim))
            .containsAll(superchunks);
        assertThat(sim.manager.recovery().status().state()).isEqualTo(State.RUNNING);
      }
    }
  }

  private void assertRecovered() throws Exception {
    RecoveryRuns.runUntilDone(sim);
    sim.steps(30);
    assertThat(sim.hasReplica(block)).isTrue();
    assertThat(sim.manager.recovery().status().givenUp()).isEmpty();
    assertThat(notActive()).isEmpty();
    assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
  }

  /** It is down for seconds or most of the time after which it counts as dead. */
  @Test
  void aBlockIsRebuiltWhenTheNodeWithItsMirrorHasRestarted() {
    SeededRuns.of(16)
        .check(
            random -> {
              failBothSides(random);
              sim.tellObstacles = random.nextBoolean();
              Set<Long> superchunks = notActive();
              mirror.up = false;
              int away = random.nextBoolean() ? 4 + random.nextInt(5) : 40 + random.nextInt(15);
              stepsWithoutPairing(away, superchunks);
              assertThat(sim.hasReplica(block)).isFalse();
              sim.restartNode(mirror);
              stepsWithoutPairing(30, superchunks);
              assertRecovered();
            });
  }

  /** It reports, and the receiver does not reach it. */
  @Test
  void aBlockIsRebuiltWhenTheNodeWithItsMirrorIsReachedAgain() {
    SeededRuns.of(8)
        .check(
            random -> {
              failBothSides(random);
              Set<Long> superchunks = notActive();
              mirror.answers = false;
              stepsWithoutPairing(4 + random.nextInt(50), superchunks);
              mirror.answers = true;
              stepsWithoutPairing(30, superchunks);
              assertRecovered();
            });
  }

  /** The superchunk is named and tried for ever; the others do not wait for ever. */
  @Test
  void aNodeThatReportsAndNeverAnswersHoldsUpOneSuperchunkOnly() throws Exception {
    failBothSides(new Random(3));
    mirror.answers = false;
    for (int i = 0; i < 400 && notActive().size() > 1; i++) {
      sim.step();
    }
    assertThat(notActive()).as(() -> RecoveryRuns.describe(sim)).containsExactly(lost.id());
    sim.steps(100);
    assertThat(sim.manager.recovery().status().moves())
        .filteredOn(m -> m.superchunkId() == lost.id() && m.phase().isOver())
        .as("the last attempt only")
        .hasSizeLessThan(3);
    mirror.answers = true;
    sim.steps(15);
    assertRecovered();
  }

  /**
   * The device of its Lstors has failed, and its DataNode was restarted: it answers that it does
   * not serve these disks, though the replicas are there.
   */
  @Test
  void aBlockIsKeptWhileTheLstorsOfItsMirrorAreOutOfService() {
    SeededRuns.of(8)
        .check(
            random -> {
              failBothSides(random);
              mirror.disks.forEach(disk -> disk.lstorFailed = true);
              sim.restartNode(mirror);
              sim.steps(30 + random.nextInt(120));
              assertThat(sim.hasReplica(block)).isFalse();
              assertThat(sim.manager.recovery().status().givenUp())
                  .as(() -> RecoveryRuns.describe(sim))
                  .isEmpty();
              assertThat(notActive()).contains(lost.id());
              mirror.disks.forEach(disk -> disk.lstorFailed = false);
              sim.restartNode(mirror);
              sim.steps(15);
              assertRecovered();
            });
  }

  /** Its mirror is none any more: what the others do not give is lost. */
  @Test
  void aDeadNodeIsNotWaitedFor() throws Exception {
    failBothSides(new Random(4));
    mirror.up = false;
    RecoveryRuns.runUntilDone(sim);
    assertThat(sim.hasReplica(block)).isFalse();
    assertThat(sim.manager.recovery().status().givenUp()).containsExactly(lost.id());
    assertThat(notActive()).isEmpty();
  }
}
