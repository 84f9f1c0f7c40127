/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.adoption.AdoptableFile.Trait;
import io.hdfsparity.raidp.adoption.SimAdoption.SimFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is lowered before its blocks are covered; what can be adopted is, in the end. */
class AdoptionTest {
  private static final AdoptionLimits LIMITS =
      new AdoptionLimits(40, 12, 12 * SimAdoption.UNIT, 50, 4, 0);
  private final Random random = new Random(5);
  private long nowMs = 1_000_000;

  private Adoption run(SimAdoption sim, AdoptionGoal goal, AdoptionLimits limits) {
    return new Adoption(sim.source(), sim, goal, limits, SimAdoption.UNIT);
  }

  private SimAdoption sim(int storages, int shared, int files) {
    SimAdoption sim = new SimAdoption(random, storages, shared);
    for (int i = 0; i < files; i++) {
      sim.addFile(random.nextInt(6));
    }
    return sim;
  }

  private void round(Adoption run, SimAdoption sim) {
    run.round(nowMs);
    assertThat(sim.wrong).isEmpty();
    assertThat(run.progress().inFlight().count()).isBetween(0L, 12L);
    assertThat(run.progress().inFlight().bytes()).isBetween(0L, 16 * SimAdoption.UNIT);
    sim.pass();
    nowMs += 1_000;
  }

  private AdoptionProgress finish(Adoption run, SimAdoption sim) {
    for (int i = 0; i < 2_000 && !run.progress().over(); i++) {
      round(run, sim);
    }
    assertThat(run.progress().over()).isTrue();
    assertThat(run.progress().inFlight()).isEqualTo(new Tally(0, 0));
    return run.progress();
  }

  private static long count(AdoptionProgress progress, FileOutcome outcome) {
    return progress.files().getOrDefault(outcome, Tally.NONE).count();
  }

  @Test
  void aCalmClusterIsAdoptedWhole() {
    SimAdoption sim = sim(6, 6, 100);
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(count(progress, FileOutcome.COVERED)).isEqualTo(100);
    assertThat(sim.files.values()).allMatch(file -> file.blocks.isEmpty() || file.replication == 2);
    assertThat(progress.blocks()).containsOnlyKeys(BlockState.COVERED);
    assertThat(progress.newlyCovered()).isEqualTo(progress.blocks().get(BlockState.COVERED));
    int covers = sim.covers;
    AdoptionProgress again = finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(count(again, FileOutcome.COVERED)).isEqualTo(100);
    assertThat(sim.covers).isEqualTo(covers);
  }

  @Test
  void withEventsLostCallsAndCrashesNothingIsLoweredTooEarlyAndAllIsAdoptedInTheEnd() {
    SeededRuns.of(40).check(this::aWorld);
  }

  private void aWorld(Random random) {
    SimAdoption sim = new SimAdoption(random, 6, 4 + random.nextInt(3));
    sim.ring = random.nextBoolean();
    for (int i = 0; i < 30; i++) {
      sim.addFile(random.nextInt(6));
    }
    Adoption run = run(sim, AdoptionGoal.ADOPT, LIMITS);
    for (int i = 0; i < 150; i++) {
      if (random.nextInt(3) > 0) {
        sim.happen();
      }
      if (run.progress().over() || random.nextInt(40) == 0) {
        run = run(sim, AdoptionGoal.ADOPT, LIMITS);
      }
      round(run, sim);
    }
    sim.calm();
    finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    List<SimFile> left = new ArrayList<>();
    for (SimFile file : sim.files.values()) {
      boolean isDone = file.blocks.isEmpty() || file.replication == 2;
      if (sim.isAdoptable(file) && !isDone) {
        left.add(file);
      }
      if (!file.deleted && file.replication == 2) {
        assertThat(file.blocks).allMatch(sim::isSettled);
      }
    }
    assertThat(left).isEmpty();
  }

  @Test
  void aSurveyChangesNothing() {
    SimAdoption sim = sim(6, 3, 60);
    AdoptionProgress before = finish(run(sim, AdoptionGoal.SURVEY, LIMITS), sim);
    assertThat(sim.covers).isZero();
    assertThat(count(before, FileOutcome.PLAIN)).isPositive();
    assertThat(count(before, FileOutcome.NEEDS_COPY)).isPositive();
    assertThat(count(before, FileOutcome.NO_SUPERCHUNK)).isPositive();
    assertThat(sim.begun).isZero();
    finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    AdoptionProgress after = finish(run(sim, AdoptionGoal.SURVEY, LIMITS), sim);
    assertThat(count(after, FileOutcome.PLAIN)).isZero();
    assertThat(count(after, FileOutcome.NEEDS_COPY)).isZero();
    assertThat(count(after, FileOutcome.NO_SUPERCHUNK))
        .isEqualTo(count(before, FileOutcome.NO_SUPERCHUNK));
    assertThat(after.done()).isEqualTo(before.done());
    assertThat(after.sizes().stream().mapToLong(Tally::count).sum())
        .isEqualTo(after.blocks().values().stream().mapToLong(Tally::count).sum());
  }

