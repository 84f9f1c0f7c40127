/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one more failure would take, in a cluster in memory. */
class FurtherFailuresTest {
  private final SimCluster sim = new SimCluster(new Random(4), 9, 3, 1, 8);
  private SimDisk first;
  private SimDisk second;
  private SimDisk third;

  @BeforeEach
  void threeDisksThatSharePairwise() throws Exception {
    sim.steps(2);
    sim.manager
        .layout()
        .apply(sim.manager.layout().plan(ShapeOfCluster.byUuid(sim.nodes()), sim.nowMs));
    sim.steps(20);
    List<SimDisk> disks = sim.disks();
    for (SimDisk a : disks) {
      for (SimDisk b : disks) {
        for (SimDisk c : disks) {
          if (shared(a, b).size() == 1 && shared(b, c).size() == 1 && shared(a, c).size() == 1) {
            first = a;
            second = b;
            third = c;
            return;
          }
        }
      }
    }
    throw new AssertionError("no three disks share pairwise");
  }

  private Set<Long> shared(SimDisk... disks) {
    Set<Long> found = new TreeSet<>();
    for (SuperchunkView superchunk : sim.manager.map().view().all()) {
      long of =
          superchunk.holders().stream()
              .filter(f -> List.of(disks).stream().anyMatch(d -> d.id.equals(f.diskId())))
              .count();
      if (of == 2) {
        found.add(superchunk.id());
      }
    }
    return found;
  }

  private void fail(SimDisk... disks) throws Exception {
    for (SimDisk disk : disks) {
      disk.failed = true;
    }
    sim.steps(3);
  }

  private FurtherFailures found() {
    return found(new Lacking(Set.of(), true, 0));
  }

  private FurtherFailures found(Lacking lacking) {
    return FurtherFailures.of(
        sim.manager.map().view(), sim.manager.recovery().status().moves(), lacking);
  }

  private static FurtherFailures.Next of(FurtherFailures found, SimDisk disk) {
    return found.next().stream()
        .filter(next -> next.disk().equals(disk.id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aWholeClusterHasNothingToSay() {
    assertThat(found()).isEqualTo(new FurtherFailures(Set.of(), List.of(), Optional.empty()));
  }

  @Test
  void oneDiskLeavesNobodyInDanger() throws Exception {
    fail(first);
    assertThat(found()).isEqualTo(new FurtherFailures(Set.of(), List.of(), Optional.empty()));
  }

  /** The manager of a NameNode that has just become the active one. */
  @Test
  void whereMissingReplicasAreNotCountedMoreDisksMayBeInDanger() throws Exception {
    Lacking notCounted = new Lacking(Set.of(), false, 0);
    assertThat(found(notCounted).gap()).as("nothing is missing").isEmpty();
    first.lstorDaemonUp = false;
    sim.steps(65);
    fail(first);
    FurtherFailures now = found(notCounted);
    assertThat(now.gap()).hasValue(FurtherFailures.Gap.REPLICAS_NOT_COUNTED);
    assertThat(now.next()).as("what is known").isEqualTo(found().next()).isNotEmpty();
  }

  @Test
  void oneDiskAndItsLstorLeaveThoseInDangerThatShareWithIt() throws Exception {
    Set<Long> both = shared(first, second);
    first.lstorDaemonUp = false;
    sim.steps(65);
    fail(first);
    FurtherFailures now = found();
    assertThat(now.now()).isEmpty();
    FurtherFailures.Next next = of(now, second);
    assertThat(next.alone()).isEmpty();
    assertThat(next.withLstor()).isEqualTo(both).hasSize(1);
  }

  @Test
  void withTwoDisksAThirdOneMustKeepItsLstor() throws Exception {
    Set<Long> all = shared(first, second, third);
    fail(first, second);
    FurtherFailures now = found();
    assertThat(now.now()).isEmpty();
    assertThat(now.next()).allSatisfy(next -> assertThat(next.alone()).isEmpty());
    assertThat(of(now, third).withLstor()).hasSize(3).isEqualTo(all);
  }

  @Test
  void withTwoDisksAndOneLstorAThirdOneIsLost() throws Exception {
    Set<Long> all = shared(first, second, third);
    first.lstorDaemonUp = false;
    sim.steps(65);
    fail(first, second);
    FurtherFailures now = found();
    assertThat(now.now()).isEmpty();
    assertThat(of(now, third).alone()).isEqualTo(all);
  }

  @Test
  void withBothLstorsGoneTheirSuperchunkIsLostNow() throws Exception {
    Set<Long> both = shared(first, second);
    first.lstorDaemonUp = false;
    second.lstorDaemonUp = false;
    sim.steps(65);
    fail(first, second);
    assertThat(found().now()).isEqualTo(both);
  }

  @Test
  void whatIsBeingRebuiltIsNotThereYet() throws Exception {
    for (int i = 0; i < 40; i++) {
      assertThat(sim.write()).isPresent();
    }
    sim.steps(3);
    Set<Long> all = shared(first, second, third);
    fail(first, second);
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    for (int i = 0; i < 50 && !isRebuilding(); i++) {
      sim.step();
    }
    assertThat(isRebuilding()).isTrue();
    assertThat(of(found(), third).withLstor()).isEqualTo(all);
    for (int i = 0;
        i < 600 && sim.manager.recovery().status().state() != RecoveryStatus.State.DONE;
        i++) {
      sim.step();
    }
    sim.steps(3);
    assertThat(found()).isEqualTo(new FurtherFailures(Set.of(), List.of(), Optional.empty()));
  }

  private boolean isRebuilding() {
    return sim.manager.recovery().status().moves().stream()
        .anyMatch(move -> move.phase() == RecoveryMove.Phase.REBUILDING);
  }
}
