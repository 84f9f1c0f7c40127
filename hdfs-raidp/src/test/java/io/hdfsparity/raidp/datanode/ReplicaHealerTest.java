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
import io.hdfsparity.raidp.image.Limbo;
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
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Disk a holds two frames, mirrored on b and c: two blocks at the same units of its parity. */
class ReplicaHealerTest {
  private static final long ONE = 11;
  private static final long TWO = 22;

  @TempDir Path base;
  private final ManualClock clock = new ManualClock();
  private final SimNet net = new SimNet(new Random(1), 0);
  private final byte[] one = bytes(1, 100_001);
  private final byte[] two = bytes(2, 130_000);
  private SimNode a;
  private SimNode b;
  private SimNode c;

  @BeforeEach
  void start() throws IOException {
    a = node("a", "DS-a0", "DS-a1");
    b = node("b", "DS-b0");
    c = node("c", "DS-c0");
    SimNode.pairFirst(a, b);
    a.pair(1, new Pairing(6, 1, "DS-c0", "c", 1));
    c.pair(0, new Pairing(6, 1, "DS-a1", "a", 2));
    SimFrame.store(ONE, one, a.sims.get(0), b.sims.get(0));
    SimFrame.store(TWO, two, a.sims.get(1), c.sims.get(0));
    settle();
    assertThat(a.disk.lstor().entry(0, ONE).orElseThrow().runs().get(0).start())
        .as("both begin at the same unit, so decoding one needs the other")
        .isEqualTo(a.disk.lstor().entry(1, TWO).orElseThrow().runs().get(0).start());
  }

  @AfterEach
  void stop() throws IOException {
    a.stop();
    b.stop();
    c.stop();
  }

  private SimNode node(String name, String... storages) throws IOException {
    SimNode node =
        new SimNode(base, name, List.of(storages), Mode.IDLE, Granularity.BLOCK, clock, net);
    node.start();
    return node;
  }

