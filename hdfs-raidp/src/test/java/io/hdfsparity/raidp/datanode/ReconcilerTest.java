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
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealReport.Outcome;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.ScrubFinding;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a start leaves of rows whose replicas are damaged or gone. Disk a has three frames, mirrored
 * on b, c and d, with a block each; all begin at the same unit of a's parity.
 */
class ReconcilerTest {
  private static final long ONE = 11;
  private static final long TWO = 22;
  private static final long THREE = 33;

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private final byte[] one = bytes(1, 100_001);
  private final byte[] two = bytes(2, 390_000);
  private final byte[] three = bytes(3, 390_000);
  private SimNode a;
  private SimNode b;
  private SimNode c;
  private SimNode d;

  @BeforeEach
  void start() throws IOException {
    a = node("a", "DS-a0", "DS-a1", "DS-a2");
    b = node("b", "DS-b0");
    c = node("c", "DS-c0");
    d = node("d", "DS-d0");
    SimNode.pairFirst(a, b);
    a.pair(1, new Pairing(6, 1, "DS-c0", "c", 1));
    c.pair(0, new Pairing(6, 1, "DS-a1", "a", 2));
    a.pair(2, new Pairing(7, 1, "DS-d0", "d", 1));
    d.pair(0, new Pairing(7, 1, "DS-a2", "a", 2));
    SimFrame.store(ONE, one, a.sims.get(0), b.sims.get(0));
    SimFrame.store(TWO, two, a.sims.get(1), c.sims.get(0));
    SimFrame.store(THREE, three, a.sims.get(2), d.sims.get(0));
    settle();
    assertThat(a.disk.lstor().entries())
        .as("all begin at the same unit, so each needs the others")
        .extracting(row -> row.runs().get(0).start())
        .containsOnly(a.disk.lstor().entry(0, ONE).orElseThrow().runs().get(0).start());
  }

  @AfterEach
  void stop() throws IOException {
    for (SimNode node : List.of(a, b, c, d)) {
      node.stop();
    }
  }

  private SimNode node(String name, String... storages) throws IOException {
    SimNode node =
        new SimNode(base, name, List.of(storages), Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    return node;
  }

  private void settle() {
    SimNode.settleAll(clock, a, b, c, d);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  private Path data(int frame, long id) throws IOException {
    return a.sims.get(frame).path(id);
  }

  private Path meta(int frame, long id) throws IOException {
    Path data = data(frame, id);
    return data.resolveSibling(data.getFileName() + "_1001.meta");
  }

  private static void flip(Path path, long at) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(at);
      int was = file.read();
      file.seek(at);
      file.write(was ^ 1);
    }
  }

  private static void cut(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
  }

  private SlotEntry row(int frame, long id) {
    return a.disk.lstor().entry(frame, id).orElseThrow();
  }

  private HealReport heal(int frame, long id, byte[] content) throws IOException {
    return a.service.heal(new HealRequest("DS-a" + frame, id, 1001, content.length));
  }

  private List<ScrubFinding> scrub() throws IOException {
    return a.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings();
  }

  // ---------------------------------------------------------------- damaged replicas

  /** The other replica is gone, and so is its Lstor: the parity has the only good bytes. */
  @Test
  void aReplicaWithADamagedEndIsHealedFromTheParity() throws IOException {
    flip(data(0, ONE), one.length - 1);
    assertHealedFromTheParity();
  }

  @Test
  void aReplicaWithoutItsLastChecksumsIsHealedFromTheParity() throws IOException {
    cut(meta(0, ONE), 100);
    assertHealedFromTheParity();
  }

  @Test
  void aReplicaWithADamagedFormOfChecksumsIsHealedFromTheParity() throws IOException {
    flip(meta(0, ONE), 6);
    assertHealedFromTheParity();
  }

  private void assertHealedFromTheParity() throws IOException {
    a.stop();
    net.down("b");
    net.declareDead("b");
    a.start();
    assertThat(a.damaged).as("HDFS does not serve yet").isEmpty();
    SimNode.settleAll(clock, a, c, d);
    assertThat(row(0, ONE))
        .matches(row -> row.state() == SlotState.LIVE && row.coveredBytes() == one.length);
    assertThat(a.damaged).containsExactly(ONE);
    HealReport report = heal(0, ONE, one);
    assertThat(report.outcome()).as(report.toString()).isEqualTo(Outcome.HEALED);
    assertThat(report.detail()).contains("from the parity");
    assertThat(data(0, ONE)).hasBinaryContent(one);
    assertThat(scrub()).isEmpty();
  }

