/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Lacking;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlock;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.namenode.SimCluster.SimDisk;
import io.hdfsparity.raidp.namenode.SimCluster.SimFrame;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class LastReplicasTest {
  private static SimCluster cluster(Random random) throws Exception {
    SimCluster sim = new SimCluster(random, 6, 3, 2, 4);
    RecoveryRuns.layOut(sim);
    RecoveryRuns.writeBlocks(sim);
    return sim;
  }

  private static LastReplicas of(SimCluster sim, SimDisk disk) {
    ClusterView view = sim.manager.map().view();
    return LastReplicas.of(
        view,
        sim.manager.recovery().status().moves(),
        lacking(sim),
        lastBlocks(sim, disk),
        disk.id);
  }

  /** As {@link BlockRepair#lastOn} says it in a NameNode, which forgets what a dead node has. */
  private static LastBlocks lastBlocks(SimCluster sim, SimDisk disk) {
    ClusterView view = sim.manager.map().view();
    boolean isKnown = view.disks().get(disk.id).health() != FrameHealth.DEAD;
    List<LastBlock> found = new ArrayList<>();
    for (long id : sim.blocks.keySet()) {
      List<String> live = sim.blocks.get(id).stream().filter(sim::alive).toList();
      List<String> good =
          live.stream()
              .filter(s -> !sim.givenUp.contains(id + "@" + s))
              .filter(s -> isOn(sim, disk, s) || !LastReplicas.isSilentStorage(view, s))
              .toList();
      if (good.stream().allMatch(s -> isOn(sim, disk, s))) {
        Set<String> damaged = new TreeSet<>(live);
        damaged.removeIf(s -> isOn(sim, disk, s) || !sim.givenUp.contains(id + "@" + s));
        found.add(
            new LastBlock(
                id,
                live.stream()
                    .flatMap(s -> superchunksOf(sim, s, id).stream())
                    .mapToLong(each -> each)
                    .findFirst(),
                isKnown && !good.isEmpty(),
                damaged));
      }
    }
    return new LastBlocks(isKnown, found);
  }

  private static boolean isOn(SimCluster sim, SimDisk disk, String storageId) {
    return sim.framesOn(storageId).get(0).disk == disk;
  }

  /** As {@link BlockRepair#lacking} says it in a NameNode. */
  private static Set<Long> lacking(SimCluster sim) {
    Set<Long> found = new TreeSet<>();
    for (Map.Entry<Long, Set<String>> block : sim.blocks.entrySet()) {
      List<String> live = block.getValue().stream().filter(sim::alive).toList();
      if (live.size() == 1 || sim.open.contains(block.getKey())) {
        found.addAll(superchunksOf(sim, live.get(0), block.getKey()));
      }
    }
    return found;
  }

  private static List<Long> superchunksOf(SimCluster sim, String storageId, long blockId) {
    return sim.frameWith(storageId, blockId)
        .flatMap(frame -> frame.pairing)
        .map(pairing -> List.of(pairing.superchunkId()))
        .orElse(List.of());
  }

  /** By the blocks alone: those that have replicas, and none on another disk in service. */
  private static Set<Long> lastOn(SimCluster sim, SimDisk disk) {
    Set<Long> found = new TreeSet<>();
    for (Map.Entry<Long, Set<String>> block : sim.blocks.entrySet()) {
      List<String> live = block.getValue().stream().filter(sim::alive).toList();
      if (!live.isEmpty() && live.stream().allMatch(s -> sim.framesOn(s).get(0).disk == disk)) {
        found.add(block.getKey());
      }
    }
    return found;
  }

  /** Two disks with blocks in one superchunk. */
  private static List<SimDisk> pair(SimCluster sim) {
    Set<String> where = sim.blocks.values().iterator().next();
    return where.stream().sorted().map(s -> sim.framesOn(s).get(0).disk).toList();
  }

  private static Set<Long> sharedWithBlocks(SimDisk a, SimDisk b) {
    Set<Long> found = new TreeSet<>();
    for (SimFrame frame : a.frames) {
      for (SimFrame other : b.frames) {
        frame
            .pairing
            .filter(p -> !frame.rows.isEmpty() && other.isIn(p.superchunkId()))
            .ifPresent(p -> found.add(p.superchunkId()));
      }
    }
    return found;
  }

  @Test
  void aDiskOfAHealthyClusterMayFail() throws Exception {
    SimCluster sim = cluster(new Random(1));
    for (SimDisk disk : sim.disks()) {
      LastReplicas found = of(sim, disk);
      assertThat(found.superchunks()).isEmpty();
      requireNone(sim, disk);
    }
  }

  @Test
  void thePartnerOfAFailedDiskIsRefusedUntilTheSuperchunkIsRecovered() throws Exception {
    SimCluster sim = cluster(new Random(2));
    SimDisk failed = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    Set<Long> shared = sharedWithBlocks(failed, partner);
    failed.failed = true;
    sim.steps(2);
    LastReplicas found = of(sim, partner);
    assertThat(found.superchunks()).containsExactlyElementsOf(shared);
    assertThatThrownBy(() -> requireNone(sim, partner))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "Cannot fail a disk: disk=" + partner.id + ", superchunks=" + shared.iterator().next())
        .hasMessageContaining("would have to be computed from Lstors")
        .hasMessageContaining("-recover -progress")
        .hasMessageContaining("-force");
    assertThat(of(sim, failed).superchunks()).as("it has failed already").isEmpty();

    partner.lstorDaemonUp = false;
    failed.lstorDaemonUp = false;
    sim.steps(15);
    assertThatThrownBy(() -> requireNone(sim, partner))
        .hasMessageContaining("the Lstors at hand cannot compute the blocks of superchunks ");

    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    RecoveryRuns.runUntilDone(sim);
    sim.steps(10);
    assertThat(of(sim, partner).superchunks()).isEmpty();
  }

  @Test
  void aPartnerThatIsSilentCountsAsDead() throws Exception {
    SimCluster sim = cluster(new Random(3));
    SimDisk silent = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    silent.node.up = false;
    sim.steps(15);
    assertThat(sim.manager.map().view().disks().get(silent.id).health())
        .isEqualTo(FrameHealth.HELD);
    assertThat(of(sim, partner).superchunks()).containsAll(sharedWithBlocks(silent, partner));
  }

  /** Both may come back: the first one would be ordered out of service with the last replicas. */
  @Test
  void aDiskOfASilentNodeIsRefusedWhileItsPartnerIsSilentToo() throws Exception {
    SimCluster sim = cluster(new Random(6));
    SimDisk silent = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    Set<Long> shared = sharedWithBlocks(silent, partner);
    silent.node.up = false;
    sim.steps(65);
    assertThat(sim.manager.map().view().disks().get(silent.id).health())
        .isEqualTo(FrameHealth.DEAD);
    assertThat(mayHaveAny(sim, silent)).as("it may come back").isTrue();
    assertThat(of(sim, silent).superchunks()).as("its partners are in service").isEmpty();

    partner.node.up = false;
    sim.steps(65);
    assertThat(of(sim, silent).superchunks()).containsAll(shared);
    assertThatThrownBy(() -> requireNone(sim, silent))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Cannot fail a disk: disk=" + silent.id + ", superchunks=")
        .hasMessageContaining("start the DataNode")
        .hasMessageContaining("-force");

    sim.restartManager();
    sim.steps(65);
    assertThat(mayHaveAny(sim, silent)).as("known from its Lstor only").isTrue();
    assertThat(of(sim, silent).superchunks()).as("after a failover").containsAll(shared);

    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    RecoveryRuns.runUntilDone(sim);
    sim.steps(10);
    assertThat(of(sim, silent).superchunks()).as("recovered").isEmpty();
  }

  /** As many rows on both sides say nothing of a replica that somebody has called damaged. */
  @Test
  void aSilentDiskIsRefusedWhileItsPartnerHasADamagedReplica() throws Exception {
    SimCluster sim = cluster(new Random(9));
    SimDisk silent = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    Set<Long> shared = sharedWithBlocks(silent, partner);
    SimFrame damaged =
        partner.frames.stream()
            .filter(f -> f.pairing.filter(p -> shared.contains(p.superchunkId())).isPresent())
            .findFirst()
            .orElseThrow();
    long block = damaged.rows.keySet().iterator().next();
    silent.node.up = false;
    sim.steps(65);
    assertThat(of(sim, silent).superchunks()).as("its partners are in service").isEmpty();

    sim.givenUp.add(block + "@" + damaged.storageId);
    assertThat(of(sim, silent).superchunks()).containsExactlyElementsOf(shared);
    assertThatThrownBy(() -> requireNone(sim, silent))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "Cannot fail a disk: disk=" + silent.id + ", superchunks=" + shared.iterator().next())
        .hasMessageContaining("start the DataNode")
        .hasMessageContaining("blocks=" + block + " have no good replica elsewhere")
        .hasMessageContaining("repeat the command until it passes")
        .hasMessageContaining("hdfs fsck -blockId blk_" + block + " shows")
        .hasMessageContaining("-force");

    sim.blocks.get(block).add(aDiskWithout(sim, silent, partner));
    assertThat(of(sim, silent).superchunks()).as("a good plain replica elsewhere").isEmpty();
    sim.givenUp.clear();
    assertThat(of(sim, silent).superchunks()).as("healed").isEmpty();
  }

  private static String aDiskWithout(SimCluster sim, SimDisk a, SimDisk b) {
    return sim.disks().stream()
        .filter(d -> d.node != a.node && d.node != b.node)
        .findFirst()
        .orElseThrow()
        .frames
        .get(0)
        .storageId;
  }

  /** More rows of other blocks on the other side do not make up for a damaged one. */
  @Test
  void aDiskInServiceIsRefusedWhileItsPartnerHasADamagedReplica() throws Exception {
    SimCluster sim = cluster(new Random(10));
    sim.copies = false;
    SimDisk disk = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    Set<Long> shared = sharedWithBlocks(disk, partner);
    SimFrame damaged =
        partner.frames.stream()
            .filter(f -> f.pairing.filter(p -> shared.contains(p.superchunkId())).isPresent())
            .findFirst()
            .orElseThrow();
    long block = damaged.rows.keySet().iterator().next();
    sim.givenUp.add(block + "@" + damaged.storageId);
    long beside = sim.nextBlock++;
    damaged.put(beside);
    sim.blocks.put(beside, new TreeSet<>(Set.of(damaged.storageId)));
    sim.steps(2);
    assertThat(of(sim, disk).superchunks()).containsAll(shared);
    assertThatThrownBy(() -> requireNone(sim, disk))
        .hasMessageContaining("-recover -progress")
        .hasMessageContaining("blocks=" + block + " have no good replica elsewhere");
  }

  /** A file that is open may ask for three replicas; its blocks lack none of their superchunk. */
  @Test
  void aDiskMayFailWhenFilesOnlyAskForMoreReplicasThanASuperchunkHas() throws Exception {
    SimCluster sim = cluster(new Random(11));
    sim.open.add(sim.blocks.keySet().iterator().next());
    assertThat(lacking(sim)).isNotEmpty();
    assertThat(of(sim, pair(sim).get(0)).superchunks()).isEmpty();
    requireNone(sim, pair(sim).get(0));
  }

  /** HDFS deletes a replica of an older generation at once, and leaves no mark. */
  @Test
  void aDiskIsRefusedWhileItsPartnerHasLostOneBlockAndHasMoreOfOthers() throws Exception {
    SimCluster sim = cluster(new Random(12));
    sim.copies = false;
    SimDisk disk = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    Set<Long> shared = sharedWithBlocks(disk, partner);
    SimFrame side =
        partner.frames.stream()
            .filter(f -> f.pairing.filter(p -> shared.contains(p.superchunkId())).isPresent())
            .findFirst()
            .orElseThrow();
    long lost = side.rows.keySet().iterator().next();
    side.rows.remove(lost);
    sim.blocks.get(lost).remove(side.storageId);
    for (int i = 0; i < 2; i++) {
      long beside = sim.nextBlock++;
      side.put(beside);
      sim.blocks.put(beside, new TreeSet<>(Set.of(side.storageId)));
    }
    sim.steps(2);
    assertThat(lastOn(sim, disk)).containsExactly(lost);
    assertThat(of(sim, disk).superchunks()).containsExactlyElementsOf(shared);
    assertThatThrownBy(() -> requireNone(sim, disk))
        .hasMessageContaining("these blocks would have to be computed from Lstors")
        .hasMessageContaining("blocks=" + lost + " have no good replica elsewhere");
    disk.lstorDaemonUp = false;
    partner.lstorDaemonUp = false;
    sim.steps(15);
    assertThatThrownBy(() -> requireNone(sim, disk))
        .as("the partner's side has not all blocks")
        .hasMessageContaining("the Lstors at hand cannot compute the blocks of superchunks ");
  }

  @Test
  void aFrameThatTheSuperchunkHasLeftBehindIsNotGivenUpWithoutAHolder() throws Exception {
    SimCluster sim = cluster(new Random(7));
    SimDisk silent = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    Set<Long> shared = sharedWithBlocks(silent, partner);
    silent.node.up = false;
    partner.node.up = false;
    sim.steps(65);
    sim.copies = false;
    sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
    sim.steps(2);
    assertThat(sim.manager.recovery().status().moves()).isNotEmpty();
    assertThat(of(sim, silent).superchunks()).as("being rebuilt").containsAll(shared);
  }

  @Test
  void aSilentDiskThatWasDeclaredFailedIsInServiceAgainOnceThatIsTakenBack() throws Exception {
    SimCluster sim = cluster(new Random(8));
    SimDisk silent = pair(sim).get(0);
    SimDisk partner = pair(sim).get(1);
    silent.node.up = false;
    partner.node.up = false;
    sim.steps(65);
    sim.manager.map().declareFailed(silent.id);
    assertThat(mayHaveAny(sim, silent)).as("declared before").isFalse();
    assertThat(sim.manager.map().withdrawFailed(silent.id)).isTrue();
    assertThat(of(sim, silent).superchunks()).isNotEmpty();
    sim.restartNode(silent.node);
    sim.restartNode(partner.node);
    sim.steps(5);
    assertThat(silent.failed).isFalse();
    assertThat(sim.manager.map().view().disks().get(silent.id).health())
        .isEqualTo(FrameHealth.USABLE);
    assertThat(sim.manager.map().view().count(SuperchunkState.LOST)).isZero();
    assertThat(sim.misplaced()).isEmpty();
  }

  @Test
  void whatIsNotKnownIsRefusedWithTheReason() throws Exception {
    SimCluster sim = cluster(new Random(4));
    SimDisk disk = sim.disks().get(0);
    DiskView known = sim.manager.map().view().disks().get(disk.id);
    LastReplicas.requireKnown(known, new Lacking(Set.of(7L), true, 0), ids -> true);
    LastReplicas.requireKnown(known, new Lacking(Set.of(), true, 3), ids -> false);
    assertThatThrownBy(
            () ->
                LastReplicas.requireKnown(
                    known, new Lacking(Set.of(), true, 3), known.storageIds()::equals))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(
            "disk=" + disk.id + ", blocks of unknown superchunks=3, expected none")
        .hasMessageContaining("-status")
        .hasMessageContaining("-force");
    assertThatThrownBy(
            () -> LastReplicas.requireKnown(known, new Lacking(Set.of(), false, 3), ids -> false))
        .hasMessageContaining("replicas=not counted yet")
        .hasMessageContaining("-force");
  }

  /** After a failover it is to be declared failed again. */
  @Test
  void aDiskThatIsOutOfServiceHasNone() throws Exception {
    SimCluster sim = cluster(new Random(5));
    SimDisk disk = sim.disks().get(0);
    assertThat(mayHaveAny(sim, disk)).isTrue();
    disk.failed = true;
    sim.steps(2);
    assertThat(mayHaveAny(sim, disk)).isFalse();
    sim.restartManager();
    sim.reports.reportLstor(sim.lstorReport(disk));
    assertThat(mayHaveAny(sim, disk)).as("its node has not reported yet").isTrue();
    sim.steps(2);
    assertThat(mayHaveAny(sim, disk)).isFalse();
  }

  private static boolean mayHaveAny(SimCluster sim, SimDisk disk) {
    ClusterView view = sim.manager.map().view();
    return LastReplicas.whyUnchecked(view, view.disks().get(disk.id)).isEmpty();
  }

  private static void requireNone(SimCluster sim, SimDisk disk) throws IOException {
    ClusterView view = sim.manager.map().view();
    of(sim, disk).requireNone(view, view.disks().get(disk.id));
  }

  /** What is not refused takes no last replica, at any moment of failures and recoveries. */
  @Test
  void noLastReplicaGoesWithADiskThatMayFail() {
    SeededRuns.of(6).check(LastReplicasTest::compareWithBlocks);
  }

  private static void compareWithBlocks(Random random) throws Exception {
    SimCluster sim = cluster(random);
    int refused = 0;
    int passed = 0;
    for (int step = 0; step < 95; step++) {
      if (step % 30 == 5) {
        List<SimDisk> live = sim.disks().stream().filter(SimDisk::alive).toList();
        SimDisk fails = live.get(random.nextInt(live.size()));
        fails.failed = true;
        // Before any other node: the manager answers those by what it knows.
        sim.reportNode(fails.node);
      }
      if (step % 30 == 9 && random.nextBoolean()) {
        sim.manager.recovery().recover(RecoverRequest.configured(), sim.nowMs);
      }
      sim.step();
      for (SimDisk disk : sim.disks()) {
        // A manager that has not seen a failure yet has nothing to refuse.
        if (disk.alive() && step % 30 > 7) {
          Set<Long> last = lastOn(sim, disk);
          TreeSet<Long> named = of(sim, disk).superchunks();
          List<Long> missed = new ArrayList<>();
          for (long block : last) {
            String storageId =
                sim.blocks.get(block).stream().filter(sim::alive).findFirst().orElseThrow();
            List<Long> in = superchunksOf(sim, storageId, block);
            if (!named.containsAll(in)) {
              missed.add(block);
            }
          }
          assertThat(missed).as("step %d disk %s refused %s", step, disk.id, named).isEmpty();
          refused += named.isEmpty() ? 0 : 1;
          passed += named.isEmpty() ? 1 : 0;
        }
      }
    }
    assertThat(refused).isPositive();
    assertThat(passed).isPositive();
  }
}
