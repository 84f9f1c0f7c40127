/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A DataNode reports, and does not store the pairings of one of its disks. */
class UnstoredPairingRecoveryTest {
  private SimCluster sim;

  private void start(Random random) throws Exception {
    sim = new SimCluster(random, 12, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
  }

  private SimDisk disk(FrameView frame) {
    return sim.frame(frame.ref()).disk;
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

  /** Superchunks of which that disk has the only frame. */
  private Set<Long> leftOn(SimDisk disk) {
    return sim.manager.map().view().all().stream()
        .filter(s -> s.survivor().filter(f -> f.diskId().equals(disk.id)).isPresent())
        .map(SuperchunkView::id)
        .collect(Collectors.toSet());
  }

  private String status() {
    return new Documents(sim.manager.map().view(), ShapeOfCluster.byUuid(sim.nodes()))
        .status(true, true, 0, sim.manager.recovery().status(), new Lacking(Set.of(), true, 0), 0)
        .path("problems")
        .toString();
  }

  @Test
  void aSurvivorThatStoresNoPairingHoldsUpNoOtherSuperchunk() {
    SeededRuns.of(16)
        .check(
            random -> {
              start(random);
              List<SuperchunkView> pairs = sim.manager.map().view().in(SuperchunkState.ACTIVE);
              SuperchunkView superchunk = pairs.get(random.nextInt(pairs.size()));
              SimDisk survivor = disk(superchunk.leader());
              survivor.storesNoPairing = true;
              disk(superchunk.follower()).failed = true;
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              runUntilLeft(Set.of(superchunk.id()));
              for (int i = 0; i < 100 && !status().contains("PAIRING_NOT_STORED"); i++) {
                sim.step();
              }
              assertThat(status())
                  .contains("PAIRING_NOT_STORED", survivor.id, "see the DataNode's log");
              sim.steps(2);
              assertThat(sim.manager.recovery().status().waiting())
                  .filteredOn(waiting -> waiting.superchunkId() == superchunk.id())
                  .extracting(RecoveryStatus.Waiting::reason)
                  .containsExactly("PAIRING_NOT_STORED");

              survivor.storesNoPairing = false;
              if (random.nextBoolean()) {
                sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              }
              assertRecovered();
              assertThat(status()).doesNotContain("PAIRING_NOT_STORED");
            });
  }

  /** Another one is found. */
  @Test
  void aReceiverThatStoresNoPairingIsNotChosenAgain() {
    SeededRuns.of(16).check(random -> assertAnotherReceiverIsFound(random, 0));
  }

  /** By then its pause is over, and what its partner has stored still names it. */
  @Test
  void aReceiverThatStoresNoPairingIsNotChosenAgainWhereOtherCopiesTakeLong() {
    SeededRuns.of(8).check(random -> assertAnotherReceiverIsFound(random, 150));
  }

  /**
   * @param copySeconds how long no block is copied
   */
  private void assertAnotherReceiverIsFound(Random random, int copySeconds) throws Exception {
    start(random);
    List<SuperchunkView> pairs = sim.manager.map().view().in(SuperchunkState.ACTIVE);
    SuperchunkView superchunk = pairs.get(random.nextInt(pairs.size()));
    disk(superchunk.leader()).failed = true;
    if (random.nextBoolean()) {
      disk(superchunk.follower()).failed = true;
    }
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 30 && sim.manager.recovery().status().moves().isEmpty(); i++) {
      sim.step();
    }
    RecoveryMove move = sim.manager.recovery().status().moves().get(0);
    SimDisk receiver = sim.frame(move.receiver().frame()).disk;
    receiver.storesNoPairing = true;
    sim.copies = false;
    sim.steps(copySeconds);
    sim.copies = true;
    for (int i = 0; i < 300 && !leftOn(receiver).containsAll(left()); i++) {
      sim.step();
    }
    assertThat(leftOn(receiver)).as(() -> RecoveryRuns.describe(sim)).containsAll(left());
    receiver.storesNoPairing = false;
    assertRecovered();
  }
}
