/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.namenode.RecoveryMove.Receiver;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.namenode.SimCluster.SimNode;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Receivers of copies get no blocks, and all other superchunks are recovered. */
class StalledCopyRecoveryTest {
  private SimCluster sim;
  private RecoveryMove copy;

  /** A disk has failed, and a superchunk of it with blocks is being copied to a new side. */
  private void startCopy(Random random) throws Exception {
    startCopy(random, SuperchunkView::id);
  }

  /** The same of the superchunk with the least number. Plans have lower ids in earlier rounds. */
  private void startCopy(Random random, ToLongFunction<SuperchunkView> number) throws Exception {
    sim = new SimCluster(random, 12, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    List<SuperchunkView> pairs = sim.manager.map().view().in(SuperchunkState.ACTIVE);
    SuperchunkView filled =
        pairs.stream()
            .filter(s -> sim.frame(s.leader().ref()).rows.size() > 1)
            .min(Comparator.comparingLong(number))
            .orElseThrow();
    disk(filled.leader()).failed = true;
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 200 && copies(filled.id()).isEmpty(); i++) {
      sim.step();
      // Copies of earlier rounds have to end.
      sim.copies = !sim.manager.recovery().isMoving(filled.id());
    }
    copy = copies(filled.id()).get(0);
  }

  private List<RecoveryMove> copies(long superchunkId) {
    return sim.manager.recovery().status().moves().stream()
        .filter(move -> move.superchunkId() == superchunkId && move.phase() == Phase.COPYING)
        .toList();
  }

  private SimDisk disk(FrameView frame) {
    return sim.frame(frame.ref()).disk;
  }

  private SimDisk receiver() {
    return sim.frame(copy.receiver().frame()).disk;
  }

  private SuperchunkView copied() {
    return sim.manager.map().view().superchunks().get(copy.superchunkId());
  }

  private FrameView sourceFrame() {
    return copied().holders().stream().filter(side -> !copy.isTo(side)).findFirst().orElseThrow();
  }

  private SimNode source() {
    return disk(sourceFrame()).node;
  }

  /** Both sides of a superchunk with blocks that has nothing to do with the copy. */
  private SuperchunkView failAnother() {
    Set<SimNode> used = Set.of(receiver().node, source());
    SuperchunkView other =
        sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
            .filter(s -> !sim.frame(s.leader().ref()).rows.isEmpty())
            .filter(s -> s.holders().stream().noneMatch(f -> used.contains(disk(f).node)))
            .findFirst()
            .orElseThrow();
    other.holders().forEach(f -> disk(f).failed = true);
    return other;
  }

  private Set<Long> left() {
    return sim.manager.map().view().all().stream()
        .filter(s -> s.state() != SuperchunkState.ACTIVE)
        .map(SuperchunkView::id)
        .collect(Collectors.toSet());
  }

