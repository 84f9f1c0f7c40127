/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Lstor daemons of dead disks stop while a recovery needs them. */
class UnreadableLstorRecoveryTest {
  private static SimCluster started(Random random, int nodes) throws Exception {
    SimCluster sim = new SimCluster(random, nodes, 2, 2, 8);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    return sim;
  }

  private static SuperchunkView withBlocks(SimCluster sim) {
    return sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
        .filter(s -> !sim.frame(s.leader().ref()).rows.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  /** A superchunk with blocks, both of whose disks have failed; a receiver of it is known. */
  private static SuperchunkView beingRebuilt(SimCluster sim) throws Exception {
    SuperchunkView superchunk = withBlocks(sim);
    disks(sim, superchunk).forEach(disk -> disk.failed = true);
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 30 && sim.manager.recovery().status().moves().isEmpty(); i++) {
      sim.step();
    }
    return superchunk;
  }

  private static List<SimDisk> disks(SimCluster sim, SuperchunkView superchunk) {
    return superchunk.holders().stream().map(f -> sim.frame(f.ref()).disk).toList();
  }

  private static void recoverWithLoss(SimCluster sim) {
    sim.manager
        .recovery()
        .recover(
            new RecoverRequest(OptionalInt.empty(), Optional.empty(), OptionalLong.empty(), true),
            sim.nowMs);
  }

  private static SuperchunkState state(SimCluster sim, SuperchunkView superchunk) {
    return sim.manager.map().view().superchunks().get(superchunk.id()).state();
  }

  private static void assertWaits(SimCluster sim, SuperchunkView superchunk) {
    assertThat(sim.manager.recovery().status().waiting())
        .as(() -> RecoveryRuns.describe(sim))
        .filteredOn(w -> w.superchunkId() == superchunk.id())
        .extracting(RecoveryStatus.Waiting::reason)
        .containsExactly("LSTOR_UNREADABLE");
    assertThat(state(sim, superchunk)).isEqualTo(SuperchunkState.DEGRADED);
  }

  private static void runUntilActive(SimCluster sim, SuperchunkView superchunk) throws Exception {
    for (int i = 0; i < 200 && state(sim, superchunk) != SuperchunkState.ACTIVE; i++) {
      sim.step();
    }
    assertThat(state(sim, superchunk))
        .as(() -> RecoveryRuns.describe(sim))
        .isEqualTo(SuperchunkState.ACTIVE);
  }

  /** Starts or stops the Lstor daemons of both disks of a superchunk. */
  private static void lstorDaemons(SimCluster sim, SuperchunkView superchunk, boolean areUp) {
    disks(sim, superchunk).forEach(disk -> disk.lstorDaemonUp = areUp);
  }

  /** Superchunks that the status names as waiting for an Lstor. */
  private static List<JsonNode> problems(SimCluster sim) {
    ClusterView view = sim.manager.map().view();
    JsonNode status =
        new Documents(view, ShapeOfCluster.byUuid(sim.nodes()))
            .status(
                true, true, 0, sim.manager.recovery().status(), new Lacking(Set.of(), true, 0), 0);
    List<JsonNode> found = new ArrayList<>();
    status.path("problems").forEach(found::add);
    return found.stream()
        .filter(each -> each.path("kind").asText().equals("LSTOR_UNREADABLE"))
        .toList();
  }

  private static void assertNothingLost(SimCluster sim) {
    ClusterView view = sim.manager.map().view();
    assertThat(view.count(SuperchunkState.LOST)).as("lost").isZero();
    assertThat(view.count(SuperchunkState.DEGRADED)).as("degraded").isZero();
    assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
  }

  @Test
  void aSuperchunkThatStandsAloneIsNotPairedBeforeItIsKnownWhatItLacks() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = beingRebuilt(sim);
              lstorDaemons(sim, superchunk, false);
              sim.steps(80);
              assertThat(sim.blocksWithoutReplica()).isPositive();
              assertThat(sim.manager.recovery().status().state())
                  .as(() -> RecoveryRuns.describe(sim))
                  .isEqualTo(State.WAITING);
              assertThat(sim.manager.recovery().status().waiting())
                  .filteredOn(w -> w.superchunkId() == superchunk.id())
                  .singleElement()
                  .satisfies(
                      w -> {
                        assertThat(w.reason()).isEqualTo("LSTOR_UNREADABLE");
                        assertThat(w.detail())
                            .contains(superchunk.leader().diskId())
                            .contains("hdfs --daemon start lstor");
                      });
              assertThat(problems(sim))
                  .singleElement()
                  .asString()
                  .contains("superchunk " + superchunk.id(), "hdfs raidp -recover -acceptLoss");
              assertThat(sim.manager.map().view().count(SuperchunkState.DEGRADED))
                  .as("all others have gone on")
                  .isEqualTo(1);
              disks(sim, superchunk).get(random.nextInt(2)).lstorDaemonUp = true;
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  @Test
  void theReceiverDiesDuringTheRebuildAndTheLstorsStop() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = beingRebuilt(sim);
              SimDisk receiver =
                  sim.frame(sim.manager.recovery().status().moves().get(0).receiver().frame()).disk;
              sim.steps(random.nextInt(4));
              receiver.failed = true;
              lstorDaemons(sim, superchunk, false);
              receiver.lstorDaemonUp = random.nextBoolean();
              sim.steps(random.nextInt(90));
              lstorDaemons(sim, superchunk, true);
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  /** One of its blocks is decoded with a second Lstor, of its other disk or of a third dead one. */
  private static SimDisk rebuiltByTwoLstors(SimCluster sim, Random random, long[] block)
      throws Exception {
    SuperchunkView superchunk = withBlocks(sim);
    block[0] = sim.frame(superchunk.leader().ref()).rows.keySet().iterator().next();
    List<SimDisk> sides = disks(sim, superchunk);
    SimDisk needed = sides.get(1);
    if (random.nextBoolean()) {
      needed =
          sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
              .map(each -> disks(sim, each))
              .filter(pair -> pair.contains(sides.get(0)) && !pair.contains(sides.get(1)))
              .flatMap(List::stream)
              .filter(disk -> disk != sides.get(0) && disk.node != sides.get(1).node)
              .findFirst()
              .orElseThrow();
    }
    sim.lstorsNeeded.put(block[0], needed);
    sides.forEach(disk -> disk.failed = true);
    needed.failed = true;
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 60 && !sim.manager.recovery().isMoving(superchunk.id()); i++) {
      sim.step();
    }
    return needed;
  }

