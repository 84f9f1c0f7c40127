/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.layout.Layout;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.namenode.SimCluster.SimNode;
import io.hdfsparity.raidp.namenode.SimCluster.Volumes;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Layout and recovery on disks with two volumes of four frames each. */
class ManyFramesRecoveryTest {
  private static final Volumes VOLUMES = new Volumes(2, 4);

  private static SimCluster started(Random random, int nodes) throws Exception {
    SimCluster sim = new SimCluster(random, nodes, 2, 2, VOLUMES);
    RecoveryRuns.layOut(sim);
    assertThat(sim.manager.map().view().problems()).isEmpty();
    RecoveryRuns.writeBlocks(sim);
    return sim;
  }

  private static void assertRedundantAndLegal(SimCluster sim) {
    ClusterView view = sim.manager.map().view();
    assertThat(view.count(SuperchunkState.LOST)).as("lost").isZero();
    assertThat(view.count(SuperchunkState.DEGRADED)).as("degraded").isZero();
    assertThat(sim.misplaced()).isEmpty();
    ShapeOfCluster shape = new ShapeOfCluster(view, ShapeOfCluster.byUuid(sim.nodes()), List.of());
    assertThat(Layout.of(shape.shape()).check()).isEmpty();
    assertVolumesShareOnce(view);
  }

  private static void assertVolumesShareOnce(ClusterView view) {
    Set<Set<String>> pairs = new HashSet<>();
    for (SuperchunkView s : view.in(SuperchunkState.ACTIVE)) {
      assertThat(s.usable()).isTrue();
      assertThat(pairs.add(Set.of(s.leader().storageId(), s.follower().storageId()))).isTrue();
    }
  }

  private static List<SimDisk> failPair(SimCluster sim, Random random) throws Exception {
    List<SuperchunkView> active = sim.manager.map().view().in(SuperchunkState.ACTIVE);
    SuperchunkView shared = active.get(random.nextInt(active.size()));
    List<SimDisk> disks = shared.holders().stream().map(f -> sim.frame(f.ref()).disk).toList();
    disks.forEach(disk -> disk.failed = true);
    sim.steps(2);
    assertThat(sim.manager.map().view().superchunks().get(shared.id()).state())
        .isEqualTo(SuperchunkState.LOST);
    return disks;
  }

  @Test
  void aLayoutFillsVolumesWithManyFrames() throws Exception {
    SimCluster sim = started(new Random(1), 6);
    ClusterView view = sim.manager.map().view();
    assertRedundantAndLegal(sim);
    assertThat(view.frames().byVolume().keySet())
        .hasSize(24)
        .anySatisfy(volume -> assertThat(view.superchunksOn(volume)).hasSize(4));
    assertThat(view.frames().spares()).isNotEmpty();
    assertThat(view.disks().values())
        .allSatisfy(
            disk -> {
              assertThat(disk.storageIds()).hasSize(2);
              assertThat(disk.frames()).isEqualTo(8);
              assertThat(
                      disk.storageIds().stream()
                          .mapToInt(volume -> view.superchunksOn(volume).size())
                          .sum())
                  .isGreaterThanOrEqualTo(4);
            });
  }

  @Test
  void aDiskFailsAndThenAnotherOne() {
    SeededRuns.of(6)
        .check(
            random -> {
              SimCluster sim = started(random, 8);
              for (int round = 0; round < 2; round++) {
                List<SimDisk> alive = sim.disks().stream().filter(SimDisk::alive).toList();
                alive.get(random.nextInt(alive.size())).failed = true;
                sim.steps(2);
                RecoveryRuns.recoverFully(sim);
                assertRedundantAndLegal(sim);
              }
            });
  }

  @Test
  void twoDisksThatShareASuperchunk() {
    SeededRuns.of(6)
        .check(
            random -> {
              SimCluster sim = started(random, 8);
              failPair(sim, random);
              RecoveryRuns.recoverFully(sim);
              assertRedundantAndLegal(sim);
              assertThat(sim.write()).isPresent();
            });
  }

  @Test
  void managersComeAndGoMeanwhile() {
    SeededRuns.of(6)
        .check(
            random -> {
              SimCluster sim = started(random, 8);
              failPair(sim, random);
              sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
              for (int i = 0; i < 5; i++) {
                sim.steps(1 + random.nextInt(6));
                sim.restartManager();
                sim.steps(2);
              }
              RecoveryRuns.recoverFully(sim);
              sim.steps(60);
              assertRedundantAndLegal(sim);
            });
  }

  @Test
  void theDeadNodeComesBackMeanwhile() {
    SeededRuns.of(6)
        .check(
            random -> {
              SimCluster sim = started(random, 8);
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
              assertThat(sim.manager.map().view().frames().superseded()).isEmpty();
            });
  }
}
