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
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Disks whose Lstor has failed: their DataNodes store no pairing there. */
class FailedLstorRecoveryTest {
  private SimCluster sim;

  private void start(Random random) throws Exception {
    sim = new SimCluster(random, 12, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
  }

  private static Set<String> disksOf(SuperchunkView superchunk) {
    return superchunk.holders().stream().map(FrameView::diskId).collect(Collectors.toSet());
  }

  private SimDisk disk(FrameView frame) {
    return sim.frame(frame.ref()).disk;
  }

  private boolean share(SimDisk one, SimDisk other) {
    return sim.manager.map().view().all().stream()
        .anyMatch(s -> disksOf(s).containsAll(Set.of(one.id, other.id)));
  }

  /** A disk in service that shares no superchunk with another one. */
  private SimDisk apartFrom(SimDisk other) {
    return sim.disks().stream()
        .filter(disk -> disk.alive() && disk.node != other.node && !share(disk, other))
        .findFirst()
        .orElseThrow();
  }

  /** Superchunks that are no pair in service. */
  private Set<Long> left() {
    return sim.manager.map().view().all().stream()
        .filter(s -> s.state() != SuperchunkState.ACTIVE)
        .map(SuperchunkView::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void runUntilLeft(Set<Long> superchunks) throws Exception {
    for (int i = 0; i < 300 && !superchunks.containsAll(left()); i++) {
      sim.step();
    }
    assertThat(superchunks).as(() -> RecoveryRuns.describe(sim)).containsAll(left());
  }

  private void assertRecovered() throws Exception {
    RecoveryRuns.runUntilDone(sim);
    sim.steps(30);
    assertThat(left()).isEmpty();
    assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
  }

  @Test
  void aSurvivorWhoseLstorHasFailedHoldsUpNoOtherSuperchunk() {
    SeededRuns.of(8)
        .check(
            random -> {
              start(random);
              List<SuperchunkView> pairs = sim.manager.map().view().in(SuperchunkState.ACTIVE);
              SuperchunkView superchunk = pairs.get(random.nextInt(pairs.size()));
              SimDisk survivor = disk(superchunk.leader());
              survivor.lstorFailed = true;
              disk(superchunk.follower()).failed = true;
              apartFrom(survivor).failed = true;
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              runUntilLeft(Set.of(superchunk.id()));
              sim.steps(3);
              RecoveryStatus status = sim.manager.recovery().status();
              assertThat(status.state()).isEqualTo(State.WAITING);
              assertThat(status.waiting())
                  .singleElement()
                  .satisfies(
                      waiting -> {
                        assertThat(waiting.superchunkId()).isEqualTo(superchunk.id());
                        assertThat(waiting.reason()).isEqualTo("LSTOR_FAILED");
                        assertThat(waiting.detail())
                            .contains(survivor.id, "hdfs raidp -lstor -rebuild");
                      });

              apartFrom(survivor).failed = true;
              sim.steps(2);
              assertThat(left()).as("another disk has failed").hasSizeGreaterThan(1);
              runUntilLeft(Set.of(superchunk.id()));

              survivor.lstorFailed = false;
              assertRecovered();
            });
  }

  /** At any moment, that of a survivor or a receiver; the manager may be a new one. */
  @Test
  void anLstorThatFailsDuringARecoveryHoldsUpNoOtherSuperchunk() {
    SeededRuns.of(24)
        .check(
            random -> {
              start(random);
              List<SuperchunkView> pairs = sim.manager.map().view().in(SuperchunkState.ACTIVE);
              disk(pairs.get(random.nextInt(pairs.size())).leader()).failed = true;
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 30 && sim.manager.recovery().status().moves().isEmpty(); i++) {
                sim.step();
              }
              RecoveryMove move = sim.manager.recovery().status().moves().get(0);
              SuperchunkView moved =
                  sim.manager.map().view().superchunks().get(move.superchunkId());
              SimDisk broken =
                  random.nextBoolean()
                      ? sim.frame(move.receiver().frame()).disk
                      : disk(moved.survivor().orElseThrow());
              sim.steps(random.nextInt(3));
              broken.lstorFailed = true;
              if (random.nextInt(3) == 0) {
                sim.restartManager();
                sim.steps(2);
                sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              }
              sim.steps(5);
              apartFrom(broken).failed = true;
              sim.steps(2);
              if (sim.manager.recovery().status().state() == State.DONE) {
                sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              }
              for (int i = 0; i < 300 && !leftOn(broken).containsAll(left()); i++) {
                sim.step();
              }
              assertThat(leftOn(broken)).as(() -> RecoveryRuns.describe(sim)).containsAll(left());
              broken.lstorFailed = false;
              sim.steps(2);
              RecoveryRuns.recoverFully(sim);
              assertRecovered();
            });
  }

  /** Superchunks of which that disk has the only frame. */
  private Set<Long> leftOn(SimDisk disk) {
    return sim.manager.map().view().all().stream()
        .filter(s -> s.survivor().filter(f -> f.diskId().equals(disk.id)).isPresent())
        .map(SuperchunkView::id)
        .collect(Collectors.toSet());
  }
}
