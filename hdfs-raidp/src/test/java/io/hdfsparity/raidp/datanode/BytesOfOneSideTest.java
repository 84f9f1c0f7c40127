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
import io.hdfsparity.raidp.image.ImageException;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
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
 * Node a is the last one of a pipeline, and has covered a packet that b passed on and never wrote.
 * Then a and the client fail, and somebody else writes on at b: what b has there is not what a
 * covered.
 */
class BytesOfOneSideTest {
  private static final long ID = 1_073_741_900L;
  private static final int HELD = 1500;
  private static final byte[] COVERED = bytes(1, 2000);
  private static final byte[] OTHER = other();

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;
  private SimFrame onA;
  private SimFrame onB;

  @BeforeEach
  void start() throws IOException {
    a = node("a");
    b = node("b");
    SimNode.pairFirst(a, b);
    onA = a.sims.get(0);
    onB = b.sims.get(0);
    for (SimFrame sim : List.of(onA, onB)) {
      sim.reserve(ID, SimNode.MAX_BLOCK);
    }
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
  }

  private SimNode node(String name) throws IOException {
    return SimNode.started(base, name, Granularity.PACKET, clock, net);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static byte[] other() {
    byte[] other = bytes(2, 2500);
    System.arraycopy(COVERED, 0, other, 0, HELD);
    return other;
  }

  private static void write(SimFrame sim, long stamp, byte[] content) throws IOException {
    sim.write(ID, stamp, content);
    sim.packet(ID, stamp, content.length);
  }

  private void failA() {
    net.down("a");
    net.declareDead("a");
  }

  private byte[] read(long stamp, int prefix) throws IOException {
    return b.service.readImage(
        new ImageRequest(
            "DS-b0",
            ID,
            stamp,
            prefix,
            ImageKind.DATA,
            0,
            prefix,
            Optional.of(new SuperchunkRef(5, 1))));
  }

  private void assertServesWhatItHeld(long stamp) throws IOException {
    for (int prefix : new int[] {1, 512, 1024, HELD}) {
      assertThat(read(stamp, prefix)).isEqualTo(Arrays.copyOf(COVERED, prefix));
    }
    for (int prefix : new int[] {HELD + 1, 1536, COVERED.length}) {
      assertThatThrownBy(() -> read(stamp, prefix)).isInstanceOf(ImageException.NotHeld.class);
    }
  }

  private void writeBoth() throws IOException {
    write(onA, 1001, COVERED);
    write(onB, 1001, Arrays.copyOf(COVERED, HELD));
  }

  @Test
  void aBlockThatWasRecoveredAndAppendedTo() throws IOException {
    writeBoth();
    failA();
    onB.bump(ID, 1001, 1002);
    onB.finish(ID, 1002, HELD);
    assertServesWhatItHeld(1001);
    onB.reopen(ID, 1002, 1003, SimNode.MAX_BLOCK);
    write(onB, 1003, OTHER);
    assertServesWhatItHeld(1001);
    onB.finish(ID, 1003, OTHER.length);
    SimNode.settleAll(clock, b);
    assertServesWhatItHeld(1001);
    assertThat(read(1003, OTHER.length)).isEqualTo(OTHER);
    b.crash();
    assertServesWhatItHeld(1001);
  }

  @Test
  void aPipelineThatGoesOn() throws IOException {
    writeBoth();
    failA();
    onB.bump(ID, 1001, 1002);
    onB.write(ID, 1002, OTHER);
    assertServesWhatItHeld(1001);
    onB.packet(ID, 1002, OTHER.length);
    assertServesWhatItHeld(1001);
  }

  /** The row of b still has the stamp of before the append, at which both sides agree. */
  @Test
  void anAppendOfWhichOneSideHasNothing() throws IOException {
    for (SimFrame sim : List.of(onA, onB)) {
      write(sim, 1001, Arrays.copyOf(COVERED, HELD));
      sim.finish(ID, 1001, HELD);
    }
    SimNode.settleAll(clock, a, b);
    for (SimFrame sim : List.of(onA, onB)) {
      sim.reopen(ID, 1001, 1002, SimNode.MAX_BLOCK);
    }
    write(onA, 1002, COVERED);
    failA();
    onB.bump(ID, 1002, 1003);
    write(onB, 1003, OTHER);
    assertServesWhatItHeld(1002);
  }

  @Test
  void theNoteGoesWhenBothSidesAgree() throws IOException {
    writeBoth();
    onA.cutInPlace(ID, 1001, HELD);
    for (SimFrame sim : List.of(onA, onB)) {
      sim.bump(ID, 1001, 1002);
      sim.finish(ID, 1002, HELD);
    }
    assertThat(onB.hooks().frame().limbo().holds(ID)).isTrue();
    SimNode.settleAll(clock, a, b);
    assertThat(onB.hooks().frame().limbo().holds(ID)).isFalse();
  }
}
