/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.raidp.adoption.AdoptionCluster;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.layout.BalanceSpec.BalanceSuperchunk;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which superchunks take part in a balance, and which may take blocks over. */
class BalanceCallsTest {
  private final Set<String> silent = new HashSet<>();
  private final SimCluster sim =
      new SimCluster(new Random(13), 8, 2, 1, new SimCluster.Volumes(1, 8));
  private final BalanceCalls calls = calls();

  private BalanceCalls calls() {
    SuperchunkMap map = sim.manager.map();
    AdoptionCopies copies = new AdoptionCopies(map, sim::nodes, Optional::empty, () -> sim.nowMs);
    return new BalanceCalls(
        sim.manager,
        new BalanceCalls.Hdfs(sim, silent::contains),
        new AdoptionCalls(
            map,
            sim.manager.grants(),
            new AdoptionCalls.Peers(sim, sim),
            copies,
            (inodeId, settled) -> AdoptionCluster.Lowering.NOT_HIGHER,
            blockId -> {},
            SimCluster.options().placement(),
            () -> sim.nowMs),
        copies,
        new BalanceCalls.Rows(sim, sim),
        SimCluster.UNIT_BYTES,
        () -> sim.nowMs);
  }

  private List<SuperchunkView> active() {
    return sim.manager.map().view().in(SuperchunkState.ACTIVE);
  }

  @Test
  void noSideThatMayBeGoneTakesBlocksOver() throws Exception {
    RecoveryRuns.layOut(sim);
    SuperchunkView superchunk = active().get(0);
    SharedSuperchunk to = AdoptionCalls.shared(superchunk);
    assertThat(calls.mayTakeOver(to)).isTrue();
    for (FrameView side : superchunk.holders()) {
      silent.add(side.nodeUuid());
      assertThat(calls.mayTakeOver(to)).as("no heartbeats of " + side.nodeUuid()).isFalse();
      silent.clear();
    }
    assertThat(
            calls.mayTakeOver(
                new SharedSuperchunk(
                    to.id(), to.epoch() + 1, to.leaderStorageId(), to.followerStorageId())))
        .isFalse();
    sim.frame(superchunk.leader().ref()).disk.failed = true;
    sim.steps(2);
    assertThat(calls.mayTakeOver(to)).as("a side has failed").isFalse();
  }

  @Test
  void superchunksThatARecoveryMovesArePassedOver() throws Exception {
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    sim.disks().get(3).failed = true;
    sim.steps(2);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    int moving = 0;
    int others = 0;
    for (int i = 0; i < 60; i++) {
      sim.step();
      List<Long> planned =
          calls.spec(10).superchunks().stream().map(BalanceSuperchunk::id).toList();
      for (SuperchunkView each : active()) {
        if (sim.manager.recovery().status().moves().stream()
            .anyMatch(move -> move.superchunkId() == each.id() && !move.phase().isOver())) {
          moving++;
          assertThat(planned).doesNotContain(each.id());
          assertThat(calls.active(each.id())).isEmpty();
        } else {
          others++;
          assertThat(calls.active(each.id())).isPresent();
        }
      }
    }
    assertThat(moving).isPositive();
    assertThat(others).isPositive();
  }
}
