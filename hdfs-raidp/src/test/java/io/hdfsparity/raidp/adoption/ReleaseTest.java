/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Releases of a cluster in memory, which judges each side that releases a block. */
class ReleaseTest {
  private static final int SECONDS = 5_000;
  private final SimRelease sim = new SimRelease(new Random(1));

  private static Release release(SimRelease sim, int replication) {
    return new Release(
        sim.source(),
        sim,
        replication,
        new AdoptionLimits(40, 10, Long.MAX_VALUE, 100, 10, 0),
        1 << 20);
  }

  private AdoptionProgress run(Release release) {
    return run(sim, release);
  }

  private static AdoptionProgress run(SimRelease sim, Release release) {
    for (int second = 0; second < SECONDS && !release.progress().over(); second++) {
      release.round(sim::nowMs);
      sim.pass(1_000);
      assertThat(sim.wrong).isEmpty();
    }
    assertThat(release.progress().over()).isTrue();
    return release.progress();
  }

  private static Map<FileOutcome, Long> files(AdoptionProgress progress) {
    Map<FileOutcome, Long> counts = new java.util.EnumMap<>(FileOutcome.class);
    progress.files().forEach((outcome, tally) -> counts.put(outcome, tally.count()));
    return counts;
  }

  @Test
  void eachCoveredFileGetsItsThirdReplicaAndThenNoRowIsLeft() {
    for (int i = 0; i < 30; i++) {
      sim.addFile(3);
    }
    SimRelease.SimFile plain = sim.addPlainFile(2);
    AdoptionProgress progress = run(release(sim, 3));
    assertThat(files(progress)).isEqualTo(Map.of(FileOutcome.RELEASED, 30L, FileOutcome.PLAIN, 1L));
    assertThat(progress.newlyCovered().count()).isEqualTo(90);
    assertThat(progress.inFlight()).isEqualTo(Tally.NONE);
    assertThat(sim.rowCount()).isZero();
    assertThat(sim.files.values()).allMatch(file -> file == plain || file.replication == 3);
    assertThat(plain.replication).as("a plain file is left alone").isEqualTo(2);
    assertThat(sim.released).hasSize(92);
  }

  @Test
  void moreReplicasMayBeAskedForAndAFileWithMoreKeepsThem() {
    SimRelease.SimFile two = sim.addFile(2);
    SimRelease.SimFile five = sim.addFile(2);
    five.replication = 5;
    run(release(sim, 4));
    assertThat(two.replication).isEqualTo(4);
    assertThat(five.replication).isEqualTo(5);
    assertThat(sim.rowCount()).isZero();
  }

  @Test
  void whatMustStayCoveredIsNamed() {
    sim.addFile(1).isProtected = true;
    sim.addFile(1).raising = ReleaseCluster.Raising.FEWER_IN_SNAPSHOT;
    sim.addFile(1).raising = ReleaseCluster.Raising.NO_QUOTA;
    sim.addFile(1).open = true;
    AdoptionProgress progress = run(release(sim, 3));
    assertThat(files(progress))
        .isEqualTo(
            Map.of(
                FileOutcome.PROTECTED, 1L,
                FileOutcome.FEWER_IN_SNAPSHOT, 1L,
                FileOutcome.NO_QUOTA, 1L,
                FileOutcome.OPEN, 1L));
    assertThat(sim.orders).isZero();
    assertThat(sim.rowCount()).isEqualTo(8);
  }

  @Test
  void aFileThatWantsOneReplicaGetsNoMore() {
    SimRelease.SimFile one = sim.addFile(1);
    one.replication = 1;
    run(release(sim, 3));
    assertThat(one.replication).isEqualTo(1);
    assertThat(sim.rowCount()).isZero();
  }

  @Test
  void withoutReplicasFullReportsOrNodesNothingIsGivenUp() {
    sim.copies = false;
    sim.addFile(2);
    assertThat(files(run(release(sim, 3)))).containsOnlyKeys(FileOutcome.LACKS_REPLICAS);
    assertThat(sim.orders).isZero();

    SimRelease stale = new SimRelease(new Random(2));
    stale.addFile(2).stale = true;
    assertThat(files(run(stale, release(stale, 3)))).containsOnlyKeys(FileOutcome.STALE_REPORTS);
    assertThat(stale.orders).isZero();

    SimRelease away = new SimRelease(new Random(3));
    SimRelease.SimFile file = away.addFile(1);
    away.away.add(file.blocks.get(0).near);
    assertThat(files(run(away, release(away, 3)))).containsOnlyKeys(FileOutcome.NODE_REFUSES);
    assertThat(away.orders).isZero();
  }

  /** HDFS lists no storage of a block whose nodes are dead: nobody is asked for its rows. */
  @Test
  void whatNobodyCanBeAskedOfIsNotCalledPlain() {
    SimRelease.SimFile lost = sim.addFile(2);
    lost.blocks.forEach(block -> block.replicas.clear());
    SimRelease.SimFile half = sim.addFile(2);
    half.blocks.get(1).replicas.clear();
    sim.copies = false;
    assertThat(files(run(release(sim, 3)))).isEqualTo(Map.of(FileOutcome.LACKS_REPLICAS, 2L));
    assertThat(sim.released).isEmpty();
    assertThat(sim.rowCount()).isEqualTo(8);
  }

  /** What is not over in a minute is covered again; another run finds it so and ends it. */
  @Test
  void anotherRunFinishesWhatOneHasLeft() {
    for (int i = 0; i < 10; i++) {
      sim.addFile(2);
    }
    for (int rounds = 1; rounds < 12; rounds++) {
      Release cut = release(sim, 3);
      for (int i = 0; i < rounds; i++) {
        cut.round(sim::nowMs);
        sim.pass(1_000);
      }
      sim.pass(SimRelease.LEAVING_MS + 1_000);
      sim.pass(1_000);
      assertThat(sim.halfCovered()).as("after %d rounds", rounds).isEmpty();
    }
    run(release(sim, 3));
    assertThat(sim.rowCount()).isZero();
  }

  /** A node that answers late must not let an old look count. */
  @Test
  void whatWasSeenLongAgoIsLookedAtAgain() {
    sim.addFile(2);
    sim.askingMs = 7_000;
    run(release(sim, 3));
    assertThat(sim.rowCount()).isZero();
    assertThat(sim.oldestLookMs).isLessThanOrEqualTo(Release.FRESH_MS);
  }

  @Test
  void whateverHappensNoBlockIsLeftWithTooLittle() {
    SeededRuns.of(60).check(this::aWorld);
  }

  private void aWorld(Random random) {
    SimRelease world = new SimRelease(random);
    for (int i = 0; i < 12; i++) {
      world.addFile(1 + random.nextInt(3));
    }
    Release release = release(world, 3);
    for (int second = 0; second < 400; second++) {
      if (random.nextInt(3) == 0) {
        world.happen();
      }
      if (random.nextInt(100) == 0) {
        release = release(world, 3); // A failover.
      }
      release.round(world::nowMs);
      world.pass(1_000);
      assertThat(world.wrong).isEmpty();
    }
    world.calm();
    world.pass(SimRelease.LEAVING_MS + 1_000);
    run(world, release(world, 3));
    assertThat(world.rowCount()).isZero();
  }
}
