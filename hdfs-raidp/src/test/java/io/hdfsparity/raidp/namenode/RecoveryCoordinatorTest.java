/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.layout.RecoveryPlan;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.namenode.SimCluster.SimNode;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class RecoveryCoordinatorTest {
  private static SimCluster started(Random random, int nodes, int disks, int frames)
      throws Exception {
    SimCluster sim = new SimCluster(random, nodes, 2, disks, frames);
    RecoveryRuns.layOut(sim);
    assertThat(sim.manager.map().view().count(SuperchunkState.ACTIVE)).isPositive();
    RecoveryRuns.writeBlocks(sim);
    return sim;
  }

  /**
   * A node that comes back while its blocks are being copied elsewhere must not leave them half
   * moved.
   */
  @Test
  void theDeadNodeComesBackMeanwhile() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 8, 2, 8);
              SimNode gone = sim.nodes.get(random.nextInt(8));
              gone.up = false;
              sim.steps(65);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(random.nextInt(8));
              sim.restartNode(gone);
              sim.steps(2);
              RecoveryRuns.runUntilDone(sim);
              sim.steps(30);
              assertRedundantAndLegal(sim);
              assertThat(sim.manager.map().view().frames().superseded())
                  .as("HDFS has dropped what the node came back with")
                  .isEmpty();
            });
  }

  /** While its blocks are being copied, they have no other second replica. */
  @Test
  void replicasThatComeBackStayGoodUntilBothSidesHaveTheBlocks() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 8, 2, 8);
              SimNode gone = sim.nodes.get(random.nextInt(8));
              gone.up = false;
              sim.steps(65);
              sim.copies = false;
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(15);
              sim.restartNode(gone);
              sim.steps(10);
              assertThat(sim.manager.map().view().frames().superseded()).isNotEmpty();
              assertThat(sim.givenUp).isEmpty();
              sim.copies = true;
              RecoveryRuns.runUntilDone(sim);
              sim.steps(30);
              assertRedundantAndLegal(sim);
              assertThat(sim.manager.map().view().frames().superseded()).isEmpty();
            });
  }

  private static void assertRedundantAndLegal(SimCluster sim) {
    ClusterView view = sim.manager.map().view();
    assertThat(view.count(SuperchunkState.LOST)).as("lost").isZero();
    assertThat(view.count(SuperchunkState.DEGRADED)).as("degraded").isZero();
    assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
    ShapeOfCluster shape = new ShapeOfCluster(view, ShapeOfCluster.byUuid(sim.nodes()), List.of());
    assertThat(Layout.of(shape.shape()).check()).isEmpty();
  }

  private static SuperchunkView anActive(SimCluster sim, Random random) {
    List<SuperchunkView> active = sim.manager.map().view().in(SuperchunkState.ACTIVE);
    return active.get(random.nextInt(active.size()));
  }

  /**
   * A side that has missed an append has a replica, which HDFS has marked: only the Lstor of the
   * disk that fails now has all bytes.
   */
  @Test
  void whatASurvivorHasAnOlderReplicaOfIsRebuilt() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              SuperchunkView superchunk =
                  sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
                      .filter(s -> !sim.frame(s.leader().ref()).rows.isEmpty())
                      .findFirst()
                      .orElseThrow();
              long id = sim.frame(superchunk.leader().ref()).rows.keySet().iterator().next();
              boolean leads = random.nextBoolean();
              FrameView survivor = leads ? superchunk.leader() : superchunk.follower();
              sim.stale.add(id + "@" + survivor.storageId());
              diskOf(sim, leads ? superchunk.follower() : superchunk.leader()).failed = true;
              sim.steps(2);
              RecoveryRuns.recoverFully(sim);
              assertThat(sim.stale).as("replicas without the append").isEmpty();
              assertRedundantAndLegal(sim);
            });
  }

  private static SimDisk diskOf(SimCluster sim, FrameView frame) {
    return sim.frame(frame.ref()).disk;
  }

  @Test
  void oneDisk() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              SimDisk failed = sim.disks().get(random.nextInt(12));
              failed.failed = true;
              sim.steps(2);
              assertThat(sim.unneeded).isEmpty();
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
              sim.steps(65);
              assertThat(sim.unneeded).as("the node is told so").containsExactly(failed.id);
            });
  }

  /** HDFS looks at all blocks before it counts those that lack replicas; that may take long. */
  @Test
  void aManagerThatTakesOverCallsNoDiskUnneededBeforeMissingReplicasAreCounted() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              SimDisk failed = sim.disks().get(random.nextInt(12));
              failed.failed = true;
              sim.steps(2);
              RecoveryRuns.recoverFully(sim);
              sim.restartManager();
              sim.unneeded.clear();
              sim.hasLookedAtAll = false;
              sim.steps(130);
              assertThat(sim.unneeded).as("nobody knows").isEmpty();
              sim.hasLookedAtAll = true;
              sim.steps(55);
              assertThat(sim.unneeded).as("for too short").isEmpty();
              sim.steps(15);
              assertThat(sim.unneeded).containsExactly(failed.id);
              sim.unneeded.clear();
              sim.hasLookedAtAll = false;
              sim.steps(2);
              sim.hasLookedAtAll = true;
              sim.steps(55);
              assertThat(sim.unneeded).as("it was a standby meanwhile").isEmpty();
            });
  }

  @Test
  void twoDisksThatShareASuperchunk() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              SuperchunkView shared = anActive(sim, random);
              shared.holders().forEach(f -> diskOf(sim, f).failed = true);
              sim.steps(2);
              assertThat(sim.manager.map().view().superchunks().get(shared.id()).state())
                  .isEqualTo(SuperchunkState.LOST);
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
              assertThat(sim.manager.map().view().superchunks().get(shared.id()).epoch())
                  .as("alone, then paired")
                  .isGreaterThanOrEqualTo(shared.epoch() + 2);
            });
  }

  /** Each node has a disk of each type; HDFS forgets the types of disks that have failed. */
  @Test
  void superchunksStayOnDisksOfOneStorageType() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = new SimCluster(random, 8, 2, 2, 8);
              sim.disks().forEach(d -> d.storageType = d.id.endsWith("0") ? "SSD" : "DISK");
              RecoveryRuns.layOut(sim);
              RecoveryRuns.writeBlocks(sim);
              assertThat(typesOfSuperchunks(sim)).containsExactlyInAnyOrder("SSD", "DISK");
              SuperchunkView shared = anActive(sim, random);
              sim.manager.recovery().tick(sim.nowMs);
              shared.holders().forEach(f -> diskOf(sim, f).failed = true);
              sim.steps(2);
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
              assertThat(typesOfSuperchunks(sim)).containsExactlyInAnyOrder("SSD", "DISK");
              String before = diskOf(sim, shared.holders().get(0)).storageType;
              sim.manager.map().view().superchunks().get(shared.id()).holders().stream()
                  .map(f -> diskOf(sim, f).storageType)
                  .forEach(type -> assertThat(type).isEqualTo(before));
            });
  }

  /** Of each superchunk, those of its sides joined where they differ. */
  private static Set<String> typesOfSuperchunks(SimCluster sim) {
    return sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
        .map(
            s ->
                s.holders().stream()
                    .map(f -> diskOf(sim, f).storageType)
                    .distinct()
                    .sorted()
                    .collect(Collectors.joining(" and ")))
        .collect(Collectors.toSet());
  }

  /** Whoever pulls two disks and asks for recovery in the same second gets it. */
  @Test
  void aRecoveryAskedForBeforeTheFailureIsReported() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              anActive(sim, random).holders().forEach(f -> diskOf(sim, f).failed = true);
              assertThat(needsWork(sim)).as("not yet known").isFalse();
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
            });
  }

  /** And whoever pulls a node's plug, too; it takes until the node counts as dead. */
  @Test
  void aRecoveryAskedForBeforeTheNodeIsDead() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 7, 2, 8);
              sim.nodes.get(random.nextInt(7)).up = false;
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(10);
              assertThat(sim.manager.recovery().status().state()).isEqualTo(State.RUNNING);
              assertThat(sim.manager.recovery().status().waiting())
                  .anyMatch(w -> w.reason().equals("NODE_SILENT"));
              RecoveryRuns.runUntilDone(sim);
              assertRedundantAndLegal(sim);
            });
  }

  @Test
  void aNode() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 7, 2, 8);
              sim.nodes.get(random.nextInt(7)).up = false;
              // Silent for longer than the time after which it counts as dead.
              sim.steps(65);
              assertThat(sim.manager.map().view().in(SuperchunkState.DEGRADED)).isNotEmpty();
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
            });
  }

  @Test
  void managersComeAndGoMeanwhile() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              anActive(sim, random).holders().forEach(f -> diskOf(sim, f).failed = true);
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 5; i++) {
                sim.steps(1 + random.nextInt(6));
                sim.restartManager();
                sim.steps(2);
              }
              // A recovery that was begun goes on by itself; one that the restarts cut off before
              // its first step is begun again.
              for (int i = 0; i < 300 && needsWork(sim); i++) {
                if (sim.manager.recovery().status().state() != State.RUNNING && i % 50 == 49) {
                  sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
                }
                sim.step();
              }
              sim.steps(60);
              assertRedundantAndLegal(sim);
            });
  }

  /** It knows no superchunk, so it knows none that lacks a side. */
  @Test
  void aManagerThatNobodyHasReportedToIsNotDone() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              anActive(sim, random).holders().forEach(f -> diskOf(sim, f).failed = true);
              sim.steps(2);
              sim.restartManager();
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.manager.recovery().tick(sim.nowMs);
              assertThat(sim.manager.recovery().status().state()).isEqualTo(State.RUNNING);
              RecoveryRuns.runUntilDone(sim);
              assertRedundantAndLegal(sim);
            });
  }

  /** A node that is gone for good stays in the roster. */
  @Test
  void aNodeThatDoesNotReportIsWaitedForUntilItIsDead() throws Exception {
    SimCluster sim = started(new Random(3), 7, 2, 8);
    sim.nodes.get(0).up = false;
    sim.steps(65);
    RecoveryRuns.recoverFully(sim);
    sim.nodes.get(0).disks.forEach(disk -> disk.lstorDaemonUp = false);
    sim.restartManager();
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(50);
    assertThat(sim.manager.recovery().status().state()).isEqualTo(State.RUNNING);
    assertThat(sim.manager.unheard().lacking(sim.nodes())).containsExactly("n00");
    sim.steps(15);
    assertThat(sim.manager.recovery().status().state()).isEqualTo(State.DONE);
    assertThat(sim.manager.unheard().lacking(sim.nodes())).as("HDFS has no such node").isEmpty();
    assertRedundantAndLegal(sim);
  }

  private static boolean needsWork(SimCluster sim) {
    ClusterView view = sim.manager.map().view();
    return view.count(SuperchunkState.LOST) + view.count(SuperchunkState.DEGRADED) > 0;
  }

  @Test
  void aReceiverAlreadyAtWorkIsRecognizedAsABegunRecovery() throws Exception {
    Random random = new Random(3);
    SimCluster sim = started(random, 6, 2, 8);
    anActive(sim, random).holders().forEach(f -> diskOf(sim, f).failed = true);
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0;
        i < 50
            && sim.frames().stream().noneMatch(f -> f.pairing.filter(p -> p.isAlone()).isPresent());
        i++) {
      sim.step();
    }
    sim.restartManager();
    RecoveryRuns.runUntilDone(sim);
    assertRedundantAndLegal(sim);
  }

  @Test
  void nodesRestartMeanwhile() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 6, 2, 8);
              anActive(sim, random).holders().forEach(f -> diskOf(sim, f).failed = true);
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 8; i++) {
                sim.steps(1 + random.nextInt(4));
                SimNode node = sim.nodes.get(random.nextInt(6));
                node.up = false;
                sim.steps(random.nextInt(4));
                sim.restartNode(node);
              }
              RecoveryRuns.runUntilDone(sim);
              assertRedundantAndLegal(sim);
            });
  }

  /**
   * The survivor dies while its blocks are being copied: what the new partner lacks comes from the
   * Lstors.
   */
  @Test
  void theSurvivorDiesDuringTheCopy() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 7, 2, 8);
              SuperchunkView superchunk = anActive(sim, random);
              diskOf(sim, superchunk.leader()).failed = true;
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              sim.steps(1 + random.nextInt(8));
              diskOf(sim, superchunk.follower()).failed = true;
              sim.steps(3);
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
            });
  }

  @Test
  void theReceiverDiesDuringTheRebuild() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 12, 2, 8);
              SuperchunkView superchunk = anActive(sim, random);
              superchunk.holders().forEach(f -> diskOf(sim, f).failed = true);
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 30 && sim.manager.recovery().status().moves().isEmpty(); i++) {
                sim.step();
              }
              RecoveryMove move = sim.manager.recovery().status().moves().get(0);
              sim.steps(random.nextInt(4));
              sim.frame(move.receiver().frame()).disk.failed = true;
              sim.steps(3);
              RecoveryRuns.runUntilDone(sim);
              assertRedundantAndLegal(sim);
            });
  }

  @Test
  void whatCannotBeDecodedIsReportedAndTheRestIsRecovered() throws Exception {
    Random random = new Random(7);
    SimCluster sim = started(random, 6, 2, 8);
    SuperchunkView shared =
        sim.manager.map().view().in(SuperchunkState.ACTIVE).stream()
            .filter(s -> sim.frame(s.leader().ref()).rows.size() > 2)
            .findFirst()
            .orElseThrow();
    long bad = sim.frame(shared.leader().ref()).rows.keySet().iterator().next();
    sim.undecodable.add(bad);
    shared.holders().forEach(f -> diskOf(sim, f).failed = true);
    sim.steps(2);
    RecoveryRuns.recoverFully(sim);
    assertThat(sim.manager.recovery().status().moves())
        .filteredOn(m -> !m.note().isEmpty())
        .as("tried again")
        .hasSize(3)
        .allSatisfy(m -> assertThat(m.note()).contains("block " + bad));
    assertThat(sim.manager.recovery().status().givenUp()).containsExactly(shared.id());
    assertThat(sim.misplaced()).containsExactly("block " + bad + " on []");

    // A run that begins by itself begins without what an earlier one has given up.
    sim.nodes.stream()
            .filter(node -> node.disks.stream().noneMatch(disk -> disk.failed))
            .findFirst()
            .orElseThrow()
            .adminState =
        "DECOMMISSION_INPROGRESS";
    sim.steps(3);
    assertThat(sim.manager.recovery().status().state()).isNotEqualTo(State.DONE);
    assertThat(sim.manager.recovery().status().givenUp()).isEmpty();
  }

  @Test
  void withoutAnyLstorALostSuperchunkWaitsAndItsDisksAreHeld() throws Exception {
    Random random = new Random(11);
    SimCluster sim = started(random, 6, 2, 8);
    SuperchunkView shared = anActive(sim, random);
    shared
        .holders()
        .forEach(
            f -> {
              diskOf(sim, f).failed = true;
              diskOf(sim, f).lstorDaemonUp = false;
            });
    sim.steps(15);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(5);
    RecoveryStatus waiting = sim.manager.recovery().status();
    assertThat(waiting.state()).isEqualTo(State.WAITING);
    assertThat(waiting.waiting())
        .extracting(RecoveryStatus.Waiting::reason)
        .contains("NO_LSTOR", "HELD");
    diskOf(sim, shared.leader()).lstorDaemonUp = true;
    sim.steps(2);
    RecoveryRuns.runUntilDone(sim);
    assertRedundantAndLegal(sim);
  }

  @Test
  void aDecommissionedNodeIsLeft() throws Exception {
    Random random = new Random(5);
    SimCluster sim = started(random, 7, 2, 8);
    sim.nodes.get(2).adminState = "DECOMMISSION_INPROGRESS";
    RecoveryRuns.recoverFully(sim);
    assertThat(
            sim.nodes.get(2).disks.stream()
                .flatMap(d -> d.frames.stream())
                .mapToInt(f -> f.rows.size())
                .sum())
        .as("every block has two replicas elsewhere, so HDFS drops these")
        .isZero();
    assertThat(sim.misplaced()).isEmpty();
  }

  /** HDFS copies from such nodes only beside one in service. */
  @Test
  void aSuperchunkWhoseFramesAreAllOnLeavingNodesWaitsAndHoldsUpNoOther() {
    SeededRuns.of(8)
        .check(
            random -> {
              SimCluster sim = started(random, 9, 2, 8);
              SuperchunkView stays = anActive(sim, random);
              List<SimNode> leaving =
                  stays.holders().stream().map(f -> diskOf(sim, f).node).toList();
              leaving.forEach(node -> node.adminState = "DECOMMISSION_INPROGRESS");
              if (random.nextBoolean()) {
                diskOf(sim, stays.follower()).failed = true;
              }
              sim.steps(2);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0;
                  i < 300 && sim.manager.recovery().status().state() != State.WAITING;
                  i++) {
                sim.step();
              }
              assertThat(sim.manager.recovery().status().waiting())
                  .as(() -> RecoveryRuns.describe(sim))
                  .extracting(RecoveryStatus.Waiting::superchunkId, RecoveryStatus.Waiting::reason)
                  .contains(tuple(stays.id(), "ON_LEAVING_NODES"));
              leaving.get(0).adminState = "NORMAL";
              RecoveryRuns.runUntilDone(sim);
              sim.steps(30);
              assertThat(sim.misplaced()).as(() -> RecoveryRuns.describe(sim)).isEmpty();
            });
  }

  /**
   * Neither by a recovery of something else; when its maintenance is over it is as any dead one.
   */
  @Test
  void superchunksOfANodeInMaintenanceKeepTheirSides() throws Exception {
    Random random = new Random(6);
    SimCluster sim = started(random, 7, 2, 8);
    SimCluster.SimNode away = sim.nodes.get(2);
    away.adminState = "IN_MAINTENANCE";
    away.up = false;
    away.seemsUp = true;
    sim.steps(65);
    Set<Long> halved = degraded(sim);
    assertThat(halved).isNotEmpty();
    RecoveryRuns.recoverFully(sim);
    assertThat(degraded(sim)).isEqualTo(halved);
    assertThat(sim.manager.recovery().status().waiting())
        .satisfiesExactly(
            each -> {
              assertThat(each.reason()).isEqualTo("IN_MAINTENANCE");
              assertThat(each.detail()).startsWith(halved.size() + " superchunks");
            });

    away.seemsUp = false;
    sim.nodes.get(4).disks.get(0).failed = true;
    sim.steps(3);
    RecoveryRuns.recoverFully(sim);
    assertThat(halved).containsAll(degraded(sim));
    assertThat(degraded(sim)).isNotEmpty();
    assertThat(sim.manager.map().view().count(SuperchunkState.LOST)).isZero();

    // Another failure is recovered when an administrator says so, as always.
    SimCluster.SimDisk second = sim.nodes.get(5).disks.get(0);
    second.failed = true;
    sim.steps(20);
    assertThat(sim.manager.recovery().status().state()).isEqualTo(State.DONE);
    assertThat(halved.containsAll(degraded(sim))).isFalse();
    RecoveryRuns.recoverFully(sim);

    away.up = true;
    sim.steps(5);
    assertThat(degraded(sim)).isEmpty();
    assertThat(sim.manager.recovery().status().waiting()).isEmpty();
    away.up = false;
    away.adminState = "NORMAL";
    sim.steps(65);
    RecoveryRuns.recoverFully(sim);
    assertRedundantAndLegal(sim);
  }

  /** Blocks that it had not got have one replica, and nobody else would copy them. */
  @Test
  void aReceiverThatGoesDownForMaintenanceIsReplaced() throws Exception {
    Random random = new Random(8);
    SimCluster sim = started(random, 8, 2, 8);
    diskOf(sim, anActive(sim, random).leader()).failed = true;
    sim.steps(3);
    sim.copies = false;
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(6);
    List<RecoveryMove> running =
        sim.manager.recovery().status().moves().stream()
            .filter(move -> move.kind() == RecoveryPlan.Kind.COPY && !move.phase().isOver())
            .toList();
    String receiver = running.get(0).receiver().nodeUuid();
    Set<Long> toReceiver =
        running.stream()
            .filter(move -> move.receiver().nodeUuid().equals(receiver))
            .map(RecoveryMove::superchunkId)
            .collect(Collectors.toSet());
    SimCluster.SimNode away =
        sim.nodes.stream().filter(node -> node.uuid.equals(receiver)).findFirst().orElseThrow();
    away.adminState = "IN_MAINTENANCE";
    away.up = false;
    sim.steps(65);
    sim.copies = true;
    RecoveryRuns.runUntilDone(sim);
    RecoveryRuns.recoverFully(sim);
    assertThat(degraded(sim)).isNotEmpty().doesNotContainAnyElementsOf(toReceiver);
  }

  private static Set<Long> degraded(SimCluster sim) {
    return sim.manager.map().view().all().stream()
        .filter(each -> each.state() == SuperchunkState.DEGRADED)
        .map(SuperchunkView::id)
        .collect(Collectors.toSet());
  }

  @Test
  void aNodeInMaintenanceReceivesNothing() throws Exception {
    Random random = new Random(7);
    SimCluster sim = started(random, 7, 2, 8);
    SimCluster.SimNode entering = sim.nodes.get(2);
    entering.adminState = "ENTERING_MAINTENANCE";
    final long before = paired(entering);
    sim.nodes.get(4).disks.get(0).failed = true;
    sim.steps(3);
    RecoveryRuns.recoverFully(sim);
    assertThat(paired(entering)).isEqualTo(before);
    assertThat(degraded(sim)).isEmpty();
  }

  private static long paired(SimCluster.SimNode node) {
    return node.disks.stream()
        .flatMap(disk -> disk.frames.stream())
        .filter(frame -> frame.pairing.isPresent())
        .count();
  }

  @Test
  void writesAreDivertedAndGoOn() throws Exception {
    Random random = new Random(9);
    SimCluster sim = started(random, 6, 2, 8);
    anActive(sim, random).holders().forEach(f -> diskOf(sim, f).failed = true);
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 40; i++) {
      assertThat(sim.write()).isPresent();
      sim.step();
    }
    RecoveryRuns.runUntilDone(sim);
    assertRedundantAndLegal(sim);
  }
}
