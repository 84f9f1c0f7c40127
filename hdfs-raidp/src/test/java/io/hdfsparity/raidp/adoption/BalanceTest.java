/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.raidp.adoption.BalanceProgress.Outcome;
import io.hdfsparity.raidp.adoption.SimBalance.SimBlock;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BalanceTest {
  private static final int OLD_DISKS = 6;
  private static final int DISKS = 9;

  private long nowMs;

  private SimBalance grown(Random random, int blocks) {
    SimBalance sim = new SimBalance(random, DISKS);
    sim.clockMs = () -> nowMs;
    for (long id = 1; id <= blocks; id++) {
      sim.write(id, OLD_DISKS);
    }
    return sim;
  }

  private BalanceProgress run(SimBalance sim, Balance balance, int rounds) {
    for (int i = 0; i < rounds && !balance.progress().outcome().isOver(); i++) {
      nowMs += 1_000;
      sim.step();
      sim.renewed.clear();
      balance.round(() -> nowMs);
    }
    return balance.progress();
  }

  private static void assertWhole(SimBalance sim) {
    assertThat(sim.wrongs).isEmpty();
    assertThat(sim.moving).as("HDFS may look at all again").isEmpty();
    for (SimBlock block : sim.blocks.values()) {
      assertThat(block.rows.keySet())
          .as("block " + block.id)
          .containsExactlyInAnyOrderElementsOf(sim.home.get(block.id).sides());
    }
  }

  private void settle(SimBalance sim) {
    for (int i = 0; i < 60; i++) {
      sim.step();
    }
  }

  @Test
  void newDisksGetTheirShare() {
    SeededRuns.of(5)
        .check(
            random -> {
              SimBalance sim = grown(random, 800);
              Balance balance = new Balance(sim, 3, 0);
              BalanceProgress end = run(sim, balance, 1_000);
              assertThat(end.outcome()).as(end.toString()).isEqualTo(Outcome.BALANCED);
              assertThat(end.counts().moved().count()).isPositive();
              assertThat(end.counts().copied().bytes()).isEqualTo(sim.copiedBytes);
              assertThat(end.counts().copied().count()).isEqualTo(2 * end.counts().moved().count());
              assertThat(2 * end.counts().moved().bytes())
                  .as("whole units")
                  .isGreaterThan(sim.copiedBytes);
              assertThat(end.counts().moved().bytes() % SimBalance.UNIT).isZero();
              assertThat(end.before().lowestPercent()).isZero();
              assertThat(end.now().lowestPercent()).isGreaterThan(end.now().meanPercent() - 3);
              assertThat(end.etaMs()).isZero();
              assertWhole(sim);
            });
  }

  /** A promise of room lasts for a minute, and copies may take longer. */
  @Test
  void roomIsKeptAsLongAsBlocksAreOnTheirWay() {
    SimBalance sim = grown(new Random(4), 400);
    Balance balance = new Balance(sim, 3, 0);
    run(sim, balance, 2);
    for (int i = 0; i < 90; i++) {
      nowMs += 1_000;
      sim.renewed.clear();
      balance.round(() -> nowMs);
      assertThat(sim.renewed).isNotEmpty().isEqualTo(sim.toCome());
    }
    assertThat(run(sim, balance, 1_000).outcome()).isEqualTo(Outcome.BALANCED);
    assertWhole(sim);
  }

  /** Nodes and copies fail, blocks change and go; at no moment is a block whole nowhere. */
  @Test
  void everyBlockIsWholeWhateverFails() {
    SeededRuns.of(10)
        .check(
            random -> {
              SimBalance sim = grown(random, 600);
              sim.failing = true;
              Balance balance = new Balance(sim, 3, 0);
              for (int i = 0; i < 300 && !balance.progress().outcome().isOver(); i++) {
                run(sim, balance, 1);
                long id = 1 + random.nextInt(600);
                switch (random.nextInt(8)) {
                  case 0 -> sim.blocks.remove(id);
                  case 1 -> sim.blocks.computeIfPresent(id, (key, block) -> appended(block));
                  case 2 -> sim.blocks.computeIfPresent(id, (key, block) -> reopened(block));
                  default -> {}
                }
                assertThat(sim.wrongs).isEmpty();
              }
              assertThat(balance.progress().counts().moved().count()).isPositive();
              balance.stop();
              sim.moving.keySet().removeIf(id -> !sim.blocks.containsKey(id));
              settle(sim);
              assertWhole(sim);
            });
  }

  private static SimBlock appended(SimBlock block) {
    block.stamp++;
    block.bytes += 100;
    return block;
  }

  private static SimBlock reopened(SimBlock block) {
    block.settled = !block.settled;
    return block;
  }

  /** A run that is gone leaves blocks with up to four replicas; the next one goes on. */
  @Test
  void anotherRunGoesOnWhereOneIsGone() {
    SeededRuns.of(5)
        .check(
            random -> {
              SimBalance sim = grown(random, 500);
              Balance first = new Balance(sim, 3, 0);
              run(sim, first, 3 + random.nextInt(12));
              assertThat(first.progress().outcome()).isEqualTo(Outcome.RUNNING);
              sim.moving.clear(); // As after a failover.
              settle(sim);
              assertWhole(sim);
              BalanceProgress end = run(sim, new Balance(sim, 3, 0), 1_000);
              assertThat(end.outcome()).as(end.toString()).isEqualTo(Outcome.BALANCED);
              assertWhole(sim);
            });
  }

  /** The copy of a run that is gone comes to the same disk, and into another superchunk. */
  @Test
  void aBlockThatCameIntoAnotherSuperchunkIsLeftAtOnce() {
    SimBalance sim = grown(new Random(13), 300);
    Balance balance = new Balance(sim, 3, 0);
    run(sim, balance, 1);
    long id = sim.moving.keySet().iterator().next();
    SharedSuperchunk to = sim.moving.get(id);
    SharedSuperchunk other =
        sim.superchunks.values().stream()
            .filter(each -> !each.equals(to) && each.sides().contains(to.leaderStorageId()))
            .filter(each -> each.sides().stream().noneMatch(sim.home.get(id).sides()::contains))
            .findFirst()
            .orElseThrow();
    sim.comesLate(id, to.leaderStorageId(), other);
    run(sim, balance, 30);
    assertThat(sim.leftBlocks).contains(id);
    settle(sim);
    assertThat(run(sim, balance, 1_000).outcome()).isEqualTo(Outcome.BALANCED);
    assertWhole(sim);
  }

  /** A disk that had a replica before still has its row, and a row may come a little later. */
  @Test
  void rowsThatAreNoObstacleAreWaitedFor() {
    SimBalance sim = grown(new Random(14), 300);
    sim.vainQuestions = 3;
    BalanceProgress end = run(sim, new Balance(sim, 3, 0), 1_000);
    assertThat(end.outcome()).as(end.toString()).isEqualTo(Outcome.BALANCED);
    assertThat(end.counts().left().count()).isZero();
    assertWhole(sim);
  }

  @Test
  void aSuperchunkThatChangesKeepsItsBlocks() {
    SimBalance sim = grown(new Random(1), 500);
    Balance balance = new Balance(sim, 3, 0);
    run(sim, balance, 2);
    long moving = sim.moving.size();
    assertThat(moving).isPositive();
    sim.superchunks.replaceAll(
        (id, each) ->
            new SharedSuperchunk(id, 2, each.leaderStorageId(), each.followerStorageId()));
    run(sim, balance, 1);
    assertThat(balance.progress().counts().left().count()).isGreaterThanOrEqualTo(moving);
    assertThat(sim.leftBlocks).hasSizeGreaterThanOrEqualTo((int) moving);
  }

  @Test
  void copiesAreThrottled() {
    SimBalance sim = grown(new Random(2), 800);
    Balance balance = new Balance(sim, 3, 10 * SimBalance.UNIT);
    run(sim, balance, 30);
    assertThat(balance.progress().counts().copied().bytes())
        .isPositive()
        .isLessThanOrEqualTo((30 + 2 + 4) * 10 * SimBalance.UNIT);
  }

  /** Blocks that wait for their turn are not given up, however long it takes. */
  @Test
  void aLowThrottleLeavesNoBlock() {
    SimBalance sim = grown(new Random(5), 400);
    Balance balance = new Balance(sim, 3, SimBalance.UNIT / 4);
    run(sim, balance, 600);
    assertThat(balance.progress().counts().moved().count()).isPositive();
    assertThat(balance.progress().counts().left().count()).isZero();
  }

  @Test
  void openFilesAreNoProgress() {
    SimBalance sim = grown(new Random(3), 300);
    sim.blocks.values().forEach(block -> block.settled = false);
    BalanceProgress end = run(sim, new Balance(sim, 3, 0), 200);
    assertThat(end.outcome()).isEqualTo(Outcome.NO_PROGRESS);
    assertThat(end.counts().moved().count()).isZero();
  }

  /** A superchunk that has only blocks of open files is not chosen again and again. */
  @Test
  void fewOpenFilesStopNoBalance() {
    SeededRuns.of(20)
        .check(
            random -> {
              SimBalance sim = new SimBalance(random, DISKS);
              sim.clockMs = () -> nowMs;
              for (long id = 1; id <= 45; id++) {
                sim.write(id, OLD_DISKS, 8 * SimBalance.UNIT);
              }
              for (long id = 1; id <= 5; id++) {
                sim.blocks.get(id).settled = false;
              }
              BalanceProgress end = run(sim, new Balance(sim, 1, 0), 1_000);
              assertThat(end.outcome()).as(end.toString()).isEqualTo(Outcome.BALANCED);
              assertWhole(sim);
            });
  }

  /** A block of a few bytes takes a unit; by its bytes, a thousand would go for one. */
  @Test
  void smallBlocksCountAsUnits() {
    SimBalance sim = new SimBalance(new Random(6), DISKS);
    sim.clockMs = () -> nowMs;
    for (long id = 1; id <= 900; id++) {
      sim.write(id, OLD_DISKS, 1 + sim.random.nextInt(16));
    }
    Balance balance = new Balance(sim, 3, 0);
    for (int i = 0; i < 1_000 && !balance.progress().outcome().isOver(); i++) {
      BalanceProgress now = run(sim, balance, 1);
      assertThat(now.counts().moved().count() * SimBalance.UNIT)
          .isLessThanOrEqualTo(now.plannedBytes());
    }
    assertThat(balance.progress().outcome()).isEqualTo(Outcome.BALANCED);
    assertWhole(sim);
  }

  /** A plan is in bytes, and a block cannot be divided: half a block to move is a block. */
  @Test
  void blocksThatAreLargeForTheThresholdAreBalanced() {
    SeededRuns.of(20)
        .check(
            random -> {
              SimBalance sim = new SimBalance(random, DISKS);
              sim.clockMs = () -> nowMs;
              for (long id = 1; id <= 12 + random.nextInt(30); id++) {
                sim.write(id, OLD_DISKS, 32 * SimBalance.UNIT);
              }
              BalanceProgress end = run(sim, new Balance(sim, 3, 0), 1_000);
              assertThat(end.outcome()).as(end.toString()).isEqualTo(Outcome.BALANCED);
              assertWhole(sim);
            });
  }

  /** Blocks move, and disks do not get emptier, as when what is deleted is never given back. */
  @Test
  void twoPassesThatHelpNoDiskAreTheLast() {
    SimBalance sim = grown(new Random(7), 800);
    sim.stuckSpec = Optional.of(sim.spec(3));
    BalanceProgress end = run(sim, new Balance(sim, 3, 0), 1_000);
    assertThat(end.outcome()).isEqualTo(Outcome.NO_PROGRESS);
    assertThat(end.counts().moved().count()).isPositive();
    assertThat(end.pass()).isEqualTo(2);
  }

  @Test
  void answersOfOtherNodesThatTakeLongMakeNoneOld() {
    SimBalance sim = grown(new Random(8), 300);
    sim.answering = () -> nowMs += 1_500;
    BalanceProgress end = run(sim, new Balance(sim, 3, 0), 100);
    assertThat(end.counts().moved().count()).isPositive();
    assertThat(sim.wrongs).isEmpty();
  }

  @Test
  void noReplicaIsGivenUpForOneOnASilentNode() {
    SimBalance sim = grown(new Random(9), 500);
    sim.silentNodes.addAll(List.of("s6", "s7"));
    sim.superchunks.keySet().stream().filter(id -> id % 5 == 0).forEach(sim.unusable::add);
    Balance balance = new Balance(sim, 3, 0);
    run(sim, balance, 300);
    assertThat(sim.wrongs).isEmpty();
    assertThat(balance.progress().counts().left().count()).as("after two minutes").isPositive();
    balance.stop();
    settle(sim);
    assertWhole(sim);
  }

  /** Its rows are read from slow nodes, and none of its blocks waits for all of them. */
  @Test
  void aRoundBeginsForAFewSecondsOnly() {
    SimBalance sim = grown(new Random(10), 800);
    Balance balance = new Balance(sim, 3, 0);
    sim.looking = () -> nowMs += sim.moving.isEmpty() ? 500 : 0;
    sim.blocks.values().forEach(block -> block.settled = false);
    long beganMs = nowMs;
    run(sim, balance, 1);
    assertThat(nowMs - beganMs).isLessThanOrEqualTo(1_000 + 5_500);
    sim.looking = () -> {};
    sim.looks = 0;
    run(sim, balance, 1);
    assertThat(sim.looks).isLessThanOrEqualTo(100);
  }

  /** The clock has passed the limit while others were asked; both sides cover it all the same. */
  @Test
  void aCoveredBlockIsNotGivenUpForHavingWaited() {
    SimBalance sim = grown(new Random(11), 300);
    Balance balance = new Balance(sim, 3, 0);
    sim.unusable.addAll(sim.superchunks.keySet());
    while (sim.moving.values().isEmpty() || balance.progress().counts().copied().count() < 40) {
      run(sim, balance, 1);
    }
    run(sim, balance, 60);
    assertThat(balance.progress().counts().moved().count()).isZero();
    sim.unusable.clear();
    nowMs += Balance.STUCK_MS;
    run(sim, balance, 1);
    assertThat(balance.progress().counts().left().count()).isZero();
    assertThat(balance.progress().counts().moved().count()).isPositive();
  }

  @Test
  void whatHasFailedIsOverAndLeavesItsBlocks() {
    SimBalance sim = grown(new Random(12), 300);
    Balance balance = new Balance(sim, 3, 0);
    run(sim, balance, 3);
    assertThat(sim.moving).isNotEmpty();
    balance.fail();
    assertThat(balance.progress().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(sim.moving).isEmpty();
    settle(sim);
    assertWhole(sim);
  }

  @Test
  void threeDisksHaveNoMove() {
    SimBalance sim = new SimBalance(new Random(4), 3);
    for (long id = 1; id <= 50; id++) {
      sim.write(id, 2);
    }
    BalanceProgress end = run(sim, new Balance(sim, 1, 0), 50);
    assertThat(end.outcome()).isEqualTo(Outcome.NO_MOVE);
    assertThat(List.copyOf(sim.leftBlocks)).isEmpty();
  }
}
