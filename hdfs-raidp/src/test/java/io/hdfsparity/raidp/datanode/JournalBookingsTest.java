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
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.lang.reflect.Proxy;
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
 * Which bytes of blocks count in the journals of two nodes that mirror each other, and that neither
 * of them waits for the other one's journal.
 */
class JournalBookingsTest {
  private static final long X = 1_073_741_825L;
  private static final long Y = X + 1;
  private static final long STAMP = 1001;
  private static final int LIMIT = 100_000;

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;

  @BeforeEach
  void start() throws IOException {
    a = node("a", "DS-a0");
    b = node("b", "DS-b0");
    SimNode.pairFirst(a, b);
    settle();
  }

  /** What does not fit into its journal is refused at once. */
  private SimNode node(String name, String storage) throws IOException {
    SimNode node =
        new SimNode(base, name, List.of(storage), Mode.IDLE, Granularity.PACKET, clock, net);
    node.limitJournal(LIMIT);
    node.start();
    return node;
  }

  @AfterEach
  void stop() throws IOException {
    for (SimNode node : List.of(a, b)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
      node.stop();
    }
  }

  private static byte[] bytes(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static SimFrame frame(SimNode node) {
    return node.sims.get(0);
  }

  private static JournalGate gate(SimNode node) {
    return node.disk.gate();
  }

  private static SlotEntry row(SimNode node, long id) {
    return node.disk.lstor().entry(0, id).orElseThrow();
  }

  private void settle() {
    SimNode.settleAll(clock, a, b);
  }

  private void create(long id) throws IOException {
    frame(a).reserve(id, SimNode.MAX_BLOCK);
    frame(b).reserve(id, SimNode.MAX_BLOCK);
  }

  /** Bytes arrive and are covered; the block goes on being written. */
  private static void packet(SimNode node, long id, long stamp, byte[] content) throws IOException {
    frame(node).write(id, stamp, content);
    frame(node).packet(id, stamp, content.length);
  }

  private void store(long id, byte[] content) throws IOException {
    create(id);
    for (SimNode node : List.of(a, b)) {
      frame(node).write(id, STAMP, content);
      frame(node).finish(id, STAMP, content.length);
    }
    settle();
    assertThat(gate(a).bookedBytes() + gate(b).bookedBytes()).isZero();
  }

  private void reopen(long id, long newStamp) throws IOException {
    for (SimNode node : List.of(a, b)) {
      frame(node).reopen(id, newStamp - 1, newStamp, SimNode.MAX_BLOCK);
    }
  }

  // ---------------------------------------------------------------- booked once

  @Test
  void whatIsCutWhileItIsWrittenIsNoLongerBooked() throws IOException {
    byte[] content = bytes(1, 60_000);
    create(X);
    for (SimNode node : List.of(a, b)) {
      packet(node, X, STAMP, content);
      frame(node).cutInPlace(X, STAMP, 10_240);
      assertThat(gate(node).bookedBytes()).isEqualTo(10_240);
      frame(node).finish(X, STAMP, 10_240);
      assertThat(gate(node).depthBytes()).isEqualTo(10_240);
    }
    settle();
  }

  /** Its file is shorter than what the row covers, and nobody has announced that. */
  @Test
  void aBlockThatIsCoveredAgainIsBookedOnce() throws IOException {
    create(X);
    for (SimNode node : List.of(a, b)) {
      packet(node, X, STAMP, bytes(1, 60_000));
      frame(node).write(X, STAMP, Arrays.copyOf(bytes(1, 60_000), 20_000));
      frame(node).finish(X, STAMP, 20_000);
      assertThat(gate(node).depthBytes()).isEqualTo(20_000);
    }
    settle();
  }

  /** The follower's row moves to where the leader has the block, in the middle of the write. */
  @Test
  void aBlockThatMovesToOtherUnitsIsBookedOnce() throws IOException {
    byte[] content = bytes(1, 80_000);
    store(X, Arrays.copyOf(content, 1_000));
    net.down("a");
    frame(b).reopen(X, STAMP, STAMP + 1, SimNode.MAX_BLOCK);
    packet(b, X, STAMP + 1, content);
    assertThat(gate(b).bookedBytes()).isEqualTo(79_000);
    frame(a).reserve(Y, SimNode.MAX_BLOCK);
    net.up("a", a.service);
    List<?> before = row(b, X).runs();
    frame(b).reserve(Y, SimNode.MAX_BLOCK);
    assertThat(row(b, X).runs()).as("it has moved").isNotEqualTo(before);
    assertThat(row(b, X).coversAnything()).isFalse();
    assertThat(gate(b).bookedBytes()).isZero();
    frame(b).finish(X, STAMP + 1, content.length);
    assertThat(gate(b).depthBytes()).isEqualTo(content.length);
    settle();
    assertThat(gate(b).bookedBytes()).isZero();
  }

  @Test
  void aReplicaThatIsMadeAgainIsBookedOnce() throws IOException {
    create(X);
    packet(b, X, STAMP, bytes(1, 60_000));
    frame(b).reserve(X, SimNode.MAX_BLOCK);
    assertThat(gate(b).bookedBytes()).as("its row was cleared").isZero();
    packet(b, X, STAMP, bytes(2, 50_000));
    frame(b).finish(X, STAMP, 50_000);
    assertThat(gate(b).depthBytes()).isEqualTo(50_000);
    settle();
  }

  @Test
  void nothingStaysBookedOfADeletedReplica() throws IOException {
    create(X);
    packet(b, X, STAMP, bytes(1, 60_000));
    frame(b).delete(X);
    assertThat(gate(b).bookedBytes()).isZero();
    settle();
  }

  @Test
  void aReplicaThatIsNotReopenedAfterAllCountsAsBefore() throws IOException {
    create(X);
    frame(b).write(X, STAMP, bytes(1, 60_000));
    frame(b).finish(X, STAMP, 60_000);
    frame(b).volume().beforeReopening(SimFrame.POOL, X, SimNode.MAX_BLOCK);
    frame(b)
        .volume()
        .reopening(SimFrame.POOL, X, frame(b).path(X).toFile(), frame(b).path(X).toFile(), 70_000);
    assertThat(gate(b).depthBytes()).as("nobody can acknowledge it now").isZero();
    frame(b).volume().reopenFailed(SimFrame.POOL, X);
    assertThat(gate(b).depthBytes()).isEqualTo(60_000);
    settle();
    assertThat(gate(b).bookedBytes()).isZero();
  }

  // ---------------------------------------------------------------- none waits for the other

  /**
   * Each node has ended the write of one block, which fills its journal, and each is about to end
   * the other's block. Rows are live from the first packet on, and in appends all the time.
   */
  private void endInOppositeDirections(long stamp, byte[] content) throws IOException {
    frame(b).finish(X, stamp, content.length);
    frame(a).finish(Y, stamp, content.length);
    a.settle();
    b.settle();
    frame(a).finish(X, stamp, content.length);
    frame(b).finish(Y, stamp, content.length);
    settle();
    for (SimNode node : List.of(a, b)) {
      assertThat(gate(node).waits()).isZero();
      assertThat(gate(node).bookedBytes()).isZero();
      assertThat(row(node, X).ackPending() || row(node, Y).ackPending()).isFalse();
    }
  }

  @Test
  void blocksThatAreWrittenByPacketsEndInOppositeDirections() throws IOException {
    byte[] content = bytes(1, LIMIT);
    create(X);
    create(Y);
    for (SimNode node : List.of(a, b)) {
      packet(node, X, STAMP, Arrays.copyOf(content, 10_240));
      packet(node, Y, STAMP, Arrays.copyOf(content, 10_240));
      frame(node).write(X, STAMP, content);
      frame(node).write(Y, STAMP, content);
    }
    endInOppositeDirections(STAMP, content);
  }

  @Test
  void appendsEndInOppositeDirections() throws IOException {
    byte[] content = bytes(1, LIMIT + 1_000);
    store(X, Arrays.copyOf(content, 1_000));
    store(Y, Arrays.copyOf(content, 1_000));
    reopen(X, STAMP + 1);
    reopen(Y, STAMP + 1);
    for (SimNode node : List.of(a, b)) {
      frame(node).write(X, STAMP + 1, content);
      frame(node).write(Y, STAMP + 1, content);
    }
    endInOppositeDirections(STAMP + 1, content);
  }

  /** It is opened again before the partner has acknowledged what fills the journal. */
  @Test
  void anAppendDoesNotWaitForItsOwnBlock() throws IOException {
    byte[] content = bytes(1, LIMIT + 10);
    create(X);
    for (SimNode node : List.of(a, b)) {
      frame(node).write(X, STAMP, Arrays.copyOf(content, LIMIT - 10));
      frame(node).finish(X, STAMP, LIMIT - 10);
    }
    reopen(X, STAMP + 1);
    for (SimNode node : List.of(a, b)) {
      frame(node).write(X, STAMP + 1, content);
      frame(node).finish(X, STAMP + 1, content.length);
      assertThat(gate(node).depthBytes()).isEqualTo(content.length);
    }
    settle();
    assertThat(gate(a).bookedBytes() + gate(b).bookedBytes()).isZero();
  }

  /** The partner was away during the append, and has an older replica until HDFS deletes it. */
  @Test
  void aPartnerThatHasMissedAnAppendHoldsNothingUp() throws IOException {
    byte[] content = bytes(1, LIMIT);
    store(X, Arrays.copyOf(content, 1_000));
    net.down("a");
    frame(b).reopen(X, STAMP, STAMP + 1, SimNode.MAX_BLOCK);
    frame(b).write(X, STAMP + 1, content);
    frame(b).finish(X, STAMP + 1, content.length);
    settle();
    assertThat(gate(b).depthBytes()).as("it does not answer").isEqualTo(LIMIT - 1_000);
    net.up("a", a.service);
    settle();
    assertThat(row(b, X).ackPending()).isTrue();
    assertThat(gate(b).bookedBytes()).isZero();
  }

  /** It does not say yet where the block is to lie. */
  @Test
  void aLeaderThatGivesNoUnitsHoldsNothingUp() throws IOException {
    byte[] content = bytes(1, LIMIT);
    store(X, Arrays.copyOf(content, 1_000));
    net.down("a");
    frame(b).reopen(X, STAMP, STAMP + 1, SimNode.MAX_BLOCK);
    frame(b).write(X, STAMP + 1, content);
    frame(b).finish(X, STAMP + 1, content.length);
    settle();
    assertThat(gate(b).bookedBytes()).isEqualTo(LIMIT - 1_000);
    net.up("a", answeringOnly("covered"));
    settle();
    assertThat(gate(b).bookedBytes()).isZero();
    net.up("a", a.service);
    settle();
  }

  private RaidpPeerProtocol answeringOnly(String call) {
    return (RaidpPeerProtocol)
        Proxy.newProxyInstance(
            RaidpPeerProtocol.class.getClassLoader(),
            new Class<?>[] {RaidpPeerProtocol.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals(call)) {
                return method.invoke(a.service, arguments);
              }
              throw new PeerException.Busy("not now");
            });
  }

  /** The bound holds as long as the partner does not answer. */
  @Test
  void aPartnerThatDoesNotAnswerHoldsWritesUp() throws IOException {
    byte[] content = bytes(1, LIMIT);
    create(X);
    create(Y);
    net.down("a");
    for (long id : List.of(X, Y)) {
      frame(b).write(id, STAMP, content);
    }
    frame(b).finish(X, STAMP, content.length);
    settle();
    assertThatThrownBy(() -> frame(b).finish(Y, STAMP, content.length))
        .hasMessageContaining("journalDepthBytes=" + LIMIT);
    net.up("a", a.service);
    settle();
    frame(b).finish(Y, STAMP, content.length);
    settle();
  }
}
