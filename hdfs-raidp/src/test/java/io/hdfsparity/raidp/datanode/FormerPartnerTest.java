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
import io.hdfsparity.raidp.lstor.SlotCause;
import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.ImageKind;
import io.hdfsparity.raidp.wire.message.ImageRequest;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.SuperchunkRef;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
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
 * Node a has failed, and b has gone on with c. What b serves to rebuilds by a's Lstor: the rows of
 * a are those of the time before.
 */
class FormerPartnerTest {
  private static final long CHANGED = 1_073_741_900L;
  private static final long STILL = 1_073_741_901L;
  private static final SuperchunkRef OF_A = new SuperchunkRef(5, 1);
  private static final SuperchunkRef OF_C = new SuperchunkRef(5, 2);
  private static final byte[] OLD = bytes(1, 2000);

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
    SimNode.pairFirst(a, b);
    for (long id : List.of(CHANGED, STILL)) {
      store(id, a, b);
    }
    SimNode.settleAll(clock, a, b);
  }

  @AfterEach
  void stop() throws IOException {
    b.stop();
    c.stop();
  }

  private SimNode node(String name) throws IOException {
    return SimNode.started(base, name, Granularity.BLOCK, clock, net);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static void store(long id, SimNode... nodes) throws IOException {
    for (SimNode node : nodes) {
      node.sims.get(0).reserve(id, SimNode.MAX_BLOCK);
    }
    for (SimNode node : nodes) {
      node.sims.get(0).write(id, 1001, OLD);
      node.sims.get(0).finish(id, 1001, OLD.length);
    }
  }

  private void failA() throws IOException {
    a.stop();
    net.declareDead("a");
  }

  private void pairWithC() throws IOException {
    pairWithEmptyC();
    store(CHANGED, c);
    store(STILL, c);
    SimNode.settleAll(clock, b, c);
  }

  private void pairWithEmptyC() throws IOException {
    b.pair(0, new Pairing(5, 2, "DS-c0", "c", 1));
    c.pair(0, new Pairing(5, 2, "DS-b0", "b", 2));
    b.sims.get(0).hooks().frame().schedule(Settler.FETCH_ROWS);
    SimNode.settleAll(clock, b, c);
  }

  /** A client cuts the block, and appends other bytes up to the length of before. */
  private static byte[] rewriteTail(SimNode... nodes) throws IOException {
    byte[] now = bytes(2, OLD.length);
    System.arraycopy(OLD, 0, now, 0, 700);
    for (SimNode node : nodes) {
      node.sims.get(0).truncate(CHANGED, 1001, 1003, 700);
    }
    for (SimNode node : nodes) {
      node.sims.get(0).reopen(CHANGED, 1003, 1004, SimNode.MAX_BLOCK);
      node.sims.get(0).write(CHANGED, 1004, now);
      node.sims.get(0).finish(CHANGED, 1004, now.length);
    }
    return now;
  }

  private byte[] read(long id, long stamp, Optional<SuperchunkRef> pair) throws IOException {
    return b.service.readImage(
        new ImageRequest("DS-b0", id, stamp, OLD.length, ImageKind.DATA, 0, OLD.length, pair));
  }

  @Test
  void limboServesTheRowsOfAFailedPartnerUntilThePairChanges() throws IOException {
    failA();
    byte[] now = rewriteTail(b);
    SimNode.settleAll(clock, b);
    assertThat(read(CHANGED, 1001, Optional.of(OF_A))).isEqualTo(OLD);
    assertThat(read(CHANGED, 1004, Optional.of(OF_A))).isEqualTo(now);
  }

  /** As after a new Lstor: HDFS alone has changed the replica, and limbo has nothing of it. */
  @Test
  void aReplicaWithoutARowIsRefusedUnderOlderStamps() throws IOException {
    failA();
    loseRowOfB(CHANGED);
    byte[] now = rewriteTail(b);
    assertThatThrownBy(() -> read(CHANGED, 1001, Optional.of(OF_A)))
        .isInstanceOf(ImageException.NotHeld.class);
    assertThat(read(CHANGED, 1004, Optional.of(OF_A))).isEqualTo(now);
  }

  /** Nor does the row that it gets later prove anything of the time before. */
  @Test
  void aReplicaThatIsTakenInAgainIsRefusedUnderOlderStamps() throws IOException {
    failA();
    loseRowOfB(CHANGED);
    byte[] now = rewriteTail(b);
    assertThat(b.service.cover("DS-b0", OF_A, List.of(CHANGED))).containsExactly(CHANGED);
    SimNode.settleAll(clock, b);
    assertThat(b.disk.lstor().entry(0, CHANGED))
        .get()
        .matches(row -> row.generationStamp() == 1004 && row.coveredBytes() == now.length);
    assertThatThrownBy(() -> read(CHANGED, 1001, Optional.of(OF_A)))
        .isInstanceOf(ImageException.NotHeld.class);
    assertThat(read(CHANGED, 1004, Optional.of(OF_A))).isEqualTo(now);
  }

  /** A client could fill the disk past its quota. */
  @Test
  void cutsAreRefusedWhenThePartnerHasNotAcknowledgedManyBytesOfEarlierOnes() throws IOException {
    failA();
    byte[] large = bytes(3, SimNode.MAX_BLOCK);
    long stamp = 1001;
    SimFrame sim = b.sims.get(0);
    IOException refused = null;
    for (int round = 0; round < 20 && refused == null; round++) {
      try {
        sim.truncate(CHANGED, stamp, stamp + 1, 1);
        sim.reopen(CHANGED, stamp + 1, stamp + 2, SimNode.MAX_BLOCK);
        sim.write(CHANGED, stamp + 2, large);
        sim.finish(CHANGED, stamp + 2, large.length);
        stamp += 2;
      } catch (IOException e) {
        refused = e;
      }
      SimNode.settleAll(clock, b);
      assertThat(sim.hooks().frame().limbo().bytes()).isLessThan(4L * SimNode.MAX_BLOCK);
    }
    assertThat(refused)
        .hasMessageContaining("Cannot truncate block: block=" + CHANGED)
        .hasMessageContaining("expected at most " + 2 * SimNode.MAX_BLOCK);
    assertThat(read(CHANGED, 1001, Optional.of(OF_A))).isEqualTo(OLD);
    assertThat(sim.content(CHANGED)).isEqualTo(large);
    pairWithEmptyC();
    c.sims.get(0).reserve(CHANGED, SimNode.MAX_BLOCK);
    c.sims.get(0).write(CHANGED, stamp, large);
    c.sims.get(0).finish(CHANGED, stamp, large.length);
    SimNode.settleAll(clock, b, c);
    assertThat(sim.hooks().frame().limbo().holds(CHANGED)).isFalse();
    sim.truncate(CHANGED, stamp, stamp + 1, 1);
  }

  private void loseRowOfB(long id) throws IOException {
    b.sims.get(0).hooks().coverage().uncover(b.disk.lstor().entry(0, id).orElseThrow());
    b.disk.lstor().remove(0, id, SlotCause.MOVED_OUT);
  }

  @Test
  void aReplicaThatChangedForAnotherPartnerIsRefused() throws IOException {
    failA();
    pairWithC();
    byte[] now = rewriteTail(b, c);
    SimNode.settleAll(clock, b, c);
    assertThat(b.sims.get(0).hooks().frame().limbo().holds(CHANGED)).isFalse();
    assertThatThrownBy(() -> read(CHANGED, 1001, Optional.of(OF_A)))
        .isInstanceOf(ImageException.NotHeld.class)
        .hasMessageContaining("expected a replica or limbo with exactly that stamp");
    assertThatThrownBy(() -> read(CHANGED, 1001, Optional.empty()))
        .isInstanceOf(ImageException.NotHeld.class);
    assertThat(read(CHANGED, 1004, Optional.of(OF_C))).isEqualTo(now);
  }

  @Test
  void aReplicaOfTheSameStampServesWhoeverAsks() throws IOException {
    failA();
    pairWithC();
    for (Optional<SuperchunkRef> pair :
        List.of(Optional.of(OF_A), Optional.of(OF_C), Optional.<SuperchunkRef>empty())) {
      assertThat(read(STILL, 1001, pair)).isEqualTo(OLD);
    }
    // Limbo has the stamp that was asked for.
    rewriteTail(b);
    assertThat(read(CHANGED, 1001, Optional.of(OF_A))).isEqualTo(OLD);
  }

  /** It learns of b's new partner late, and would take other bytes out than are in its parity. */
  @Test
  void aNodeThatIsBackTakesNoForeignBytesOutOfItsParity() throws IOException {
    net.down("a");
    pairWithC();
    rewriteTail(b, c);
    SimNode.settleAll(clock, b, c);
    net.up("a", a.service);
    Frame frame = a.sims.get(0).hooks().frame();
    SlotEntry row = a.disk.lstor().entry(0, CHANGED).orElseThrow();
    Files.delete(a.sims.get(0).path(CHANGED));
    try (RowImage image = new RowImage(frame, row)) {
      ByteBuffer data = ByteBuffer.allocate(OLD.length);
      assertThatThrownBy(() -> image.readData(0, data)).isInstanceOf(IOException.class);
    }
    SlotEntry still = a.disk.lstor().entry(0, STILL).orElseThrow();
    Files.delete(a.sims.get(0).path(STILL));
    try (RowImage image = new RowImage(frame, still)) {
      ByteBuffer data = ByteBuffer.allocate(OLD.length);
      image.readData(0, data);
      assertThat(Arrays.equals(data.array(), OLD)).isTrue();
    }
    a.stop();
  }
}