  private void settle() {
    SimNode.settleAll(clock, a, b, c);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] content = new byte[length];
    new Random(seed).nextBytes(content);
    return content;
  }

  private static Path data(SimNode node, int frame, long id) {
    return node.sims
        .get(frame)
        .hooks()
        .frame()
        .directory()
        .finalizedDirectory(SimFrame.POOL, id)
        .resolve("blk_" + id);
  }

  private static Path meta(SimNode node, int frame, long id) {
    Path data = data(node, frame, id);
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

  private HealReport heal() throws IOException {
    return a.service.heal(new HealRequest("DS-a0", ONE, 1001, one.length));
  }

  private static List<ScrubFinding> scrub(SimNode node) throws IOException {
    return node.service.scrub(new ScrubRequest(Optional.empty(), false, true)).findings();
  }

  private void assertHealed() throws IOException {
    assertThat(data(a, 0, ONE)).hasBinaryContent(one);
    assertThat(meta(a, 0, ONE)).hasBinaryContent(SimFrame.metaBytes(one));
    assertThat(scrub(a)).isEmpty();
    try (var files = Files.list(a.frameDirectory(0).resolve(Limbo.DIRECTORY))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aGoodReplicaIsLeftAlone() throws IOException {
    Object before = Files.readAttributes(data(a, 0, ONE), "unix:ino").get("ino");
    assertThat(heal().outcome()).isEqualTo(Outcome.GOOD);
    assertThat(Files.readAttributes(data(a, 0, ONE), "unix:ino").get("ino")).isEqualTo(before);
  }

  @Test
  void everyKindOfDamageIsHealedFromTheMirror() throws IOException {
    List<Damage> kinds =
        List.of(
            () -> flip(data(a, 0, ONE), 77_777),
            () -> flip(data(a, 0, ONE), one.length - 1),
            () -> flip(meta(a, 0, ONE), 1),
            () -> flip(meta(a, 0, ONE), 400),
            () -> cut(data(a, 0, ONE), one.length - 1),
            () -> cut(data(a, 0, ONE), 0),
            () -> cut(meta(a, 0, ONE), 100),
            () -> cut(meta(a, 0, ONE), 3),
            () -> Files.write(data(a, 0, ONE), Arrays.copyOf(one, one.length + 1)),
            () -> Files.delete(data(a, 0, ONE)),
            () -> Files.delete(meta(a, 0, ONE)));
    for (int i = 0; i < kinds.size(); i++) {
      kinds.get(i).doIt();
      HealReport report = heal();
      assertThat(report.outcome()).as("damage %s: %s", i, report).isEqualTo(Outcome.HEALED);
      assertThat(report.detail()).contains("from the mirror", "the parity agrees");
      assertHealed();
    }
  }

  private interface Damage {
    void doIt() throws IOException;
  }

  private static void cut(Path path, long length) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(length);
    }
  }

  @Test
  void withBothReplicasDamagedTheParityGivesTheBytes() throws IOException {
    flip(data(a, 0, ONE), 5);
    flip(meta(a, 0, ONE), 90);
    flip(data(b, 0, ONE), 70_000);
    HealReport report = heal();
    assertThat(report.outcome()).as(report.toString()).isEqualTo(Outcome.HEALED);
    assertThat(report.detail()).contains("from the parity");
    assertHealed();
    // The other side then has a good mirror.
    report = b.service.heal(new HealRequest("DS-b0", ONE, 1001, one.length));
    assertThat(report.detail()).contains("from the mirror");
    assertThat(data(b, 0, ONE)).hasBinaryContent(one);
  }

  @Test
  void whatTheParityNeedsIsReadFromItsMirrorIfDamaged() throws IOException {
    flip(data(a, 0, ONE), 5);
    flip(data(b, 0, ONE), 70_000);
    flip(data(a, 1, TWO), 5);
    assertThat(heal().outcome()).isEqualTo(Outcome.HEALED);
    assertThat(data(a, 0, ONE)).hasBinaryContent(one);
  }

  @Test
  void withoutAnySourceNothingChanges() throws IOException {
    flip(data(a, 0, ONE), 5);
    flip(data(b, 0, ONE), 70_000);
    flip(data(a, 1, TWO), 5);
    flip(data(c, 0, TWO), 5);
    byte[] damaged = Files.readAllBytes(data(a, 0, ONE));
    HealReport report = heal();
    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.detail()).contains("mirror: ", "parity: ", "block=" + ONE);
    assertThat(data(a, 0, ONE)).hasBinaryContent(damaged);
  }

  @Test
  void theParityIsFreedOfABlockThatIsLostEverywhere() throws IOException {
    flip(data(a, 0, ONE), 5);
    flip(data(b, 0, ONE), 70_000);
    var geometry = a.disk.lstor().geometry();
    Path lstor = DiskOpener.lstorFile(a.lstorDir(), a.disk.diskId());
    long metaBytes = (geometry.metaRegionBytes() + 4095) / 4096 * 4096;
    flip(lstor, Files.size(lstor) - metaBytes - geometry.frameBytes() + 9);
    flip(lstor, Files.size(lstor) - metaBytes + 9);
    assertThat(scrub(a)).extracting(ScrubFinding::kind).contains("parity-cell-crc");
    assertThat(heal().outcome()).isEqualTo(Outcome.FAILED);
    a.sims.get(0).delete(ONE);
    b.sims.get(0).delete(ONE);
    settle();
    assertThat(scrub(a)).isEmpty();
    assertThat(a.disk.lstor().entries()).extracting(SlotEntry::blockId).containsExactly(TWO);
  }

  @Test
  void aReplicaThatItsRowDoesNotFitIsGivenUpOnlyForAGoodMirror() throws IOException {
    // As after a cut behind HDFS' back and a restart: the row covers the shorter file.
    cut(data(a, 0, ONE), 51_200);
    a.stop();
    a.start();
    settle();
    flip(data(b, 0, ONE), 5);
    assertThat(heal().outcome()).isEqualTo(Outcome.FAILED);
    assertThat(data(a, 0, ONE)).exists();
    flip(data(b, 0, ONE), 5);
    assertThat(heal().outcome()).isEqualTo(Outcome.GIVEN_UP);
    assertThat(data(a, 0, ONE)).doesNotExist();
    // HDFS copies the mirror.
    SimFrame frame = a.sims.get(0);
    SimFrame.store(ONE, one, frame);
    settle();
    assertHealed();
    SlotEntry row = a.disk.lstor().entry(0, ONE).orElseThrow();
    assertThat(row.state()).isEqualTo(SlotState.LIVE);
    assertThat(row.coveredBytes()).isEqualTo(one.length);
  }

  /** A recovery has changed it while the order waited: the mirror has the older bytes. */
  @Test
  void anOrderThatIsOlderThanTheReplicaChangesNothing() throws IOException {
    cut(data(a, 0, ONE), 51_200);
    a.stop();
    a.start();
    settle();
    Path meta = meta(a, 0, ONE);
    Files.move(meta, meta.resolveSibling("blk_" + ONE + "_2002.meta"));
    HealReport report = heal();
    assertThat(report.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.detail()).contains("older than the replica");
    assertThat(data(a, 0, ONE)).hasSize(51_200);
    Files.move(meta.resolveSibling("blk_" + ONE + "_2002.meta"), meta);
  }

  @Test
  void scrubbingHealsWhenItIsToRepair() throws IOException {
    flip(data(a, 0, ONE), 5);
    Files.delete(meta(a, 1, TWO));
    List<ScrubFinding> findings =
        a.service.scrub(new ScrubRequest(Optional.empty(), true, true)).findings();
    assertThat(findings)
        .extracting(ScrubFinding::kind)
        .containsExactlyInAnyOrder("corrupt-replica", "missing-image");
    assertThat(findings).allMatch(ScrubFinding::repaired);
    assertHealed();
    assertThat(meta(a, 1, TWO)).hasBinaryContent(SimFrame.metaBytes(two));
  }

  @Test
  void scrubbingDoesNotCoverWhatIsLeftOfACutFile() throws IOException {
    cut(data(a, 0, ONE), 51_200);
    assertThat(scrub(a)).extracting(ScrubFinding::kind).contains("missing-image");
    settle();
    assertThat(a.disk.lstor().entry(0, ONE).orElseThrow().coveredBytes()).isEqualTo(one.length);
    assertThat(heal().outcome()).isEqualTo(Outcome.HEALED);
  }
}
