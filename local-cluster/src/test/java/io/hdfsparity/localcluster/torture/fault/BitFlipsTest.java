/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which bits are flipped, and what is flipped back. */
class BitFlipsTest {
  private static final int CHUNK_BYTES = 512;

  @TempDir Path storage;

  private Path folder(String state) {
    return storage.resolve("current/BP-1/current").resolve(state);
  }

  private Path store(String state, long id, byte[] bytes) throws IOException {
    Path folder = Files.createDirectories(folder(state));
    Path file = folder.resolve("blk_" + id);
    Files.write(file, bytes);
    DataChecksum checksum = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, CHUNK_BYTES);
    try (DataOutputStream out =
        new DataOutputStream(Files.newOutputStream(folder.resolve("blk_" + id + "_1001.meta")))) {
      BlockMetadataHeader.writeHeader(out, checksum);
      for (int begin = 0; begin < bytes.length; begin += CHUNK_BYTES) {
        checksum.reset();
        checksum.update(bytes, begin, Math.min(CHUNK_BYTES, bytes.length - begin));
        out.writeInt((int) checksum.getValue());
      }
    }
    return file;
  }

  private static byte[] bytes(int seed, int count) {
    byte[] bytes = new byte[count];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private BitFlips flip() throws IOException {
    return BitFlips.make(List.of(storage), new SplittableRandom(3));
  }

  private static int differingBits(byte[] one, byte[] other) {
    int count = 0;
    for (int i = 0; i < one.length; i++) {
      count += Integer.bitCount((one[i] ^ other[i]) & 0xff);
    }
    return count;
  }

  @Test
  void singleBitsOfPiecesAreFlippedAndFlippedBack() throws IOException {
    byte[][] whole = new byte[20][];
    Path[] files = new Path[20];
    for (int i = 0; i < 20; i++) {
      whole[i] = bytes(i, 70_001);
      files[i] = store("finalized/subdir0/subdir" + i, i % 2 == 0 ? i : -i, whole[i]);
    }
    BitFlips flips = flip();
    int bits = 0;
    int damaged = 0;
    for (int i = 0; i < 20; i++) {
      byte[] now = Files.readAllBytes(files[i]);
      int its = differingBits(whole[i], now);
      bits += its;
      damaged += its > 0 ? 1 : 0;
      for (int piece = 0; piece < now.length; piece += 4096) {
        int end = Math.min(now.length, piece + 4096);
        assertThat(
                differingBits(
                    Arrays.copyOfRange(whole[i], piece, end), Arrays.copyOfRange(now, piece, end)))
            .isLessThanOrEqualTo(1);
      }
    }
    assertThat(flips.count()).isEqualTo(bits).isPositive();
    assertThat(flips.blocks()).isEqualTo(damaged).isBetween(1L, 19L);
    assertThat(flips.restore()).isEqualTo(bits);
    for (int i = 0; i < 20; i++) {
      assertThat(Files.readAllBytes(files[i])).isEqualTo(whole[i]);
    }
    assertThat(flips.restore()).isZero();
  }

  @Test
  void whatIsBeingWrittenOrDoesNotFitItsChecksumIsLeftAlone() throws IOException {
    byte[] open = bytes(1, 1 << 20);
    Path rbw = store("rbw", 1, open);
    byte[] damaged = bytes(2, 1 << 20);
    Path bad = store("finalized", 2, damaged);
    for (int chunk = 0; chunk < damaged.length; chunk += CHUNK_BYTES) {
      damaged[chunk] ^= 1;
    }
    Files.write(bad, damaged);
    for (int seed = 0; seed < 8; seed++) {
      assertThat(BitFlips.make(List.of(storage), new SplittableRandom(seed)).count()).isZero();
    }
    assertThat(Files.readAllBytes(rbw)).isEqualTo(open);
    assertThat(Files.readAllBytes(bad)).isEqualTo(damaged);
  }

  @Test
  void whatWasReplacedOrDeletedIsNotTouched() throws IOException {
    for (int i = 0; i < 20; i++) {
      store("finalized", i, bytes(i, 70_001));
    }
    assertThat(flip().count()).isPositive();
    BitFlips flips = flip();
    byte[][] now = new byte[20][];
    for (int i = 0; i < 20; i++) {
      now[i] = bytes(100 + i, 70_001);
      if (i % 2 == 0) {
        store("finalized", i, now[i]);
      } else {
        Files.delete(folder("finalized").resolve("blk_" + i));
      }
    }
    assertThat(flips.restore()).isZero();
    for (int i = 0; i < 20; i += 2) {
      assertThat(Files.readAllBytes(folder("finalized").resolve("blk_" + i))).isEqualTo(now[i]);
    }
  }

  @Test
  void aReplicaThatIsAppendedToMeanwhileIsHealedToo() throws IOException {
    for (int i = 0; i < 20; i++) {
      store("finalized", i, bytes(i, 70_001));
    }
    BitFlips flips = flip();
    Files.createDirectories(folder("rbw"));
    for (int i = 0; i < 20; i++) {
      for (String name : List.of("blk_" + i, "blk_" + i + "_1001.meta")) {
        Files.move(folder("finalized").resolve(name), folder("rbw").resolve(name));
      }
    }
    assertThat(flips.restore()).isEqualTo(flips.count());
    Map<String, StoredBlock> blocks = StoredBlock.in(storage);
    assertThat(blocks)
        .hasSize(20)
        .allSatisfy((name, block) -> assertThat(block.isFinalized()).isFalse());
    assertThat(Files.readAllBytes(blocks.get("blk_7").data())).isEqualTo(bytes(7, 70_001));
  }
}
