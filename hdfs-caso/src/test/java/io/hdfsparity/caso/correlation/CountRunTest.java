/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CountRunTest {
  @TempDir Path folder;

  private static byte[] golden() throws IOException {
    try (InputStream in = CountRunTest.class.getResourceAsStream("/golden/v1/caso-counts.bin")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  private static byte[] bytes(Map<Long, Integer> entries) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CountRunWriter writer = new CountRunWriter(out)) {
      for (Map.Entry<Long, Integer> entry : entries.entrySet()) {
        writer.append(entry.getKey(), entry.getValue());
      }
      writer.end();
    }
    return out.toByteArray();
  }

  private static TreeMap<Long, Integer> entries(byte[] bytes) throws IOException {
    TreeMap<Long, Integer> entries = new TreeMap<>();
    try (CountRunReader reader = new CountRunReader(new ByteArrayInputStream(bytes), "f")) {
      while (reader.next()) {
        entries.put(reader.key(), reader.count());
      }
      assertThat(reader.next()).isFalse();
    }
    return entries;
  }

  @Test
  void goldenBytes() throws IOException {
    Map<Long, Integer> entries = new TreeMap<>(Map.of(0L, 1, 7L, 3, 1L << 40, Integer.MAX_VALUE));
    assertThat(entries(golden())).isEqualTo(entries);
    assertThat(bytes(entries)).isEqualTo(golden());
  }

  @Test
  void everyCutAndEveryChangedByteIsRefusedByName() throws IOException {
    byte[] golden = golden();
    for (int length = 0; length < golden.length; length++) {
      byte[] cut = Arrays.copyOf(golden, length);
      assertThatThrownBy(() -> entries(cut))
          .as("cut at %d", length)
          .isInstanceOf(FormatException.class)
          .hasMessageContaining("at=f offset=");
    }
    for (int at = 0; at < golden.length; at++) {
      byte[] changed = golden.clone();
      changed[at] ^= 0x04;
      assertThatThrownBy(() -> entries(changed))
          .as("changed at %d", at)
          .isInstanceOf(FormatException.class);
    }
    byte[] twice = Arrays.copyOf(golden, golden.length + 20);
    System.arraycopy(golden, golden.length - 20, twice, golden.length, 20);
    assertThatThrownBy(() -> entries(twice)).isInstanceOf(CorruptFormatException.class);
  }

  @Test
  void entriesOutOfOrderAreCorrupt() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (CountRunWriter writer = new CountRunWriter(out)) {
      writer.append(5, 1);
      writer.append(5, 1);
      writer.end();
    }
    assertThatThrownBy(() -> entries(out.toByteArray()))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("key=5, expected above 5");
  }

  @Test
  void moreThanOneRecord() throws IOException {
    TreeMap<Long, Integer> entries = new TreeMap<>();
    for (long key = 0; key < 3L * CountRunFormat.ENTRIES_PER_RECORD; key++) {
      entries.put(key * key, (int) key + 1);
    }
    byte[] bytes = bytes(entries);
    assertThat(entries(bytes)).isEqualTo(entries);
    // A whole record is gone: keys still ascend, and there is a last record.
    int headerBytes = 22;
    int recordBytes = 20 + CountRunFormat.FILE.maxPayloadBytes();
    byte[] gap = Arrays.copyOf(bytes, bytes.length - recordBytes);
    System.arraycopy(
        bytes,
        headerBytes + 2 * recordBytes,
        gap,
        headerBytes + recordBytes,
        gap.length - headerBytes - recordBytes);
    assertThatThrownBy(() -> entries(gap))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("sequence=3, expected 2");
  }

  @Test
  void spilledCountsAreThoseOfAMap() {
    SeededRuns.of(50)
        .check(
            random -> {
              SpillSpace space =
                  new SpillSpace(folder, 1 + random.nextInt(20), 2 + random.nextInt(4));
              TreeMap<Long, Integer> twin = new TreeMap<>();
              int minCount = 1 + random.nextInt(3);
              TreeMap<Long, Integer> shown = new TreeMap<>();
              try (SpillableCounts counts = new SpillableCounts(Optional.of(space))) {
                int increments = random.nextInt(400);
                int keys = 1 + random.nextInt(100);
                for (int i = 0; i < increments; i++) {
                  long key = random.nextInt(keys) * 1_000_000_007L;
                  counts.increment(key);
                  twin.merge(key, 1, Integer::sum);
                }
                counts.forEachAscending(
                    minCount,
                    (key, count) -> {
                      assertThat(shown.isEmpty() || shown.lastKey() < key).isTrue();
                      shown.put(key, count);
                    });
              }
              twin.values().removeIf(count -> count < minCount);
              assertThat(shown).isEqualTo(twin);
            });
    assertThat(left()).isZero();
  }

  private long left() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aSpaceThatCannotBeUsedIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("a-file"));
    SpillableCounts counts = new SpillableCounts(Optional.of(new SpillSpace(file, 1, 2)));
    assertThatThrownBy(() -> counts.increment(1))
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("Cannot spill counts: directory=" + file);
  }

  @Test
  void aDamagedRunIsNotCounted() throws IOException {
    try (SpillableCounts counts = new SpillableCounts(Optional.of(new SpillSpace(folder, 1, 9)))) {
      counts.increment(1);
      counts.increment(2);
      try (Stream<Path> files = Files.list(folder)) {
        Path run = files.findFirst().orElseThrow();
        byte[] bytes = Files.readAllBytes(run);
        bytes[bytes.length - 30]++;
        Files.write(run, bytes);
      }
      assertThatThrownBy(() -> counts.forEachAscending(1, (key, count) -> {}))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("crc32c");
    }
  }
}
