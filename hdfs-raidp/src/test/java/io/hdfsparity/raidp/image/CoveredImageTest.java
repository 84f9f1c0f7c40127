/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CoveredImageTest {
  private static final String POOL = "BP-1";
  private static final long ID = 1_073_800_000L;
  private static final int BPC = 512;
  @TempDir Path root;
  private FrameDirectory frame;
  private Limbo limbo;

  @BeforeEach
  void open() throws IOException {
    frame = new FrameDirectory(root);
    limbo = Limbo.open(frame, List.of(POOL));
  }

  private static byte[] bytes(long seed, int length) {
    byte[] b = new byte[length];
    new Random(seed).nextBytes(b);
    return b;
  }

  private static byte[] meta(byte[] content) {
    ByteBuffer out = ByteBuffer.allocate(7 + 4 * ((content.length + BPC - 1) / BPC));
    out.putShort((short) 1).put((byte) 2).putInt(BPC);
    for (int at = 0; at < content.length; at += BPC) {
      CRC32C crc = new CRC32C();
      crc.update(content, at, Math.min(BPC, content.length - at));
      out.putInt((int) crc.getValue());
    }
    return out.array();
  }

  private ReplicaFiles put(Path directory, long stamp, byte[] content) throws IOException {
    Files.createDirectories(directory);
    ReplicaFiles files =
        new ReplicaFiles(
            ID,
            stamp,
            directory.resolve("blk_" + ID),
            directory.resolve("blk_" + ID + "_" + stamp + ".meta"));
    Files.write(files.data(), content);
    Files.write(files.meta(), meta(content));
    return files;
  }

  private ReplicaFiles live(long stamp, byte[] content) throws IOException {
    return put(frame.finalizedDirectory(POOL, ID), stamp, content);
  }

  /** What HDFS does to a replica that is cut, after the hook. */
  private ReplicaFiles cut(ReplicaFiles old, long newStamp, byte[] content, int length)
      throws IOException {
    limbo.saveTail(old, length);
    Files.delete(old.data());
    Files.delete(old.meta());
    return live(newStamp, Arrays.copyOf(content, length));
  }

  private void assertServes(long stamp, byte[] expected) throws IOException {
    assertServes(stamp, expected, StampRule.SAME_OR_NEWER);
  }

  private void assertServes(long stamp, byte[] expected, StampRule rule) throws IOException {
    try (CoveredImage image = CoveredImage.of(frame, limbo, POOL, ID, stamp, rule)) {
      ByteBuffer data = ByteBuffer.allocate(expected.length);
      image.readData(0, data);
      assertThat(data.array()).isEqualTo(expected);
      byte[] expectedMeta = meta(expected);
      for (int from : new int[] {0, 3, 7, 9, expectedMeta.length - 1}) {
        if (from < expectedMeta.length) {
          ByteBuffer part = ByteBuffer.allocate(expectedMeta.length - from);
          image.readMeta(expected.length, from, part);
          assertThat(part.array())
              .isEqualTo(Arrays.copyOfRange(expectedMeta, from, expectedMeta.length));
        }
      }
    }
  }

  private void assertRefused(long stamp, int length) {
    assertThatThrownBy(
            () -> {
              try (CoveredImage image =
                  CoveredImage.of(frame, limbo, POOL, ID, stamp, StampRule.SAME_OR_NEWER)) {
                image.readData(0, ByteBuffer.allocate(length));
              }
            })
        .isInstanceOf(ImageException.class);
  }

  @Test
  void directoriesAreThoseOfHdfs() {
    assertThat(frame.finalizedDirectory(POOL, ID).toFile())
        .isEqualTo(
            DatanodeUtil.idToBlockDir(root.resolve("current/BP-1/current/finalized").toFile(), ID));
  }

  @Test
  void everyPrefixOfALiveReplica() throws IOException {
    byte[] content = bytes(1, 3 * BPC + 77);
    live(1001, content);
    for (int length : new int[] {0, 1, 511, 512, 513, 1024, 1536, 1537, content.length}) {
      assertServes(1001, Arrays.copyOf(content, length));
    }
    assertRefused(1001, content.length + 1);
    assertRefused(1002, 1);
  }

  /** After a new Lstor: limbo has no row, and is not dropped. */
  @Test
  void aDamagedReplicaInLimboHidesNoSoundOneOfTheSameStamp() throws IOException {
    byte[] content = bytes(7, 300 * BPC + 77);
    limbo.take(live(1001, content));
    Path kept;
    try (Stream<Path> files = Files.list(root.resolve(Limbo.DIRECTORY))) {
      kept = files.filter(file -> file.toString().endsWith(".data")).findFirst().orElseThrow();
    }
    byte[] damaged = content.clone();
    damaged[5 * BPC]++;
    damaged[content.length - 1]++;
    Files.write(kept, damaged);
    assertRefused(1001, content.length);
    ReplicaFiles newer = live(1003, content);
    assertRefused(1001, content.length);
    Files.delete(newer.data());
    Files.delete(newer.meta());
    live(1001, content);
    assertServes(1001, content);
    assertServes(1001, content, StampRule.SAME);
  }

  /** Reads of any kind on one image, so that what one leaves behind meets the next. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void readsInAnyOrderAreThoseOfTheFiles(long seed) throws IOException {
    Random random = new Random(seed);
    byte[] old = bytes(seed, 1 + random.nextInt(1 << 20));
    int length = random.nextInt(old.length + 1);
    cut(live(1001, old), 1003, old, length);
    long stamp = random.nextBoolean() ? 1001 : 1003;
    byte[] content = stamp == 1001 ? old : Arrays.copyOf(old, length);
    try (CoveredImage image =
        CoveredImage.of(frame, limbo, POOL, ID, stamp, StampRule.SAME_OR_NEWER)) {
      for (int read = 0; read < 60; read++) {
        int to = random.nextInt(content.length + 1);
        int from = random.nextInt(to + 1);
        if (random.nextBoolean()) {
          from = from / BPC * BPC;
        }
        if (random.nextInt(3) > 0) {
          ByteBuffer data = buffer(random, to - from);
          image.readData(from, data);
          assertThat(data.flip()).isEqualTo(ByteBuffer.wrap(content, from, to - from));
        } else {
          byte[] meta = meta(Arrays.copyOf(content, to));
          int metaFrom = random.nextInt(meta.length);
          ByteBuffer part = buffer(random, meta.length - metaFrom);
          image.readMeta(to, metaFrom, part);
          assertThat(part.flip())
              .isEqualTo(ByteBuffer.wrap(meta, metaFrom, meta.length - metaFrom));
        }
      }
    }
  }

  private static ByteBuffer buffer(Random random, int bytes) {
    return random.nextBoolean() ? ByteBuffer.allocate(bytes) : ByteBuffer.allocateDirect(bytes);
  }

  @Test
  void aCutReplicaServesBothItsLives() throws IOException {
    byte[] old = bytes(1, 3000);
    ReplicaFiles cut = cut(live(1001, old), 1003, old, 700);
    assertServes(1001, old);
    assertServes(1003, Arrays.copyOf(old, 700));
    assertRefused(1003, 701);
    // Appended with other bytes than those that were cut off.
    byte[] other = Arrays.copyOf(old, 5000);
    System.arraycopy(bytes(2, 4300), 0, other, 700, 4300);
    Files.delete(cut.data());
    Files.delete(cut.meta());
    ReplicaFiles appended = live(1004, other);
    assertServes(1001, old);
    assertServes(1004, other);
    // And cut once more, below the first cut.
    cut(appended, 1006, other, 300);
    assertServes(1001, old);
    assertServes(1004, other);
    assertServes(1006, Arrays.copyOf(other, 300));
  }

  /** Limbo is dropped when this side agrees with a partner, which may be another one by then. */
  @Test
  void aCutReplicaWithoutLimboServesItsVeryStampOnly() throws IOException {
    byte[] old = bytes(1, 3000);
    ReplicaFiles cut = cut(live(1001, old), 1003, old, 700);
    limbo.drop(ID);
    Files.delete(cut.data());
    Files.delete(cut.meta());
    byte[] other = Arrays.copyOf(old, 3000);
    System.arraycopy(bytes(2, 2300), 0, other, 700, 2300);
    live(1004, other);
    assertThatThrownBy(
            () -> CoveredImage.of(frame, limbo, POOL, ID, 1001, StampRule.SAME).heldBytes())
        .isInstanceOf(ImageException.NotHeld.class)
        .hasMessageContaining("generationStamp=1001, expected a replica or limbo with exactly");
    assertServes(1004, other, StampRule.SAME);
    assertServes(1004, other);
  }

  @Test
  void bytesPastACutAreNotGuessed() throws IOException {
    // We held 1000 bytes of stamp 1001 when we were cut; a partner that claims 1200 of that stamp
    // had bytes that we never saw.
    byte[] old = bytes(1, 1000);
    ReplicaFiles cut = cut(live(1001, old), 1003, old, 400);
    Files.delete(cut.data());
    Files.delete(cut.meta());
    byte[] other = Arrays.copyOf(old, 2000);
    System.arraycopy(bytes(2, 1600), 0, other, 400, 1600);
    live(1004, other);
    assertServes(1001, old);
    assertRefused(1001, 1200);
    assertServes(1004, other);
  }

  @Test
  void bytesPastANotedLengthAreNotGuessed() throws IOException {
    // We held 1000 bytes of stamp 1001, and nobody cut them.
    byte[] now = bytes(1, 3000);
    limbo.saveLength(live(1003, now), 1000);
    for (int i = 0; i < 2; i++) {
      for (int length : new int[] {1, 512, 513, 1000}) {
        assertServes(1001, Arrays.copyOf(now, length));
      }
      for (int length : new int[] {1001, 1024, 3000}) {
        assertRefused(1001, length);
      }
      assertServes(1003, now);
      assertThat(limbo.newestStamp(ID)).as("no bytes are kept").isZero();
      limbo = Limbo.open(frame, List.of(POOL));
    }
    try (CoveredImage image =
        CoveredImage.of(frame, limbo, POOL, ID, 1001, StampRule.SAME_OR_NEWER)) {
      ByteBuffer data = ByteBuffer.allocate(100);
      image.readData(600, data);
      assertThat(data.array()).isEqualTo(Arrays.copyOfRange(now, 600, 700));
      assertThatThrownBy(() -> image.readData(950, ByteBuffer.allocate(51)))
          .as("its chunk was read and verified before")
          .isInstanceOf(ImageException.NotHeld.class);
      assertThatThrownBy(() -> image.readMeta(1024, 7, ByteBuffer.allocate(8)))
          .isInstanceOf(ImageException.NotHeld.class);
    }
  }

  @Test
  void nothingIsGuessedOfStampsOfWhichNothingIsKnown() throws IOException {
    byte[] now = bytes(1, 3000);
    live(1003, now);
    limbo.noteUnknown(ID, 1002);
    for (int i = 0; i < 2; i++) {
      assertRefused(1001, 1);
      assertRefused(1002, 3000);
      assertServes(1003, now);
      assertThat(limbo.newestStamp(ID)).as("no bytes are kept").isZero();
      limbo = Limbo.open(frame, List.of(POOL));
    }
  }

  /** It is for the writer of the note, not for readers. */
  @Test
  void aMarkOfAnUnknownPastSurvivesARestartUntilItIsTakenAway() throws IOException {
    byte[] now = bytes(1, 3000);
    live(1003, now);
    assertThat(limbo.hasUnknownPast(ID)).isFalse();
    limbo.markUnknownPast(ID);
    limbo.markUnknownPast(ID);
    limbo.saveLength(live(1003, now), 1000);
    for (int i = 0; i < 2; i++) {
      assertThat(limbo.hasUnknownPast(ID)).isTrue();
      assertServes(1001, Arrays.copyOf(now, 1000));
      assertServes(1003, now);
      limbo = Limbo.open(frame, List.of(POOL));
    }
    limbo.endUnknownPast(ID);
    for (int i = 0; i < 2; i++) {
      assertThat(limbo.hasUnknownPast(ID)).isFalse();
      assertThat(limbo.holds(ID)).as("the note of a length").isTrue();
      assertRefused(1001, 1001);
      limbo = Limbo.open(frame, List.of(POOL));
    }
    limbo.drop(ID);
    assertThat(limbo.bytes()).isZero();
  }

  @Test
  void limboSurvivesARestart() throws IOException {
    byte[] content = bytes(3, 2000);
    cut(live(1001, content), 1002, content, 1500);
    limbo.take(live(1002, Arrays.copyOf(content, 1500)));
    limbo = Limbo.open(frame, List.of(POOL));
    assertThat(limbo.bytes()).isPositive();
    assertServes(1001, content);
    assertServes(1002, Arrays.copyOf(content, 1500));
    limbo.drop(ID);
    assertThat(limbo.holds(ID)).isFalse();
    assertThat(limbo.bytes()).isZero();
    try (var files = Files.list(root.resolve(Limbo.DIRECTORY))) {
      assertThat(files).isEmpty();
    }
  }

  @Test
  void aMoveToLimboThatACrashCutShortIsFinished() throws IOException {
    byte[] content = bytes(4, 900);
    ReplicaFiles files = live(1001, content);
    Files.move(files.data(), root.resolve(Limbo.DIRECTORY).resolve("blk_" + ID + "_1001.5.data"));
    limbo = Limbo.open(frame, List.of(POOL));
    assertThat(files.meta()).doesNotExist();
    assertServes(1001, content);
    // The sequence goes on where it was.
    limbo.take(live(1009, content));
    assertThat(root.resolve(Limbo.DIRECTORY).resolve("blk_" + ID + "_1009.6.data")).exists();
  }

  @Test
  void damageIsNeverServed() throws IOException {
    byte[] content = bytes(5, 2048);
    ReplicaFiles files = live(1001, content);
    byte[] bad = content.clone();
    bad[1030] ^= 1;
    Files.write(files.data(), bad);
    assertRefused(1001, 2048);
    Files.write(files.data(), content);
    assertServes(1001, content);
    byte[] badMeta = meta(content);
    badMeta[7 + 4 * 2] ^= 1;
    Files.write(files.meta(), badMeta);
    try (CoveredImage image =
        CoveredImage.of(frame, limbo, POOL, ID, 1001, StampRule.SAME_OR_NEWER)) {
      assertThatThrownBy(() -> image.readMeta(2048, 0, ByteBuffer.allocate(7 + 16)))
          .isInstanceOf(ImageException.Corrupt.class)
          .hasMessageContaining("offset=1024");
    }
  }

  @Test
  void aReplicaBeingWrittenIsReadUpToWhatItsChecksumsProve() throws IOException {
    byte[] content = bytes(6, 1300);
    ReplicaFiles files = put(frame.rbwDirectory(POOL), 1001, content);
    // The writer has put 40 more bytes into the data file; their CRC is still under way.
    Files.write(files.data(), bytes(7, 40), java.nio.file.StandardOpenOption.APPEND);
    assertServes(1001, content);
    assertRefused(1001, 1301);
  }

  @Test
  void aChangeOfLimboUnderTheReaderIsNoticed() throws IOException {
    byte[] content = bytes(8, 600_000);
    ReplicaFiles files = live(1001, content);
    try (CoveredImage image =
        CoveredImage.of(frame, limbo, POOL, ID, 1001, StampRule.SAME_OR_NEWER)) {
      image.readData(0, ByteBuffer.allocate(1000));
      limbo.saveTail(files, 300_000);
      assertThatThrownBy(() -> image.readData(400_000, ByteBuffer.allocate(1000)))
          .isInstanceOf(ImageException.NotHeld.class)
          .hasMessageContaining("try again");
    }
    assertServes(1001, content);
  }

  @Test
  void aDamagedTailIsRefusedByName() throws IOException {
    byte[] content = bytes(9, 3000);
    cut(live(1001, content), 1002, content, 100);
    Path tail;
    try (var files = Files.list(root.resolve(Limbo.DIRECTORY))) {
      tail = files.findFirst().orElseThrow();
    }
    byte[] good = Files.readAllBytes(tail);
    for (int at : new int[] {0, 9, 33, 60, 70, 72, 500, good.length - 1}) {
      byte[] bad = good.clone();
      bad[at] ^= 1;
      Files.write(tail, bad);
      assertRefused(1001, 3000);
    }
    Files.write(tail, good);
    assertServes(1001, content);
  }
}
