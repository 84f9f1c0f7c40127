/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What is done before HDFS takes its lock to finalize a replica, and what is left to do under it.
 */
class BeforeTheLockTest {
  private static final long ID = 1_073_741_825L;
  private static final long STAMP = 1001;

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode leader;
  private SimNode follower;

  @BeforeEach
  void start() throws IOException {
    leader = node("a", "DS-a0");
    follower = node("b", "DS-b0");
    leader.start();
    follower.start();
    SimNode.pairFirst(leader, follower);
    // The leader fetches the follower's rows before its first answer.
    leader.sims.get(0).announce(ID + 1, 10);
    settle();
  }

  private SimNode node(String name, String storage) {
    return new SimNode(base, name, List.of(storage), Mode.IDLE, Granularity.BLOCK, clock, net);
  }

  @AfterEach
  void stop() throws IOException {
    leader.stop();
    follower.stop();
  }

  private static byte[] bytes(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  private static SlotEntry row(SimNode node) {
    return node.disk.lstor().entry(0, ID).orElseThrow();
  }

  private void settle() {
    SimNode.settleAll(clock, leader, follower);
  }

  /** Both sides have a complete replica that is not finalized, of more units than were reserved. */
  private byte[] writeOnBothSides() throws IOException {
    byte[] content = bytes(SimNode.MAX_BLOCK);
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).reserve(ID, 10);
      node.sims.get(0).write(ID, STAMP, content);
    }
    return content;
  }

  private void assertParityIsRight() throws IOException {
    for (SimNode node : List.of(leader, follower)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }

  @Test
  void aReplicaThatWasAnnouncedIsMadeWithoutAQuestion() throws IOException {
    follower.sims.get(0).announce(ID, SimNode.MAX_BLOCK);
    assertThat(row(follower)).matches(row -> row.state() == SlotState.RESERVED);
    net.down("a");
    follower.sims.get(0).reserveAnnounced(ID, SimNode.MAX_BLOCK);
    assertThat(net.lostCalls()).as("questions to the leader").isZero();
    net.up("a", leader.service);
    byte[] content = writeOnBothSides();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).finish(ID, STAMP, content.length);
    }
    settle();
    assertParityIsRight();
  }

  private byte[] deleteAtTheFollower() throws IOException {
    byte[] content = writeOnBothSides();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).finish(ID, STAMP, content.length);
    }
    settle();
    follower.sims.get(0).delete(ID);
    assertThat(row(follower))
        .matches(row -> row.state() == SlotState.LIMBO && row.coversAnything());
    return content;
  }

  @Test
  void aReplicaThatWasDeletedIsMadeAgainWithoutAQuestion() throws IOException {
    byte[] content = deleteAtTheFollower();
    follower.sims.get(0).announce(ID, content.length);
    net.down("a");
    follower.sims.get(0).reserveAnnounced(ID, content.length);
    assertThat(net.lostCalls()).as("questions to the leader").isZero();
    net.up("a", leader.service);
    assertParityIsRight();
    follower.sims.get(0).write(ID, STAMP, content);
    follower.sims.get(0).finish(ID, STAMP, content.length);
    settle();
    assertThat(row(follower)).matches(row -> row.state() == SlotState.LIVE && !row.ackPending());
    assertParityIsRight();
  }

  /** The leader's parity still covers what the follower has in limbo. */
  @Test
  void aReplicaThatWasDeletedAndIsNotMadeAgainStaysInLimbo() throws IOException {
    byte[] content = deleteAtTheFollower();
    follower.sims.get(0).announce(ID, content.length);
    settle();
    assertThat(row(follower)).matches(row -> row.state() == SlotState.LIMBO);
    assertThat(follower.sims.get(0).hooks().frame().limbo().holds(ID)).isTrue();
    assertParityIsRight();
    leader.sims.get(0).delete(ID);
    settle();
    assertThat(leader.disk.lstor().entries()).isEmpty();
    assertThat(follower.disk.lstor().entries()).isEmpty();
    assertThat(follower.sims.get(0).hooks().frame().limbo().holds(ID)).isFalse();
  }

  @Test
  void aReplicaThatIsNotMadeAfterAllLeavesNoRow() throws IOException {
    follower.sims.get(0).announce(ID, SimNode.MAX_BLOCK);
    leader.sims.get(0).announce(ID, SimNode.MAX_BLOCK);
    settle();
    assertThat(leader.disk.lstor().entries()).isEmpty();
    assertThat(follower.disk.lstor().entries()).isEmpty();
  }

  @Test
  void aReplicaThatWasAnnouncedIsReopenedWithoutAQuestion() throws IOException {
    byte[] content = writeOnBothSides();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).write(ID, STAMP, Arrays.copyOf(content, 10));
      node.sims.get(0).finish(ID, STAMP, 10);
    }
    settle();
    follower.sims.get(0).volume().beforeReopening(SimFrame.POOL, ID, content.length);
    net.down("a");
    follower.sims.get(0).reopenAnnounced(ID, STAMP, STAMP + 1, content.length);
    assertThat(net.lostCalls()).as("questions to the leader").isZero();
    net.up("a", leader.service);
    leader.sims.get(0).reopen(ID, STAMP, STAMP + 1, content.length);
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).write(ID, STAMP + 1, content);
      node.sims.get(0).finish(ID, STAMP + 1, content.length);
    }
    settle();
    assertThat(row(follower).runs()).isEqualTo(row(leader).runs());
    assertParityIsRight();
  }

  @Test
  void unitsOfAReplicaThatIsNotReopenedAfterAllAreGivenBack() throws IOException {
    writeOnBothSides();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).write(ID, STAMP, bytes(10));
      node.sims.get(0).finish(ID, STAMP, 10);
    }
    settle();
    follower.sims.get(0).volume().beforeReopening(SimFrame.POOL, ID, SimNode.MAX_BLOCK);
    assertThat(row(follower).units()).isEqualTo(4);
    settle();
    assertThat(row(follower).units()).isEqualTo(1);
    assertThat(row(leader).units()).isEqualTo(1);
  }

  /** What was agreed on says nothing to the partner that the frame has got since. */
  @Test
  void unitsAreAgreedOnAgainWhenThePartnerHasChanged() throws IOException {
    follower.sims.get(0).announce(ID, SimNode.MAX_BLOCK);
    follower.pair(0, new Pairing(5, 2, "DS-00", "c", 1));
    assertThatThrownBy(() -> follower.sims.get(0).reserveAnnounced(ID, SimNode.MAX_BLOCK))
        .as("nobody is there to agree")
        .isInstanceOf(IOException.class);
    assertThat(net.lostCalls()).isEqualTo(1);
  }

  @Test
  void aReplicaThatIsThereKeepsWhatItHas() throws IOException {
    byte[] content = writeOnBothSides();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).finish(ID, STAMP, content.length);
    }
    settle();
    SlotEntry before = row(follower);
    follower.sims.get(0).announce(ID, SimNode.MAX_BLOCK);
    settle();
    assertThat(row(follower)).isEqualTo(before);
    assertParityIsRight();
  }

  @Test
  void aPlainReplicaThatIsThereStaysPlain() throws IOException {
    follower.sims.get(0).reservePlain(ID, 10);
    follower.sims.get(0).write(ID, STAMP, bytes(10));
    follower.sims.get(0).announce(ID, 10);
    assertThat(follower.disk.lstor().entries()).isEmpty();
    follower.sims.get(0).finish(ID, STAMP, 10);
    follower.sims.get(0).announce(ID, 10);
    assertThat(follower.disk.lstor().entries()).isEmpty();
    settle();
    assertThat(leader.disk.lstor().entries()).isEmpty();
  }

  @Test
  void nothingIsLeftThatWaitsForThePartner() throws IOException {
    int length = writeOnBothSides().length;
    follower.sims.get(0).announceFinish(ID, STAMP, length);
    assertThat(row(follower))
        .matches(row -> row.coveredBytes() == length && row.state() == SlotState.LIVE);
    net.down("a");
    follower.sims.get(0).finishAnnounced(ID, STAMP, length);
    assertThat(net.lostCalls()).as("questions to the leader").isZero();
    net.up("a", leader.service);
    leader.sims.get(0).finish(ID, STAMP, length);
    settle();
    assertThat(row(follower).ackPending()).isFalse();
    assertParityIsRight();
  }

  /** With another stamp, and cut after it was announced. */
  @Test
  void aRecoveryEndsAReplicaWithoutAQuestion() throws IOException {
    int length = writeOnBothSides().length - 1_000;
    for (SimNode node : List.of(follower, leader)) {
      node.sims.get(0).announceFinish(ID, STAMP, length);
      net.down("a");
      node.sims.get(0).bump(ID, STAMP, STAMP + 1);
      node.sims.get(0).cutInPlace(ID, STAMP + 1, length);
      node.sims.get(0).finishAnnounced(ID, STAMP + 1, length);
      net.up("a", leader.service);
    }
    assertThat(net.lostCalls()).as("questions to the leader").isZero();
    settle();
    for (SimNode node : List.of(leader, follower)) {
      assertThat(row(node))
          .matches(
              row ->
                  row.coveredBytes() == length
                      && row.generationStamp() == STAMP + 1
                      && !row.ackPending());
    }
    assertParityIsRight();
  }

  /** It has more in the parity than the recovery leaves it. */
  @Test
  void aReplicaThatIsCutIsNotCoveredAgainBefore() throws IOException {
    int length = writeOnBothSides().length;
    follower.sims.get(0).announceFinish(ID, STAMP, length);
    follower.sims.get(0).volume().finalizeFailed(SimFrame.POOL, ID);
    follower.sims.get(0).announceFinish(ID, STAMP, 10_240);
    assertThat(row(follower).coveredBytes()).isEqualTo(length);
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).cutInPlace(ID, STAMP, 10_240);
      node.sims.get(0).finish(ID, STAMP, 10_240);
      assertThat(node.disk.gate().bookedBytes()).isEqualTo(10_240);
    }
    settle();
    assertParityIsRight();
  }

  @Test
  void itsBytesCountInTheJournalOnceItIsFinalized() throws IOException {
    int length = writeOnBothSides().length;
    follower.sims.get(0).announceFinish(ID, STAMP, length);
    assertThat(follower.disk.gate().depthBytes()).isZero();
    follower.sims.get(0).finishAnnounced(ID, STAMP, length);
    assertThat(follower.disk.gate().depthBytes()).isEqualTo(length);
    leader.sims.get(0).finish(ID, STAMP, length);
    settle();
    assertThat(follower.disk.gate().depthBytes()).isZero();
  }

  @Test
  void aReplicaThatIsNotFinalizedMayGrow() throws IOException {
    byte[] content = writeOnBothSides();
    int half = content.length / 2;
    byte[] first = Arrays.copyOf(content, half);
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).write(ID, STAMP, first);
      node.sims.get(0).announceFinish(ID, STAMP, half);
      node.sims.get(0).volume().finalizeFailed(SimFrame.POOL, ID);
    }
    settle();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).write(ID, STAMP, content);
      node.sims.get(0).finish(ID, STAMP, content.length);
    }
    settle();
    assertThat(row(leader).coveredBytes()).isEqualTo(content.length);
    assertParityIsRight();
  }

  /** The DataNode ends between the two: the replica is covered, and not finalized. */
  @Test
  void aReplicaThatWasCoveredBeforeACrashMayBeDeleted() throws IOException {
    int length = writeOnBothSides().length;
    follower.sims.get(0).announceFinish(ID, STAMP, length);
    follower.stop();
    follower.start();
    assertThat(row(follower).coveredBytes()).isEqualTo(length);
    assertParityIsRight();
    for (SimNode node : List.of(leader, follower)) {
      node.sims.get(0).delete(ID);
    }
    settle();
    assertThat(leader.disk.lstor().entries()).isEmpty();
    assertThat(follower.disk.lstor().entries()).isEmpty();
    assertParityIsRight();
  }

  @Test
  void whatIsAdmittedDoesNotWaitAgain() throws IOException {
    JournalGate gate = new JournalGate(1000, 0, new ManualClock(), frame -> true);
    gate.admit(0, 1, 600);
    assertThat(gate.depthBytes()).as("nobody waits for the XOR of another block").isZero();
    gate.admit(0, 2, 600);
    gate.note(0, 1, 600);
    gate.await(0, 1, 0);
    gate.finish(0, 1, true);
    assertThat(gate.depthBytes()).isEqualTo(600);
    gate.await(0, 2, 600);
    assertThatThrownBy(() -> gate.admit(0, 3, 600)).hasMessageContaining("blockBytes=600");
    gate.withdraw(0, 2);
    assertThatThrownBy(() -> gate.await(0, 2, 600)).hasMessageContaining("blockBytes=600");
    gate.settle(0, 1);
    assertThat(gate.depthBytes()).isZero();
  }

  /** It has grown since it was admitted. */
  @Test
  void whatIsMoreThanWasAdmittedWaits() throws IOException {
    JournalGate gate = new JournalGate(1000, 0, new ManualClock(), frame -> true);
    gate.note(0, 1, 700);
    gate.finish(0, 1, true);
    gate.admit(0, 2, 300);
    gate.await(0, 2, 300);
    assertThatThrownBy(() -> gate.await(0, 2, 301)).hasMessageContaining("blockBytes=301");
  }
}