  private void stepUntilRecovered(int most) throws Exception {
    sim.steps(2);
    for (int i = 0; i < most && !left().isEmpty(); i++) {
      sim.step();
    }
    assertThat(left()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
  }

  private void assertWhole() throws Exception {
    RecoveryRuns.runUntilDone(sim);
    sim.steps(30);
    assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
    assertThat(left()).isEmpty();
  }

  @Test
  void aCopyToANodeThatIsDecommissionedGetsAnotherReceiver() {
    SeededRuns.of(16)
        .check(
            random -> {
              startCopy(random);
              SimNode leaving = receiver().node;
              leaving.adminState = "DECOMMISSION_INPROGRESS";
              sim.copies = true;
              RecoveryRuns.runUntilDone(sim);
              sim.steps(30);
              assertThat(copied().holders()).noneMatch(side -> disk(side).node == leaving);
              assertThat(left()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
              assertThat(sim.blocks.keySet()).allMatch(sim::hasReplica);
              assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
            });
  }

  @Test
  void aCopyToANodeInMaintenanceHoldsUpNoOtherSuperchunk() {
    SeededRuns.of(16)
        .check(
            random -> {
              startCopy(random);
              SimNode receiver = receiver().node;
              final String source = sourceFrame().storageId();
              receiver.adminState =
                  random.nextBoolean() ? "ENTERING_MAINTENANCE" : "IN_MAINTENANCE";
              sim.copies = true;
              failAnother();
              stepUntilRecovered(200);
              for (int i = 0;
                  i < 100 && sim.manager.recovery().status().state() != State.WAITING;
                  i++) {
                sim.step();
              }
              assertThat(sim.manager.recovery().status().waiting())
                  .as(() -> RecoveryRuns.describe(sim))
                  .filteredOn(waiting -> waiting.superchunkId() == copy.superchunkId())
                  .singleElement()
                  .satisfies(
                      waiting -> {
                        assertThat(waiting.reason()).isEqualTo("COPY_STALLED");
                        assertThat(waiting.detail()).contains("in maintenance", receiver().id);
                      });
              assertThat(copied().holders()).extracting(FrameView::storageId).contains(source);
              receiver.adminState = "NORMAL";
              assertWhole();
            });
  }

  /** Patience with Lstors does not count from the beginning of a recovery that goes on for days. */
  @Test
  void lstorsOfDisksThatFailLateInARecoveryAreWaitedForToo() {
    SeededRuns.of(8)
        .check(
            random -> {
              startCopy(random);
              SimNode receiver = receiver().node;
              receiver.adminState = "IN_MAINTENANCE";
              sim.copies = true;
              sim.steps(100);
              SuperchunkView lost = failAnother();
              lost.holders().forEach(f -> disk(f).lstorDaemonUp = false);
              sim.steps(2);
              Set<Long> held = left();
              assertThat(held).hasSizeGreaterThan(1).contains(lost.id());
              for (int i = 0; i < 40; i++) {
                sim.step();
                assertThat(left()).as(() -> RecoveryRuns.describe(sim)).containsAll(held);
              }
              lost.holders().forEach(f -> disk(f).lstorDaemonUp = true);
              stepUntilRecovered(400);
              receiver.adminState = "NORMAL";
              assertWhole();
              assertThat(sim.blocks.keySet()).allMatch(sim::hasReplica);
            });
  }

  /** The others wait until no block has come for ten minutes. */
  @Test
  void aCopyToAFullDiskHoldsUpNoRebuildAndNothingForLong() {
    SeededRuns.of(2)
        .check(
            random -> {
              startCopy(random);
              receiver().isFull = true;
              sim.copies = true;
              SuperchunkView lost = failAnother();
              sim.steps(2);
              Set<Long> blocks = sim.frame(lost.leader().ref()).rows.keySet();
              for (int i = 0; i < 60 && !blocks.stream().allMatch(sim::hasReplica); i++) {
                sim.step();
              }
              assertThat(blocks).as(() -> RecoveryRuns.describe(sim)).allMatch(sim::hasReplica);
              stepUntilRecovered(800);
              for (int i = 0;
                  i < 700 && sim.manager.recovery().status().state() != State.WAITING;
                  i++) {
                sim.step();
              }
              assertThat(sim.manager.recovery().status().waiting())
                  .filteredOn(waiting -> waiting.superchunkId() == copy.superchunkId())
                  .singleElement()
                  .satisfies(
                      waiting -> assertThat(waiting.detail()).contains("none was copied", "room"));
              receiver().isFull = false;
              assertWhole();
            });
  }

  /** Free frames say nothing of free bytes. */
  @Test
  void aFullDiskGetsNoSuperchunkWhileOthersHaveRoom() {
    SeededRuns.of(16)
        .check(
            random -> {
              sim = new SimCluster(random, 12, 2, 2, 8);
              sim.disks().forEach(disk -> disk.storageType = "DISK");
              RecoveryRuns.layOut(sim);
              RecoveryRuns.writeBlocks(sim);
              for (SimNode node : sim.nodes.subList(0, 4)) {
                node.disks.get(0).isFull = true;
              }
              SuperchunkView filled =
                  sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
                      .filter(s -> !sim.frame(s.leader().ref()).rows.isEmpty())
                      .findFirst()
                      .orElseThrow();
              disk(filled.leader()).failed = true;
              if (random.nextBoolean()) {
                disk(filled.follower()).failed = true;
              }
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              assertWhole();
              assertThat(sim.manager.recovery().status().moves())
                  .isNotEmpty()
                  .noneMatch(move -> sim.frame(move.receiver().frame()).disk.isFull);
            });
  }

  /** Without another one frames alone count: what is to be copied may fit. */
  @Test
  void aFullDiskIsBetterThanNoReceiver() throws Exception {
    sim = new SimCluster(new Random(3), 12, 2, 2, 8);
    sim.disks().forEach(disk -> disk.storageType = "DISK");
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    sim.disks().get(0).failed = true;
    sim.disks().forEach(disk -> disk.isFull = true);
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(5);
    assertThat(sim.manager.recovery().status().moves()).isNotEmpty();
  }

  /** The new side does not have all blocks, so it must not become the source of another copy. */
  @Test
  void theSourceOfAStalledCopyStaysThoughItsNodeIsDecommissioned() {
    SeededRuns.of(8)
        .check(
            random -> {
              startCopy(random);
              SimNode source = source();
              receiver().isFull = true;
              source.adminState = "DECOMMISSION_INPROGRESS";
              sim.copies = true;
              for (int i = 0; i < 100; i++) {
                sim.step();
                assertThat(copied().holders())
                    .as(() -> RecoveryRuns.describe(sim))
                    .anyMatch(side -> disk(side).node == source);
              }
              assertThat(copies(copy.superchunkId())).hasSize(1);
              assertThat(sim.manager.recovery().status().waiting())
                  .filteredOn(waiting -> waiting.superchunkId() == copy.superchunkId())
                  .singleElement()
                  .satisfies(
                      waiting ->
                          assertThat(waiting.detail()).contains("take it back into service"));
              // HDFS copies nothing from there beside no replica in service.
              receiver().isFull = false;
              source.adminState = "NORMAL";
              RecoveryRuns.runUntilDone(sim);
              sim.steps(30);
              assertThat(sim.blocks.keySet()).allMatch(sim::hasReplica);
              assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
            });
  }

  /** What the new side does not have is rebuilt from the Lstors. */
  @Test
  void aSourceThatDiesDuringAStalledCopyIsDecoded() {
    SeededRuns.of(8)
        .check(
            random -> {
              startCopy(random);
              receiver().node.adminState = "IN_MAINTENANCE";
              sim.copies = true;
              sim.steps(5);
              disk(sourceFrame()).failed = true;
              sim.steps(2);
              receiver().node.adminState = "NORMAL";
              assertWhole();
              assertThat(sim.blocks.keySet()).allMatch(sim::hasReplica);
            });
  }

  /** All copies have ended but this one, which has copied nothing. */
  private void endOtherCopies() throws Exception {
    receiver().isFull = true;
    sim.copies = true;
    for (int i = 0;
        i < 100
            && sim.manager.recovery().status().moves().stream()
                    .filter(move -> !move.phase().isOver())
                    .count()
                > 1;
        i++) {
      sim.step();
    }
    receiver().isFull = false;
    assertThat(copies(copy.superchunkId())).hasSize(1);
    assertThat(sim.frame(copy.receiver().frame()).rows).isEmpty();
  }

  /** Superchunks of dead disks whose bytes a half-copied survivor needs stay as they are. */
  private void failSourceAndStepUntilFilled() throws Exception {
    Set<Long> blocks = Set.copyOf(sim.frame(sourceFrame().ref()).rows.keySet());
    disk(sourceFrame()).failed = true;
    for (int i = 0; i < 60 && !blocks.stream().allMatch(sim::hasReplica); i++) {
      sim.step();
      Set<String> dead =
          copied().gone().stream().map(FrameView::diskId).collect(Collectors.toSet());
      Set<Long> needed =
          sim.manager.map().view().all().stream()
              .filter(s -> s.gone().stream().anyMatch(f -> dead.contains(f.diskId())))
              .map(SuperchunkView::id)
              .collect(Collectors.toSet());
      if (!blocks.stream().allMatch(sim::hasReplica)) {
        assertThat(sim.manager.map().outstanding())
            .as(() -> RecoveryRuns.describe(sim))
            .filteredOn(order -> !order.pairing().isAlone())
            .noneMatch(order -> needed.contains(order.pairing().superchunkId()));
      }
    }
    assertThat(blocks).as(() -> RecoveryRuns.describe(sim)).allMatch(sim::hasReplica);
  }

  /** It gets no partner, and only the Lstor of its dead side has the blocks that it lacks. */
  @Test
  void aHalfCopiedSurvivorOnALeavingNodeIsFilledBeforeOthersAreRePaired() {
    SeededRuns.of(16)
        .check(
            random -> {
              startCopy(random);
              endOtherCopies();
              SimNode leaving = receiver().node;
              leaving.adminState = "DECOMMISSION_INPROGRESS";
              failSourceAndStepUntilFilled();
              leaving.adminState = "NORMAL";
              assertWhole();
              assertThat(sim.blocks.keySet()).allMatch(sim::hasReplica);
            });
  }

  /** A plan may have it in a later round than others of the same dead disk. */
  @Test
  void aHalfCopiedSurvivorIsFilledBeforeOthersAreRePaired() {
    SeededRuns.of(16)
        .check(
            random -> {
              startCopy(random, superchunk -> -superchunk.id());
              endOtherCopies();
              // Few disks take others, so there are several rounds, or it gets no receiver at all.
              Set<SimNode> others = new LinkedHashSet<>(sim.nodes);
              others.removeAll(Set.of(receiver().node, source()));
              others.stream().skip(2).forEach(node -> node.adminState = "IN_MAINTENANCE");
              failSourceAndStepUntilFilled();
              sim.nodes.forEach(node -> node.adminState = "NORMAL");
              assertWhole();
              assertThat(sim.blocks.keySet()).allMatch(sim::hasReplica);
            });
  }

  /** Its side lacks blocks as before, so nothing may rely on it. */
  @Test
  void aStalledCopyGoesOnWhenTheReceiverInItsPlaceFails() {
    SeededRuns.of(16)
        .check(
            random -> {
              startCopy(random);
              endOtherCopies();
              sim.copies = false;
              final SimDisk source = disk(sourceFrame());
              final SimNode leaving = receiver().node;
              source.storesNoPairing = true;
              leaving.adminState = "DECOMMISSION_INPROGRESS";
              for (int i = 0; i < 20 && replacement().isEmpty(); i++) {
                sim.step();
              }
              SimDisk other = sim.frame(replacement().orElseThrow().receiver().frame()).disk;
              other.storesNoPairing = true;
              other.failed = true;
              leaving.adminState = "NORMAL";
              for (int i = 0; i < 30; i++) {
                sim.step();
                assertThat(sim.manager.recovery().isMoving(copy.superchunkId()))
                    .as(() -> RecoveryRuns.describe(sim))
                    .isTrue();
              }
              assertThat(copies(copy.superchunkId()))
                  .singleElement()
                  .satisfies(move -> assertThat(move.receiver()).isEqualTo(copy.receiver()));
              source.storesNoPairing = false;
              sim.copies = true;
              assertWhole();
              assertThat(copied().holders()).anyMatch(copy::isTo);
            });
  }

  /** Whichever of them is the survivor may lack blocks. */
  @Test
  void allReceiversOfFailedCopiesAreRemembered() throws Exception {
    sim = new SimCluster(new Random(4), 12, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    SuperchunkView pair = sim.manager.map().view().in(SuperchunkState.ACTIVE).get(0);
    FrameView spare = sim.manager.map().view().frames().spares().get(0);
    IncompleteSurvivors survivors =
        new IncompleteSurvivors(sim, new LstorQuestions(sim, () -> sim.nowMs, 60_000), 60_000);
    for (FrameView receiver : List.of(pair.follower(), spare)) {
      RecoveryMove begun =
          RecoveryMove.start(pair.id(), Kind.COPY, Receiver.of(receiver), pair.epoch());
      survivors.ended(begun.over(Phase.FAILED, "simulated"));
    }
    disk(pair.leader()).failed = true;
    sim.steps(2);
    assertThat(survivors.parts(sim.manager.map().view())).contains(pair.id());
  }

  /** The move that takes the place of the copy, as long as nobody has stored its pair. */
  private Optional<RecoveryMove> replacement() {
    return sim.manager.recovery().status().moves().stream()
        .filter(move -> move.superchunkId() == copy.superchunkId())
        .filter(move -> move.phase() == Phase.ASSIGNING)
        .findFirst();
  }

  @Test
  void aStalledCopyStaysUnderWay() throws Exception {
    startCopy(new Random(5));
    assertThat(sim.manager.recovery().status().moves())
        .filteredOn(move -> !move.phase().isOver())
        .allMatch(move -> move.kind() == Kind.COPY);
    receiver().node.adminState = "IN_MAINTENANCE";
    sim.steps(3);
    assertThat(sim.manager.recovery().isMoving(copy.superchunkId()))
        .as("it is under way, so nothing relies on its new side")
        .isTrue();
  }
}
