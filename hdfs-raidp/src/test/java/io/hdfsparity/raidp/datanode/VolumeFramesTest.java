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
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes of two frames: a's are paired with b's first and c's first. */
class VolumeFramesTest {
  private static final long ID = 1_073_741_900L;
  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private SimNode a;
  private SimNode b;
  private SimNode c;

  @BeforeEach
  void start() throws IOException {
    a = node("a");
    b = node("b");
    c = node("c");
    a.pair(0, new Pairing(5, 1, "DS-b", "b", 2));
    b.pair(0, new Pairing(5, 1, "DS-a", "a", 1));
    a.pair(1, new Pairing(6, 1, "DS-c", "c", 2));
    c.pair(0, new Pairing(6, 1, "DS-a", "a", 1));
  }

  private SimNode node(String name) throws IOException {
    SimNode node =
        new SimNode(base, name, List.of("DS-" + name), 2, Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    return node;
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
    c.stop();
  }

  private static void store(long id, byte[] content, SimFrame... pair) throws IOException {
    for (SimFrame frame : pair) {
      frame.reserve(id, SimNode.MAX_BLOCK);
    }
    for (SimFrame frame : pair) {
      frame.write(id, 1001, content);
      frame.finish(id, 1001, content.length);
    }
  }

  private void settle() {
    for (int i = 0; i < 20; i++) {
      clock.advance(31_000);
      a.settle();
      b.settle();
      c.settle();
    }
  }

  private static byte[] bytes(int length) {
    byte[] content = new byte[length];
    new Random(length).nextBytes(content);
    return content;
  }

  private static VolumeFrames volume(SimNode node) {
    return node.sims.get(0).volume();
  }

  @Test
  void pairingsOfAllFramesSurviveARestart() throws IOException {
    a.stop();
    a.start();
    assertThat(a.sims.get(0).hooks().frame().pairing()).contains(new Pairing(5, 1, "DS-b", "b", 2));
    assertThat(a.sims.get(1).hooks().frame().pairing()).contains(new Pairing(6, 1, "DS-c", "c", 2));
    assertThat(b.sims.get(1).hooks().frame().pairing()).isEmpty();
  }

  @Test
  void aBlockHasRowsInOneFrameOfAVolume() throws IOException {
    store(ID, bytes(1000), a.sims.get(0), b.sims.get(0));
    store(ID + 1, bytes(1000), a.sims.get(1), c.sims.get(0));
    settle();
    SuperchunkRef other = new SuperchunkRef(6, 1);
    assertThatThrownBy(() -> a.service.allocate(other, ID, 1, Optional.empty()))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("frameIndex=1, expected no row in frame 0 of the volume");
    a.sims.get(0).delete(ID);
    b.sims.get(0).delete(ID);
    settle();
    assertThat(a.service.allocate(other, ID, 1, Optional.empty())).isNotEmpty();
    assertThat(a.disk.lstor().entry(1, ID)).isPresent();
  }

  @Test
  void rowsAreListedBySuperchunk() throws IOException {
    store(ID, bytes(1000), a.sims.get(0), b.sims.get(0));
    store(ID + 1, bytes(1000), a.sims.get(1), c.sims.get(0));
    assertThat(a.service.listEntries("DS-a")).hasSize(2);
    assertThat(a.service.listEntries("DS-a", OptionalLong.of(6)))
        .extracting(SlotEntry::blockId)
        .containsExactly(ID + 1);
    assertThatThrownBy(() -> a.service.listEntries("DS-a", OptionalLong.of(7)))
        .isInstanceOf(PeerException.UnknownSuperchunk.class);
  }

  @Test
  void aFrameThatItsSuperchunkHasLeftTakesNoNewReplica() throws IOException {
    store(ID, bytes(1000), a.sims.get(0), b.sims.get(0));
    settle();
    a.sims.get(0).delete(ID);
    a.sims.get(0).hooks().frame().superseded(true);
    assertThatThrownBy(() -> a.sims.get(1).reserve(ID, 1000))
        .isInstanceOf(PeerException.Busy.class)
        .hasMessageContaining("expected no row in frame 0, which its superchunk has left");
    settle();
    a.sims.get(1).reserve(ID, 1000);
    assertThat(a.disk.lstor().entry(1, ID).map(SlotEntry::state)).contains(SlotState.RESERVED);
  }

  /** A leader learns of its rows from the follower; a follower has to be told by someone. */
  @Test
  void aReplicaThatLostItsRowIsPlainUntilAFrameClaimsIt() throws IOException {
    byte[] content = bytes(100_000);
    store(ID, content, a.sims.get(0), b.sims.get(0));
    settle();
    String disk = b.disk.diskId();
    b.stop();
    Files.createFile(DiskOpener.rebuildMarker(b.lstorDir(), disk));
    // Else it would say to which frame the block belongs.
    net.down("a");
    b.start();
    Frame owner = b.sims.get(0).hooks().frame();
    // As a frame's queue may hold it from the time before the block left the frame.
    owner.schedule(ID);
    settle();
    assertThat(b.disk.lstor().entries()).isEmpty();
    assertThat(b.sims.get(0).content(ID)).isEqualTo(content);
    assertThat(volume(b).engineOf(ID)).isEmpty();
    volume(b).volume().claim(ID, owner);
    net.up("a", a.service);
    owner.schedule(ID);
    b.sims.get(1).hooks().frame().schedule(ID);
    settle();
    assertThat(b.disk.lstor().entry(0, ID).orElseThrow())
        .matches(row -> row.coveredBytes() == 100_000 && !row.ackPending());
    assertThat(b.disk.lstor().entry(1, ID)).isEmpty();
    for (SimNode node : List.of(a, b, c)) {
      assertThat(node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings())
          .isEmpty();
    }
  }
}