  @ParameterizedTest
  @EnumSource(
      value = FileOutcome.class,
      names = {
        "NO_ROOM",
        "NO_SUPERCHUNK",
        "NOT_PROTECTED",
        "HELD_BY_SNAPSHOT",
        "ONE_REPLICA",
        "OPEN"
      })
  void whatCannotBeAdoptedIsLeftAndCounted(FileOutcome outcome) {
    SimAdoption sim = new SimAdoption(random, 6, outcome == FileOutcome.NO_SUPERCHUNK ? 0 : 6);
    sim.addFile(3);
    SimFile file = sim.files.get(1L);
    switch (outcome) {
      case NO_ROOM -> sim.fill(0);
      case NOT_PROTECTED -> file.isProtected = false;
      case HELD_BY_SNAPSHOT -> file.held = true;
      case ONE_REPLICA -> file.replication = 1;
      case OPEN -> file.open = true;
      default -> {}
    }
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(progress.files()).containsOnlyKeys(outcome);
    assertThat(sim.covers).isZero();
    assertThat(sim.lowered).isZero();
  }

  @Test
  void aNodeThatStaysAwayIsNamedAndARunAfterItsReturnAdopts() {
    SimAdoption sim = new SimAdoption(random, 3, 3);
    sim.addFile(1);
    sim.away.add("s0");
    sim.away.add("s1");
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(progress.files()).containsOnlyKeys(FileOutcome.NODE_REFUSES);
    assertThat(sim.lowered).isZero();
    sim.away.clear();
    finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(sim.lowered).isEqualTo(1);
  }

  /** Its first blocks were covered long before the last one: all are asked again. */
  @Test
  void aLongFileIsAskedAgainBeforeItIsLowered() {
    SimAdoption sim = new SimAdoption(random, 3, 3);
    sim.addFile(60);
    Adoption run = run(sim, AdoptionGoal.ADOPT, LIMITS);
    SimFile file = sim.files.get(1L);
    for (int i = 0; i < 2_000 && !sim.isSettled(file.blocks.get(0)); i++) {
      round(run, sim);
    }
    for (int i = 0; i < 2_000 && !sim.isSettled(file.blocks.get(55)); i++) {
      round(run, sim);
    }
    // A disk is lost and replaced: what was settled is not any more.
    sim.rows.get("s0").remove(file.blocks.get(0).id);
    sim.rows.get("s1").remove(file.blocks.get(0).id);
    sim.rows.get("s2").remove(file.blocks.get(0).id);
    finish(run, sim);
    assertThat(sim.lowered).isEqualTo(1);
  }

  /**
   * As in a layout with few superchunks a disk: most blocks have no two replicas that share one.
   */
  @Test
  void whereDisksShareFewSuperchunksEachBlockIsCopiedOnceAtMost() {
    SimAdoption sim = sim(8, 8, 60);
    sim.ring = true;
    AdoptionProgress before = finish(run(sim, AdoptionGoal.SURVEY, LIMITS), sim);
    Tally needing = before.blocks().get(BlockState.NEEDS_COPY);
    assertThat(needing.count()).isPositive();
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(count(progress, FileOutcome.COVERED)).isEqualTo(60);
    assertThat(progress.copied()).isEqualTo(needing);
    assertThat(sim.begun).isEqualTo((int) needing.count());
    assertThat(sim.maxUnderWay).isBetween(1, LIMITS.copies());
    assertThat(sim.files.values())
        .allMatch(
            file -> file.blocks.stream().allMatch(b -> sim.isSettled(b) && b.replicas.size() == 2));
  }

