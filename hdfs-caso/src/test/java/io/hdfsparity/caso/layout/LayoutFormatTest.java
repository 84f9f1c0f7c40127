/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.framing.TooNewException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayoutFormatTest {
  /** What golden/v1/caso-layout.bin is, which was written by another implementation. */
  private static final LayoutIndex GOLDEN =
      new LayoutIndex(
          "/a",
          4096,
          3,
          2,
          9 * 4096 + 2048,
          "greedy by a.csv",
          new StoredOrder(new long[] {3, 1, 5, 0, 9}, new long[] {2, 1, 4, 1, 2}, 11));

  private static byte[] golden() throws IOException {
    try (InputStream in =
        LayoutFormatTest.class.getResourceAsStream("/golden/v1/caso-layout.bin")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private static byte[] bytes(LayoutIndex index) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    LayoutFormat.write(index, out);
    return out.toByteArray();
  }

  private static LayoutIndex read(byte[] bytes) throws IOException {
    return LayoutFormat.read(new ByteArrayInputStream(bytes), "f");
  }

  @Test
  void goldenBytes() throws IOException {
    assertThat(read(golden())).isEqualTo(GOLDEN);
    assertThat(bytes(GOLDEN)).isEqualTo(golden());
  }

  @Test
  void anyIndexRoundTrips() {
    SeededRuns.of(200)
        .check(
            random -> {
              StoredOrder order = StoredOrderTest.random(random);
              int cell = 1 + random.nextInt(5000);
              long length =
                  order.cellCount() == 0
                      ? 0
                      : (order.cellCount() - 1) * cell + 1 + random.nextInt(cell);
              LayoutIndex index = new LayoutIndex("ö", cell, 255, 1, length, "", order);
              assertThat(read(bytes(index))).isEqualTo(index);
            });
  }

  @Test
  void moreThanOneRecord() throws IOException {
    int runs = 2 * LayoutFormat.RUNS_PER_RECORD + 1;
    long[] starts = new long[runs];
    long[] counts = new long[runs];
    Arrays.setAll(starts, i -> 2L * (runs - i));
    Arrays.fill(counts, 1);
    LayoutIndex index =
        new LayoutIndex("", 1, 4, 2, runs, "", new StoredOrder(starts, counts, 2L * runs + 1));
    byte[] bytes = bytes(index);
    assertThat(read(bytes)).isEqualTo(index);
    // Cut behind a whole record: only the header knows.
    int last = 16 + 16 + 4;
    assertThatThrownBy(() -> read(Arrays.copyOf(bytes, bytes.length - last)))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("expected runCount=" + runs + ", the file was cut");
  }

  @Test
  void everyCutAndEveryChangedByteIsRefusedByName() throws IOException {
    byte[] golden = golden();
    for (int length = 0; length < golden.length; length++) {
      byte[] cut = Arrays.copyOf(golden, length);
      assertThatThrownBy(() -> read(cut))
          .as("cut at %d", length)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("at=f offset=");
    }
    for (int at = 0; at < golden.length; at++) {
      byte[] changed = golden.clone();
      changed[at] ^= 0x20;
      assertThatThrownBy(() -> read(changed))
          .as("changed at %d", at)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("at=f offset=");
    }
    assertThatThrownBy(() -> read(Arrays.copyOf(golden, golden.length + 1)))
        .isInstanceOf(CorruptFormatException.class);
  }

  @Test
  void otherFilesAndVersionsAreTold() throws IOException {
    assertThatThrownBy(() -> read("Timestamp,Hostname,DiskNumber".getBytes("US-ASCII")))
        .isInstanceOf(NotOursException.class);
    byte[] newer = golden();
    ByteBuffer header = ByteBuffer.wrap(newer);
    header.putInt(8, 2);
    int end = header.getInt(12) - 4;
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(newer, 0, end);
    header.putInt(end, (int) crc.getValue());
    assertThatThrownBy(() -> read(newer)).isInstanceOf(TooNewException.class);
  }

  @Test
  void contentsThatDoNotHoldAreCorrupt() throws IOException {
    // Checksums are right: 9 cells and a half need ten, and the runs have them; k = 0 does not
    // hold.
    HeaderFormat format = new HeaderFormat("CASOLAYT", 1, 1);
    ByteBuffer payload = ByteBuffer.allocate(30).putInt(4096).putShort((short) 0);
    byte[] bad = format.encode("", payload.rewind()).array();
    assertThatThrownBy(() -> read(bad))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("dataCells=0");
  }

  @Test
  void filesAreNewAndWhole(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("a.caso");
    // Somebody's own.
    Path neighbour = Files.writeString(folder.resolve("a.caso.tmp"), "notes");
    LayoutFiles.create(file, GOLDEN);
    assertThat(LayoutFiles.read(file)).isEqualTo(GOLDEN);
    assertThat(neighbour).hasContent("notes");
    assertThatThrownBy(() -> LayoutFiles.create(file, GOLDEN))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("expected none of that name");
    assertThatThrownBy(() -> LayoutFiles.create(folder.resolve("o".repeat(300)), GOLDEN))
        .isInstanceOf(IOException.class);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, neighbour);
    }
    assertThatThrownBy(() -> LayoutFiles.read(folder.resolve("b")))
        .hasMessageContaining("expected a file that exists");
    assertThatThrownBy(() -> LayoutFiles.create(folder.resolve("c/d"), GOLDEN))
        .hasMessageContaining("expected a directory that exists");
  }
}