  /** Its host restarts. The other Lstors list the block, and do not give it alone. */
  @Test
  void aBlockThatNeedsTwoLstorsIsNotGivenUpWhileOneIsAway() {
    SeededRuns.of(16)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              long[] block = new long[1];
              SimDisk needed = rebuiltByTwoLstors(sim, random, block);
              boolean isBroken = random.nextBoolean();
              needed.lstorDaemonUp = isBroken;
              needed.lstorBroken = isBroken;
              sim.steps(30 + random.nextInt(25));
              assertThat(sim.hasReplica(block[0])).isFalse();
              assertThat(sim.manager.recovery().status().givenUp())
                  .as(() -> RecoveryRuns.describe(sim))
                  .isEmpty();
              assertThat(sim.manager.recovery().status().moves())
                  .filteredOn(move -> !move.note().isEmpty())
                  .as("the Lstor is named")
                  .extracting(RecoveryMove::note)
                  .anyMatch(note -> note.contains(needed.id));
              needed.lstorDaemonUp = true;
              needed.lstorBroken = false;
              sim.steps(15);
              RecoveryRuns.runUntilDone(sim);
              assertThat(sim.manager.recovery().status().givenUp()).isEmpty();
              assertThat(sim.hasReplica(block[0])).isTrue();
              assertNothingLost(sim);
            });
  }

  @Test
  void anLstorThatStaysAwayIsNotWaitedForAnyMore() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              long[] block = new long[1];
              SimDisk needed = rebuiltByTwoLstors(sim, random, block);
              boolean isBroken = random.nextBoolean();
              needed.lstorDaemonUp = isBroken;
              needed.lstorBroken = isBroken;
              RecoveryRuns.runUntilDone(sim);
              assertThat(sim.hasReplica(block[0])).isFalse();
              assertThat(sim.manager.recovery().status().givenUp()).isNotEmpty();
            });
  }

  /** The new partner has a part of the blocks only; the survivor's Lstor has all. */
  @Test
  void theSurvivorDiesDuringTheCopyAndItsLstorStops() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 9);
              SuperchunkView superchunk = withBlocks(sim);
              sim.frame(superchunk.leader().ref()).disk.failed = true;
              sim.steps(2);
              sim.copies = false;
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(1 + random.nextInt(8));
              sim.frame(superchunk.follower().ref()).disk.failed = true;
              lstorDaemons(sim, superchunk, false);
              sim.copies = true;
              if (random.nextBoolean()) {
                sim.restartManager();
                sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              }
              sim.steps(random.nextInt(90));
              lstorDaemons(sim, superchunk, true);
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  /** The Lstor of the new partner is read, and has none of the rows yet. */
  @Test
  void bothSidesDieDuringTheCopyAndTheLstorWithAllRowsIsAway() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = withBlocks(sim);
              SimDisk first = sim.frame(superchunk.leader().ref()).disk;
              SimDisk survivor = sim.frame(superchunk.follower().ref()).disk;
              first.failed = true;
              sim.steps(2);
              sim.copies = false;
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 60 && state(sim, superchunk) != SuperchunkState.ACTIVE; i++) {
                sim.step();
              }
              SimDisk receiver =
                  disks(sim, sim.manager.map().view().superchunks().get(superchunk.id())).stream()
                      .filter(disk -> disk != survivor)
                      .findFirst()
                      .orElseThrow();
              survivor.failed = true;
              receiver.failed = true;
              sim.steps(2);
              first.lstorDaemonUp = false;
              survivor.lstorDaemonUp = false;
              sim.copies = true;
              sim.steps(30 + random.nextInt(25));
              survivor.lstorDaemonUp = true;
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  /** The only replica has missed an append, which the Lstor of the dead side has. */
  @Test
  void aSurvivorWithAnOldReplicaWaitsForTheLstor() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 6);
              SuperchunkView superchunk = withBlocks(sim);
              long id = sim.frame(superchunk.leader().ref()).rows.keySet().iterator().next();
              sim.stale.add(id + "@" + superchunk.follower().storageId());
              SimDisk dead = sim.frame(superchunk.leader().ref()).disk;
              dead.failed = true;
              dead.lstorDaemonUp = false;
              sim.steps(12);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(80);
              assertThat(sim.manager.recovery().status().waiting())
                  .filteredOn(w -> w.superchunkId() == superchunk.id())
                  .extracting(RecoveryStatus.Waiting::reason)
                  .containsExactly("LSTOR_UNREADABLE");
              dead.lstorDaemonUp = true;
              RecoveryRuns.runUntilDone(sim);
              assertThat(sim.stale).isEmpty();
              assertNothingLost(sim);
            });
  }

  /** Blocks are lost with both nodes, but no survivor of the other superchunks lacks any. */
  @Test
  void twoNodesThatDieWithTheirLstorsDelayNoSurvivorWithAllBlocks() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = withBlocks(sim);
              disks(sim, superchunk)
                  .forEach(
                      disk -> {
                        disk.node.up = false;
                        disk.node.disks.forEach(each -> each.lstorDaemonUp = false);
                      });
              sim.steps(65);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(130);
              assertThat(sim.blocksWithoutReplica()).isPositive();
              assertThat(sim.manager.recovery().status().waiting())
                  .as(() -> RecoveryRuns.describe(sim))
                  .extracting(RecoveryStatus.Waiting::reason)
                  .containsOnly("NO_LSTOR");
              assertThat(sim.manager.map().view().count(SuperchunkState.DEGRADED)).isZero();
            });
  }

  @Test
  void anAdministratorMayDoWithoutTheLstorsOnce() throws Exception {
    SimCluster sim = started(new Random(1), 12);
    SuperchunkView superchunk = beingRebuilt(sim);
    lstorDaemons(sim, superchunk, false);
    sim.steps(80);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(5);
    assertThat(sim.manager.recovery().status().state()).isEqualTo(State.WAITING);
    recoverWithLoss(sim);
    RecoveryRuns.runUntilDone(sim);
    assertThat(state(sim, superchunk)).isEqualTo(SuperchunkState.ACTIVE);
    assertThat(sim.blocksWithoutReplica()).isPositive();

    SuperchunkView next = beingRebuilt(sim);
    lstorDaemons(sim, next, false);
    sim.steps(80);
    assertThat(sim.manager.recovery().status().waiting())
        .as("the next recovery waits again")
        .extracting(RecoveryStatus.Waiting::superchunkId)
        .containsExactly(next.id());
  }

  /** A lost superchunk without an Lstor keeps the first recovery running for days. */
  @Test
  void anAcceptedLossHoldsForNoSuperchunkThatWaitsLater() throws Exception {
    SimCluster sim = started(new Random(2), 12);
    SuperchunkView withoutLstor = withBlocks(sim);
    disks(sim, withoutLstor)
        .forEach(
            disk -> {
              disk.failed = true;
              disk.lstorDaemonUp = false;
            });
    sim.steps(12);
    recoverWithLoss(sim);
    sim.steps(90);
    assertThat(sim.manager.recovery().status().state()).isEqualTo(State.WAITING);

    SuperchunkView next = withBlocks(sim);
    disks(sim, next).forEach(disk -> disk.failed = true);
    for (int i = 0; i < 30 && !sim.manager.recovery().isMoving(next.id()); i++) {
      sim.step();
    }
    lstorDaemons(sim, next, false);
    sim.steps(90);
    assertWaits(sim, next);
    disks(sim, next).get(0).lstorDaemonUp = true;
    runUntilActive(sim, next);
    Set<Long> lost = sim.frame(withoutLstor.leader().ref()).rows.keySet();
    assertThat(sim.blocks.keySet().stream().filter(id -> !sim.hasReplica(id)))
        .containsExactlyInAnyOrderElementsOf(lost);
  }

  @Test
  void aPlainRecoveryTakesAnAcceptedLossBack() throws Exception {
    SimCluster sim = started(new Random(1), 12);
    SuperchunkView superchunk = beingRebuilt(sim);
    lstorDaemons(sim, superchunk, false);
    sim.steps(80);
    assertWaits(sim, superchunk);
    recoverWithLoss(sim);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(80);
    assertWaits(sim, superchunk);
    disks(sim, superchunk).get(0).lstorDaemonUp = true;
    RecoveryRuns.runUntilDone(sim);
    assertNothingLost(sim);
  }

  /** It may answer the next time. */
  @Test
  void anAcceptedLossIsNotThatOfAnLstorThatDoesNotAnswerOnce() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = beingRebuilt(sim);
              List<SimDisk> dead = disks(sim, superchunk);
              dead.forEach(disk -> disk.lstorDaemonUp = false);
              sim.steps(80);
              assertWaits(sim, superchunk);
              recoverWithLoss(sim);
              dead.get(0).lstorDaemonUp = true;
              dead.get(0).lstorHangs = true;
              dead.get(1).lstorDaemonUp = random.nextBoolean();
              sim.steps(1 + random.nextInt(60));
              assertWaits(sim, superchunk);
              dead.get(0).lstorHangs = false;
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  /** Both Lstor daemons report, and never answer who asks for rows: their disks or threads hang. */
  private static SuperchunkView withHungLstors(SimCluster sim) throws Exception {
    SuperchunkView superchunk = withBlocks(sim);
    disks(sim, superchunk)
        .forEach(
            disk -> {
              disk.failed = true;
              disk.lstorHangs = true;
            });
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(300);
    return superchunk;
  }

  @Test
  void lstorsThatNeverAnswerAreNamedAndHoldNoOtherSuperchunk() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = withHungLstors(sim);
              assertWaits(sim, superchunk);
              String diskId = superchunk.leader().diskId();
              LstorReport lstor = sim.manager.map().view().lstors().get(diskId).report();
              assertThat(problems(sim))
                  .singleElement()
                  .asString()
                  .contains(
                      "Lstor of disk " + diskId,
                      lstor.host() + ":" + lstor.port() + " reports, but has not answered",
                      "hdfs --daemon start lstor",
                      "hdfs raidp -recover -acceptLoss");
              assertThat(sim.manager.map().view().count(SuperchunkState.DEGRADED))
                  .as("all others have gone on")
                  .isEqualTo(1);
              disks(sim, superchunk).get(random.nextInt(2)).lstorHangs = false;
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  private static Set<String> diskIds(SuperchunkView superchunk) {
    return superchunk.holders().stream().map(FrameView::diskId).collect(Collectors.toSet());
  }

  /** Long before these Lstors count as unreadable; those of their own disks wait. */
  @Test
  void lstorsThatDoNotAnswerHoldNoSuperchunkOfOtherDisks() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView lost = withBlocks(sim);
              Set<String> hung = diskIds(lost);
              List<SuperchunkView> before =
                  sim.manager.map().view().in(SuperchunkState.ACTIVE).stream().toList();
              Set<String> sharing =
                  before.stream()
                      .map(UnreadableLstorRecoveryTest::diskIds)
                      .filter(disks -> disks.stream().anyMatch(hung::contains))
                      .flatMap(Set::stream)
                      .collect(Collectors.toSet());
              SimDisk other =
                  sim.disks().stream()
                      .filter(disk -> !sharing.contains(disk.id))
                      .findFirst()
                      .orElseThrow();
              disks(sim, lost).forEach(disk -> disk.lstorHangs = true);
              disks(sim, lost).forEach(disk -> disk.failed = true);
              other.failed = true;
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              long begunMs = sim.nowMs;
              Set<Long> ofOther =
                  before.stream()
                      .filter(s -> diskIds(s).contains(other.id))
                      .map(SuperchunkView::id)
                      .collect(Collectors.toSet());
              assertThat(ofOther).isNotEmpty();
              for (int i = 0; i < 45 && !areActive(sim, ofOther); i++) {
                sim.step();
              }
              assertThat(areActive(sim, ofOther)).as(() -> RecoveryRuns.describe(sim)).isTrue();
              assertThat(sim.nowMs - begunMs).isLessThan(SimCluster.options().silence().deadMs());
              assertThat(sim.manager.map().view().in(SuperchunkState.DEGRADED))
                  .as("those of the same disks")
                  .isNotEmpty();
              RecoveryStatus status = sim.manager.recovery().status();
              assertThat(status.state()).isEqualTo(State.RUNNING);
              assertThat(status.problems())
                  .as("named in the status")
                  .isNotEmpty()
                  .allMatch(problem -> problem.kind() == Problem.Kind.LSTOR_FAILED)
                  .allMatch(problem -> hung.contains(problem.subject()))
                  .allMatch(problem -> problem.detail().contains("did not answer"));
              disks(sim, lost).forEach(disk -> disk.lstorHangs = false);
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
              assertThat(sim.manager.recovery().status().problems()).isEmpty();
            });
  }

  private static boolean areActive(SimCluster sim, Set<Long> ids) {
    ClusterView view = sim.manager.map().view();
    return ids.stream()
        .allMatch(id -> view.superchunks().get(id).state() == SuperchunkState.ACTIVE);
  }

  @Test
  void anAdministratorMayDoWithoutLstorsThatNeverAnswer() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = withHungLstors(sim);
              assertWaits(sim, superchunk);
              recoverWithLoss(sim);
              RecoveryRuns.runUntilDone(sim);
              assertThat(state(sim, superchunk)).isEqualTo(SuperchunkState.ACTIVE);
              Set<Long> lost = sim.frame(superchunk.leader().ref()).rows.keySet();
              assertThat(sim.blocks.keySet().stream().filter(id -> !sim.hasReplica(id)))
                  .containsExactlyInAnyOrderElementsOf(lost);
            });
  }

  /** What was accepted is what the Lstors had that could not be read; this one answers again. */
  @Test
  void anLstorThatAnswersAfterAllTakesAnAcceptedLossBack() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = withHungLstors(sim);
              assertWaits(sim, superchunk);
              disks(sim, superchunk).get(random.nextInt(2)).lstorHangs = false;
              sim.nowMs += 120_000;
              recoverWithLoss(sim);
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  /** HDFS looks at all blocks before it counts those without replicas; that may take long. */
  @Test
  void aManagerThatTakesOverPairsNoSuperchunkBeforeMissingBlocksAreCounted() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = beingRebuilt(sim);
              lstorDaemons(sim, superchunk, false);
              sim.steps(80);
              assertWaits(sim, superchunk);
              sim.hasLookedAtAll = false;
              sim.restartManager();
              sim.steps(80 + random.nextInt(80));
              assertWaits(sim, superchunk);
              sim.hasLookedAtAll = true;
              sim.steps(5);
              assertWaits(sim, superchunk);
              disks(sim, superchunk).get(random.nextInt(2)).lstorDaemonUp = true;
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }

  /** HDFS keeps the replicas of such a node, so it misses no block of the other dead side. */
  @Test
  void aSuperchunkWaitsForItsLstorsThoughASideIsOnANodeInMaintenance() {
    SeededRuns.of(4)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              sim.disks().forEach(disk -> disk.storageType = "DISK");
              SuperchunkView superchunk = withBlocks(sim);
              SimDisk away = disks(sim, superchunk).get(0);
              SimDisk failed = disks(sim, superchunk).get(1);
              away.node.adminState = "IN_MAINTENANCE";
              away.node.up = false;
              failed.failed = true;
              sim.steps(65);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 30 && !sim.manager.recovery().isMoving(superchunk.id()); i++) {
                sim.step();
              }
              away.lstorDaemonUp = false;
              failed.lstorDaemonUp = false;
              sim.steps(80);
              assertThat(sim.blocksWithoutReplica()).isZero();
              assertWaits(sim, superchunk);
              failed.lstorDaemonUp = true;
              runUntilActive(sim, superchunk);
              RecoveryRuns.runUntilDone(sim);
              assertThat(sim.blocks.keySet())
                  .filteredOn(id -> sim.frame(superchunk.leader().ref()).rows.containsKey(id))
                  .allMatch(sim::hasReplica);
            });
  }

  /** Daemons come and go, managers restart, the receiver may fail; at the end all Lstors serve. */
  @Test
  void anythingStopsForAWhile() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 12);
              SuperchunkView superchunk = beingRebuilt(sim);
              List<SimDisk> dead = new ArrayList<>(disks(sim, superchunk));
              if (random.nextBoolean()) {
                SimDisk receiver =
                    sim.frame(sim.manager.recovery().status().moves().get(0).receiver().frame())
                        .disk;
                sim.steps(random.nextInt(4));
                receiver.failed = true;
                dead.add(receiver);
              }
              for (int i = 0; i < 6; i++) {
                dead.forEach(disk -> disk.lstorDaemonUp = random.nextInt(3) == 0);
                if (random.nextInt(4) == 0) {
                  sim.restartManager();
                  sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
                }
                sim.steps(random.nextInt(40));
              }
              dead.forEach(disk -> disk.lstorDaemonUp = true);
              RecoveryRuns.runUntilDone(sim);
              assertNothingLost(sim);
            });
  }
}