  /** As when the process has no more file handles. */
  @Test
  void aReplicaThatCannotBeReadAtTheStartStaysInTheParity() throws IOException {
    SlotEntry before = row(0, ONE);
    a.stop();
    Path meta = meta(0, ONE);
    Path aside = base.resolve("aside");
    Files.move(meta, aside);
    Files.createSymbolicLink(meta, meta.getFileName());
    a.start();
    assertThat(row(0, ONE)).isEqualTo(before);
    Files.delete(meta);
    Files.move(aside, meta);
    settle();
    assertThat(row(0, ONE)).isEqualTo(before);
    assertThat(a.damaged).as("readable again").isEmpty();
    assertThat(scrub()).isEmpty();
  }

  // ---------------------------------------------------------------- lost replicas

  /** Partners are not known while a disk is reconciled. */
  private void startAlone() throws IOException {
    for (String partner : List.of("b", "c", "d")) {
      net.down(partner);
    }
    a.start();
  }

  private void partnersAreKnown() {
    net.up("b", b.service);
    net.up("c", c.service);
    net.up("d", d.service);
  }

  /** As after a power failure that has cut a closed file. */
  @Test
  void anUnreadableByteOfAnotherBlockDoesNotFailTheDisk() throws IOException {
    a.stop();
    cut(data(0, ONE), 51_200);
    flip(data(2, THREE), 5);
    startAlone();
    assertThat(row(0, ONE).coversAnything()).as("its parity is as good as before").isTrue();
    assertThat(row(2, THREE).coveredBytes()).isEqualTo(three.length);
    SimNode.settleAll(clock, a);
    assertThat(a.damaged).as("HDFS is asked to look at what stands in the way").contains(THREE);
    assertThat(row(0, ONE).coversAnything()).isTrue();
    partnersAreKnown();
    settle();
    assertThat(row(0, ONE))
        .matches(row -> row.state() == SlotState.LIVE && row.coveredBytes() == 51_200);
    assertThat(heal(2, THREE, three).outcome()).isEqualTo(Outcome.HEALED);
    assertThat(scrub()).isEmpty();
  }

  /** The first one has taken the bytes of the second one out of the units that they share. */
  @Test
  void theSecondOfTwoLostBlocksIsNotTakenOutTwice() throws IOException {
    loseTwo();
    assertThat(row(0, ONE).coversAnything()).isFalse();
    assertThat(row(1, TWO).coversAnything()).isTrue();
    partnersAreKnown();
    settle();
    assertThat(row(1, TWO)).matches(row -> row.state() == SlotState.LIMBO && !row.coversAnything());
    assertThat(heal(2, THREE, three).outcome()).isEqualTo(Outcome.HEALED);
    assertThat(scrub()).isEmpty();
  }

  @Test
  void aLostBlockThatIsMadeAgainBeforeItIsSettledLeavesTheParityFirst() throws IOException {
    loseTwo();
    partnersAreKnown();
    SimFrame frame = a.sims.get(1);
    SimFrame.store(TWO, two, frame);
    settle();
    assertThat(row(1, TWO))
        .matches(row -> row.state() == SlotState.LIVE && row.coveredBytes() == two.length);
    assertThat(heal(2, THREE, three).outcome()).isEqualTo(Outcome.HEALED);
    assertThat(scrub()).isEmpty();
  }

  /** ONE has left the parity at the start, TWO could not, as an end of THREE is unreadable. */
  private void loseTwo() throws IOException {
    a.stop();
    for (Path data : List.of(data(0, ONE), data(1, TWO))) {
      Files.delete(data);
      Files.delete(data.resolveSibling(data.getFileName() + "_1001.meta"));
    }
    flip(data(2, THREE), 380_000);
    startAlone();
  }

  /** Its parity may lack bytes that another lost block has taken with it. */
  @Test
  void aLostBlockIsNotHealedInPlace() throws IOException {
    a.stop();
    cut(data(0, ONE), 51_200);
    flip(data(2, THREE), 5);
    startAlone();
    partnersAreKnown();
    assertThat(heal(0, ONE, one).outcome()).isEqualTo(Outcome.GIVEN_UP);
    settle();
    assertThat(row(0, ONE)).matches(row -> row.state() == SlotState.LIMBO && !row.coversAnything());
    assertThat(heal(2, THREE, three).outcome()).isEqualTo(Outcome.HEALED);
    assertThat(scrub()).isEmpty();
  }
}