  /** No replica arrives: nothing is lowered, and the next run copies. */
  @Test
  void copiesThatFailAreTriedAgainButNotForEver() {
    SimAdoption sim = new SimAdoption(random, 6, 6);
    sim.ring = true;
    sim.addFile(1);
    SimFile file = sim.files.get(1L);
    file.blocks.get(0).replicas.clear();
    file.blocks.get(0).replicas.addAll(List.of("s0", "s2", "s4"));
    sim.failing = 1;
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(progress.files()).containsOnlyKeys(FileOutcome.NODE_REFUSES);
    assertThat(sim.reported).as("one side has its row").containsExactly(1L);
    assertThat(progress.copied().count()).isEqualTo(sim.begun).isBetween(4L, 20L);
    assertThat(sim.lowered).isZero();
    assertThat(file.blocks.get(0).replicas).hasSize(3);
    sim.failing = 0;
    finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(sim.lowered).isEqualTo(1);
    assertThat(file.blocks.get(0).replicas).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aBlockThatIsDeletedOrAppendedDuringItsCopyIsLeft(boolean deleted) {
    SimAdoption sim = new SimAdoption(random, 6, 6);
    sim.ring = true;
    sim.addFile(1);
    SimFile file = sim.files.get(1L);
    file.blocks.get(0).replicas.clear();
    file.blocks.get(0).replicas.addAll(List.of("s0", "s2", "s4"));
    sim.arriving = 0;
    Adoption run = run(sim, AdoptionGoal.ADOPT, LIMITS);
    for (int i = 0; i < 100 && !sim.isCopying(1); i++) {
      round(run, sim);
    }
    assertThat(sim.isCopying(1)).isTrue();
    file.deleted = deleted;
    file.open = !deleted;
    file.blocks.get(0).stamp++;
    AdoptionProgress progress = finish(run, sim);
    assertThat(progress.files()).containsOnlyKeys(deleted ? FileOutcome.GONE : FileOutcome.OPEN);
    assertThat(sim.lowered).isZero();
    assertThat(sim.reported).as("one side has its row").containsExactly(1L);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4})
  void copiesTakeFromTheSameThrottle(long mebibytesPerSecond) {
    SimAdoption sim = sim(8, 8, 30);
    sim.ring = true;
    AdoptionLimits limits =
        new AdoptionLimits(40, 12, 12 * SimAdoption.UNIT, 50, 4, mebibytesPerSecond << 20);
    long beganMs = nowMs;
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, limits), sim);
    long seconds = (nowMs - beganMs) / 1_000;
    assertThat(progress.copied().bytes()).isPositive();
    assertThat(progress.newlyCovered().bytes() + progress.copied().bytes())
        .isLessThanOrEqualTo((seconds + 2) * (mebibytesPerSecond << 20) + 3 * SimAdoption.UNIT);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 4})
  void theThrottleHolds(long mebibytesPerSecond) {
    SimAdoption sim = sim(6, 6, 60);
    AdoptionLimits limits =
        new AdoptionLimits(40, 12, 12 * SimAdoption.UNIT, 50, 4, mebibytesPerSecond << 20);
    long beganMs = nowMs;
    AdoptionProgress progress = finish(run(sim, AdoptionGoal.ADOPT, limits), sim);
    long seconds = (nowMs - beganMs) / 1_000;
    // Saved up: two seconds; a debt: one block of three units.
    assertThat(progress.newlyCovered().bytes())
        .isLessThanOrEqualTo((seconds + 2) * (mebibytesPerSecond << 20) + 3 * SimAdoption.UNIT);
    assertThat(count(progress, FileOutcome.COVERED)).isEqualTo(60);
  }

  @Test
  void fewFilesAreInMemory() {
    SimAdoption sim = sim(6, 6, 500);
    int[] held = {0};
    FileSource source = sim.source();
    FileSource counting =
        new FileSource() {
          @Override
          public List<AdoptableFile> next(int maxBlocks) {
            List<AdoptableFile> next = source.next(maxBlocks);
            held[0] += next.stream().mapToInt(file -> file.blocks().size()).sum();
            return next;
          }

          @Override
          public boolean isOver() {
            return source.isOver();
          }

          @Override
          public Totals count() {
            return source.count();
          }

          @Override
          public java.util.Optional<AdoptableFile> look(long inodeId) {
            return source.look(inodeId);
          }
        };
    Adoption run = new Adoption(counting, sim, AdoptionGoal.ADOPT, LIMITS, SimAdoption.UNIT);
    round(run, sim);
    assertThat(held[0]).isBetween(1, 40 + 6);
    finish(run, sim);
  }

  @Test
  void blocksAreCountedBySize() {
    BlockSizes sizes = new BlockSizes(1600);
    for (long length : new long[] {0, 99, 100, 399, 400, 799, 800, 1599, 1600, 1 << 30}) {
      sizes.add(length);
    }
    assertThat(sizes.classes()).extracting(Tally::count).containsExactly(2L, 2L, 2L, 2L, 2L);
    assertThat(BlockSizes.NAMES).hasSameSizeAs(sizes.classes());
  }

  @Test
  void traitsHaveOutcomes() {
    for (Trait trait : Trait.values()) {
      if (trait != Trait.PROTECTED) {
        assertThat(FileOutcome.valueOf(trait.name()).name()).isEqualTo(trait.name());
      }
    }
  }

  /** All is covered, but the first answer of a round is old when the last one comes. */
  @Test
  void nothingIsLoweredByAnswersThatAreOld() {
    SimAdoption sim = sim(6, 6, 40);
    for (int i = 0; i < 60; i++) {
      sim.asked = () -> nowMs += Adoption.FRESH_MS;
      Adoption run = run(sim, AdoptionGoal.ADOPT, LIMITS);
      for (int j = 0; j < 4; j++) {
        run.round(() -> nowMs);
        sim.pass();
      }
    }
    assertThat(sim.covers).isPositive();
    assertThat(sim.lowered).isZero();
    sim.asked = () -> {};
    finish(run(sim, AdoptionGoal.ADOPT, LIMITS), sim);
    assertThat(sim.lowered).isPositive();
  }
}
