/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.adoption.BalanceCluster;
import io.hdfsparity.raidp.adoption.BalanceProgress.Outcome;
import io.hdfsparity.raidp.adoption.BlockRow;
import io.hdfsparity.raidp.adoption.CopyPlan;
import io.hdfsparity.raidp.adoption.SharedSuperchunk;
import io.hdfsparity.raidp.layout.BalanceSpec;
import io.hdfsparity.raidp.wire.message.BalanceRequest;
import io.hdfsparity.raidp.wire.message.BalanceRequest.Action;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What administrators may ask of the balance, and when. */
class BalancesTest {
  private static final long THROTTLE = 1 << 20;

  private final Cluster cluster = new Cluster();
  private boolean safeMode;
  private boolean recovering;
  private final Balances balances =
      new Balances(
          cluster,
          new Balances.Conditions() {
            @Override
            public boolean isInSafeMode() {
              return safeMode;
            }

            @Override
            public boolean isRecovering() {
              return recovering;
            }
          });

  /** A cluster of no disks. */
  private static final class Cluster implements BalanceCluster {
    private Runnable asked = () -> {};

    @Override
    public BalanceSpec spec(double thresholdPercent) {
      asked.run();
      return new BalanceSpec(List.of(), List.of(), thresholdPercent, 1);
    }

    @Override
    public long unitBytes() {
      return 1;
    }

    @Override
    public Optional<SharedSuperchunk> active(long superchunkId) {
      return Optional.empty();
    }

    @Override
    public List<BlockRow> rowsOf(SharedSuperchunk superchunk) {
      return List.of();
    }

    @Override
    public List<BlockRow> findRows(String storageId, List<Long> blockIds) {
      return List.of();
    }

    @Override
    public Optional<Replicas> block(long blockId) {
      return Optional.empty();
    }

    @Override
    public void renew(SharedSuperchunk superchunk, String storageId, int blocks) {
      throw new AssertionError("no block is on its way");
    }

    @Override
    public boolean promise(SharedSuperchunk superchunk, long lengthBytes) {
      return false;
    }

    @Override
    public CopyStart copy(long blockId, long generationStamp, CopyPlan plan) {
      return CopyStart.REFUSED;
    }

    @Override
    public boolean isCopying(long blockId) {
      return false;
    }

    @Override
    public void moves(long blockId, SharedSuperchunk to) {}

    @Override
    public boolean mayTakeOver(SharedSuperchunk to) {
      return false;
    }

    @Override
    public void moved(long blockId, SharedSuperchunk to) {}

    @Override
    public void left(long blockId, SharedSuperchunk from) {}
  }

  private TextResponse ask(Action action, double threshold, long... throttle) throws IOException {
    return balances.answer(
        new BalanceRequest(
            action,
            threshold,
            throttle.length == 0 ? OptionalLong.empty() : OptionalLong.of(throttle[0])));
  }

  private Optional<Outcome> outcome() {
    return balances.progress().map(progress -> progress.outcome());
  }

  @Test
  void noneStartsInSafeModeOrWhileARecoveryRuns() throws Exception {
    safeMode = true;
    assertThatThrownBy(() -> ask(Action.START, 10)).hasMessageContaining("out of safe mode");
    safeMode = false;
    recovering = true;
    assertThatThrownBy(() -> ask(Action.START, 10)).hasMessageContaining("recovery=RUNNING");
    assertThat(outcome()).isEmpty();
    recovering = false;
    assertThat(ask(Action.START, 10).exitCode()).isZero();
    assertThat(outcome()).contains(Outcome.RUNNING);
  }

  @Test
  void oneWithAnotherThresholdOrThrottleIsNotJoined() throws Exception {
    ask(Action.START, 10, THROTTLE);
    assertThatThrownBy(() -> ask(Action.START, 5, THROTTLE)).hasMessageContaining("threshold=5.0");
    assertThatThrownBy(() -> ask(Action.START, 10, 2 * THROTTLE))
        .hasMessageContaining("throttle=2097152")
        .hasMessageContaining("-stop");
    assertThatThrownBy(() -> ask(Action.START, 10, 0)).hasMessageContaining("throttle=0");
    assertThat(ask(Action.START, 10, THROTTLE).json()).contains("\"joined\":true");
    assertThat(ask(Action.START, 10).json()).contains("\"joined\":true");
  }

  @Test
  void oneIsStoppedByTheNextRound() throws Exception {
    assertThat(ask(Action.STOP, 10).json()).contains("NONE");
    ask(Action.START, 10);
    assertThat(ask(Action.STOP, 10).exitCode()).isZero();
    assertThatThrownBy(() -> ask(Action.START, 10)).hasMessageContaining("try again");
    balances.round(() -> 1_000);
    assertThat(outcome()).contains(Outcome.STOPPED);
    assertThat(ask(Action.WATCH, 10).exitCode()).isEqualTo(-1);
    ask(Action.START, 10);
    balances.round(() -> 2_000);
    assertThat(outcome()).contains(Outcome.BALANCED);
  }

  @Test
  void oneThatThrowsHasFailedAndSaysSo() throws Exception {
    cluster.asked =
        () -> {
          throw new IllegalStateException("expected by the test");
        };
    ask(Action.START, 10);
    balances.round(() -> 1_000);
    assertThat(ask(Action.WATCH, 10).json()).contains("DONE", "FAILED");
    balances.round(() -> 2_000);
    assertThat(outcome()).contains(Outcome.FAILED);
  }

  @Test
  void plansAreMadeOneAtATime() throws Exception {
    cluster.asked =
        () ->
            assertThatThrownBy(() -> ask(Action.PLAN, 10))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("try again");
    assertThat(ask(Action.PLAN, 10).json()).contains("PLANNED");
    cluster.asked = () -> {};
    assertThat(ask(Action.PLAN, 10).json()).contains("PLANNED");
  }

  /** What deleted replicas still take comes back by itself. */
  @Test
  void limboIsNotUsed() {
    assertThat(BalanceCalls.usedBytes(100, 10, new FrameReport.Load(90, 0, 3, 0, 0)))
        .isEqualTo(100);
    assertThat(BalanceCalls.usedBytes(100, 10, new FrameReport.Load(90, 0, 3, 41, 0)))
        .isEqualTo(50);
    assertThat(BalanceCalls.usedBytes(100, 10, new FrameReport.Load(99, 0, 3, 41, 0))).isZero();
  }

  /** As long as a recovery has not moved it, a superchunk without a side takes its frame. */
  @Test
  void aSuperchunkThatLacksASideIsUsedSpace() {
    DiskWorld disks = new DiskWorld();
    disks.fail("B");
    assertThat(disks.superchunk(DiskWorld.AB).state()).isEqualTo(SuperchunkState.DEGRADED);
    assertThat(BalanceCalls.usedBytes(disks.view())).containsKeys("nA-d", "nC-d");
    disks.fail("C");
    assertThat(BalanceCalls.usedBytes(disks.view())).containsKeys("nA-d");
  }
}
