/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.ManualClock;
import io.hdfsparity.raidp.config.Granularity;
import io.hdfsparity.raidp.config.Mode;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.RaidpPeerProtocol;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames of node a that are paired with frames of one node, b, and one with node c. */
class SilentPartnersTest {
  private static final long ID = 1_073_741_900L;
  private static final int FRAMES = 8;

  /** What a caller waits for a node that hangs. */
  private static final long TIMEOUT_MS = 10_000;

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;
  private SimNode c;
  private int timeouts;

  @BeforeEach
  void start() throws IOException {
    a = node("a");
    b = node("b");
    c = node("c");
    for (int i = 0; i < FRAMES; i++) {
      pair(i, i == FRAMES - 1 ? c : b);
    }
    a.sims.forEach(sim -> sim.hooks().frame().schedule(Settler.FETCH_ROWS));
    settleAll();
  }

  private SimNode node(String name) throws IOException {
    SimNode node =
        new SimNode(
            base, name, List.of("DS-" + name), FRAMES, Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    return node;
  }

  private void pair(int frame, SimNode partner) throws IOException {
    a.pair(frame, new Pairing(5 + frame, 1, "DS-" + partner.name, partner.name, 2));
    partner.pair(frame, new Pairing(5 + frame, 1, "DS-a", "a", 1));
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
    c.stop();
  }

  private void settleAll() {
    SimNode.settleAll(clock, a, b, c);
  }

  /** A block in each frame, which the partner has yet to acknowledge. */
  private void storeInEachFrame() throws IOException {
    for (int i = 0; i < FRAMES; i++) {
      for (SimNode node : List.of(a, i == FRAMES - 1 ? c : b)) {
        node.sims.get(i).reserve(ID + i, SimNode.MAX_BLOCK);
        node.sims.get(i).write(ID + i, 1001, new byte[70_000]);
        node.sims.get(i).finish(ID + i, 1001, 70_000);
      }
    }
  }

  /** It takes calls, and its answers do not come. */
  private void hang(String node) {
    net.up(
        node,
        (RaidpPeerProtocol)
            Proxy.newProxyInstance(
                RaidpPeerProtocol.class.getClassLoader(),
                new Class<?>[] {RaidpPeerProtocol.class},
                (proxy, method, args) -> {
                  timeouts++;
                  clock.advance(TIMEOUT_MS);
                  throw new SocketTimeoutException("no answer in time");
                }));
  }

  private boolean isAcknowledged(int frame) {
    return a.disk
        .lstor()
        .entry(frame, ID + frame)
        .filter(row -> !row.ackPending())
        .map(SlotEntry::coversAnything)
        .orElse(false);
  }

  private int count() {
    return a.disk.context().work().silent().count();
  }

  @Test
  void oneThatHangsIsAskedByOneFrameForAll() throws IOException {
    storeInEachFrame();
    hang("b");
    long begunNanos = clock.nanoTime();
    a.settleOnce();
    assertThat(timeouts).isEqualTo(1);
    assertThat(isAcknowledged(FRAMES - 1)).as("of the other node").isTrue();
    assertThat(clock.nanoTime() - begunNanos).isLessThan(2 * TIMEOUT_MS * 1_000_000);
    assertThat(count()).isEqualTo(1);
    long endNanos = clock.nanoTime() + 600_000_000_000L;
    while (clock.nanoTime() - endNanos < 0) {
      clock.advance(500);
      a.settleOnce();
    }
    assertThat(timeouts).as("in 10 minutes, of which they take a third").isBetween(8, 22);
    net.up("b", b.service);
    settleAll();
    for (int i = 0; i < FRAMES; i++) {
      assertThat(isAcknowledged(i)).as("frame " + i).isTrue();
    }
    assertThat(count()).isZero();
  }

  /** It is not waited for, so that it is asked as before once it is there again. */
  @Test
  void oneThatRefusesConnectionsIsNotNoted() throws IOException {
    storeInEachFrame();
    net.down("b");
    a.settle();
    assertThat(count()).isZero();
    net.up("b", b.service);
    clock.advance(1_100);
    a.settle();
    assertThat(isAcknowledged(0)).isTrue();
  }

  @Test
  void aPauseGrowsAndEndsWithAnAnswer() {
    SilentPartners silent = new SilentPartners(clock, 1_000);
    assertThat(silent.mayAsk("n")).isTrue();
    silent.asked("n");
    assertThat(silent.mayAsk("n")).as("nothing is known yet").isTrue();
    silent.timedOut("n");
    silent.timedOut("n");
    clock.advance(999);
    assertThat(silent.mayAsk("n")).isFalse();
    assertThat(silent.mayAsk("m")).isTrue();
    clock.advance(1);
    assertThat(silent.mayAsk("n")).as("two calls beside each other").isTrue();
    silent.asked("n");
    assertThat(silent.mayAsk("n")).as("one asks for all").isFalse();
    silent.timedOut("n");
    clock.advance(1_999);
    assertThat(silent.mayAsk("n")).isFalse();
    clock.advance(1);
    silent.asked("n");
    silent.failed("n");
    assertThat(silent.mayAsk("n")).isTrue();
    for (int i = 0; i < 10; i++) {
      clock.advance(SilentPartners.MAX_PAUSE_MS);
      assertThat(silent.mayAsk("n")).isTrue();
      silent.asked("n");
      silent.timedOut("n");
    }
    silent.answered("n");
    assertThat(silent.mayAsk("n")).isTrue();
    assertThat(silent.count()).isZero();
    silent.timedOut("n");
    clock.advance(1_000);
    assertThat(silent.mayAsk("n")).as("the first pause again").isTrue();
  }
}
