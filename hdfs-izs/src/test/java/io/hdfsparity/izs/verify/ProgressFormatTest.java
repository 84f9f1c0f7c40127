/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.ByteBoxes;
import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.ForeignOwnerException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.LongStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ProgressFormatTest {
  private static final String POOL = "BP-1-127.0.0.1-2";
  private static final int LIMIT = 4096;

  private static final VerifyProgress PROGRESS =
      new VerifyProgress(
          Long.MIN_VALUE + 16L * 1000,
          List.of(
              Long.MIN_VALUE + 16,
              Long.MIN_VALUE + 16 * 2,
              Long.MIN_VALUE + 16L * 300,
              Long.MIN_VALUE + 16L * 999));

  private static byte[] golden(int version) throws IOException {
    String name = "/golden/v" + version + "/izs-verify.bin";
    try (InputStream in = ProgressFormatTest.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /** Written once by another implementation of the byte box, in Python. */
  @Test
  void readsAndWritesTheGoldenFile() throws IOException {
    VerifyProgress progress =
        new VerifyProgress(
            PROGRESS.nextId(),
            /* areDoubtsDropped= */ true,
            List.of(Long.MIN_VALUE + 16 * 3, Long.MIN_VALUE + 16L * 1500),
            List.of(Long.MIN_VALUE + 16L * 1500),
            PROGRESS.open());
    assertThat(ProgressFormat.decode(golden(3), POOL, "golden")).isEqualTo(progress);
    assertThat(ProgressFormat.encode(progress, POOL, LIMIT)).isEqualTo(golden(3));
  }

  /** It does not say in which of them data is suspected, so that parity of none is dropped. */
  @Test
  void readsTheGoldenFileOfVersion2() throws IOException {
    List<Long> doubted = List.of(Long.MIN_VALUE + 16 * 3, Long.MIN_VALUE + 16L * 1500);
    assertThat(ProgressFormat.decode(golden(2), POOL, "golden"))
        .isEqualTo(
            new VerifyProgress(
                PROGRESS.nextId(),
                /* areDoubtsDropped= */ true,
                doubted,
                doubted,
                PROGRESS.open()));
  }

  @Test
  void readsTheGoldenFileOfVersion1() throws IOException {
    assertThat(ProgressFormat.decode(golden(1), POOL, "golden")).isEqualTo(PROGRESS);
  }

  @Test
  void pageHasTheByteBox() throws IOException {
    assertThat(ByteBoxes.page("izs-verify.md")).contains(ByteBoxes.of(ProgressFormat.class));
  }

  /**
   * What does not fit is looked at again: no open id may be taken for done, no doubt ends unsaid.
   */
  @Test
  void whateverTheLimitNoOpenIdIsForgotten() {
    SeededRuns.of(300)
        .check(
            random -> {
              TreeSet<Long> open = new TreeSet<>();
              TreeSet<Long> doubted = new TreeSet<>();
              TreeSet<Long> suspected = new TreeSet<>();
              long id = Long.MIN_VALUE;
              int count = random.nextInt(200);
              for (int i = 0; i < count; i++) {
                id += 16L * (1 + (long) Math.pow(2, random.nextInt(40)));
                (random.nextInt(4) == 0 ? doubted : open).add(id);
                if (doubted.contains(id) && random.nextBoolean()) {
                  suspected.add(id);
                }
              }
              VerifyProgress progress =
                  new VerifyProgress(
                      id + 16 * (1L + random.nextInt(10)),
                      /* areDoubtsDropped= */ false,
                      List.copyOf(doubted),
                      List.copyOf(suspected),
                      List.copyOf(open));
              int limit = 80 + random.nextInt(900);
              byte[] bytes = ProgressFormat.encode(progress, POOL, limit);
              assertThat(bytes).hasSizeLessThanOrEqualTo(limit);
              VerifyProgress read = ProgressFormat.decode(bytes, POOL, "memory");
              assertThat(read.nextId()).isLessThanOrEqualTo(progress.nextId());
              assertThat(read.open()).isEqualTo(List.copyOf(open.headSet(read.nextId())));
              assertThat(doubted).containsAll(read.doubted());
              assertThat(read.suspected())
                  .isEqualTo(read.doubted().stream().filter(suspected::contains).toList());
              assertThat(read.areDoubtsDropped()).isEqualTo(read.doubted().size() < doubted.size());
              if (limit > 80 + 2 * 9 * count) {
                assertThat(read).isEqualTo(progress);
              }
            });
  }

  /** Else all that is above them would be verified again after each failover. */
  @Test
  void doubtedIdsLeaveRoomForOpenOnes() throws IOException {
    List<Long> doubted =
        LongStream.range(0, 5000).mapToObj(each -> Long.MIN_VALUE + 16 * each).toList();
    long first = Long.MIN_VALUE + 16L * 6000;
    VerifyProgress progress =
        new VerifyProgress(
            first + 16 * 100,
            /* areDoubtsDropped= */ false,
            doubted,
            LongStream.range(0, 100).mapToObj(each -> first + 16 * each).toList());
    VerifyProgress read =
        ProgressFormat.decode(ProgressFormat.encode(progress, POOL, LIMIT), POOL, "memory");
    assertThat(read.open()).isEqualTo(progress.open());
    assertThat(read.nextId()).isEqualTo(progress.nextId());
    assertThat(read.doubted()).isEqualTo(doubted.subList(0, read.doubted().size()));
    assertThat(read.doubted()).hasSizeGreaterThan(LIMIT / 2 - 100);
    assertThat(read.areDoubtsDropped()).isTrue();
  }

  @Test
  void flagsThatAreNotKnownAreNotRead() {
    ByteBuffer payload =
        ByteBuffer.allocate(20).putLong(Long.MIN_VALUE).putInt(2).putInt(0).putInt(0).flip();
    ByteBuffer header = new HeaderFormat("IZSVERIF", 1, 3).encode(POOL, payload);
    byte[] bytes = new byte[header.remaining()];
    header.get(bytes);
    assertThatThrownBy(() -> ProgressFormat.decode(bytes, POOL, "memory"))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("flags=2");
  }

  @Test
  void damageIsNotRead() {
    VerifyProgress progress =
        new VerifyProgress(
            Long.MIN_VALUE + 160,
            /* areDoubtsDropped= */ false,
            List.of(Long.MIN_VALUE + 32),
            List.of(Long.MIN_VALUE + 16));
    byte[] bytes = ProgressFormat.encode(progress, POOL, LIMIT);
    for (int at = 0; at < bytes.length; at++) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 1;
      assertThatThrownBy(() -> ProgressFormat.decode(damaged, POOL, "memory"))
          .isInstanceOf(at < 8 ? NotOursException.class : CorruptFormatException.class);
    }
    assertThatThrownBy(() -> ProgressFormat.decode(bytes, "BP-other", "memory"))
        .isInstanceOf(ForeignOwnerException.class);
    ByteBuffer newer = ByteBuffer.wrap(bytes.clone());
    newer.putInt(8, 4);
    CRC32C crc = new CRC32C();
    crc.update(newer.array(), 0, bytes.length - 4);
    newer.putInt(bytes.length - 4, (int) crc.getValue());
    assertThatThrownBy(() -> ProgressFormat.decode(newer.array(), POOL, "memory"))
        .isInstanceOf(TooNewException.class);
    assertThatThrownBy(() -> ProgressFormat.decode(new byte[0], POOL, "memory"))
        .isInstanceOf(FormatException.class);
  }
}
