/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.ForeignOwnerException;
import io.hdfsparity.core.framing.FormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryFileTest {
  private static final long PERIOD_MS = 21_600_000;
  private static final String OWNER = "CID-golden";
  @TempDir Path dir;

  private static AccessHistory history() {
    return new AccessHistory(new HistoryShape(PERIOD_MS, 8, 1000));
  }

  private static HistoryView all(AccessHistory history) {
    List<String> paths =
        history.snapshot().stream()
            .filter(HistoryItem.Counts.class::isInstance)
            .map(i -> ((HistoryItem.Counts) i).path())
            .toList();
    return history.view(paths, 82_002);
  }

  private static byte[] golden() throws IOException {
    try (InputStream in =
        HistoryFileTest.class.getResourceAsStream("/golden/v1/access-history.bin")) {
      return Objects.requireNonNull(in).readAllBytes();
    }
  }

  /** Written by another implementation of the byte box. */
  @Test
  void goldenBytesAreReadAndWrittenUnchanged() throws Exception {
    Path file = dir.resolve("h");
    Files.write(file, golden());
    AccessHistory history = history();
    HistoryFile.open(file, OWNER, history).close();
    HistoryView view = history.view(List.of("/a/ü", "/a/", "/a/b", "/gone"), 82_001);
    assertThat(view.counts()).containsOnlyKeys("/a/ü", "/a/");
    assertThat(view.counts().get("/a/ü")).containsExactly(0, 0, 0, 0, 100, 0, 20, 10);
    assertThat(view.counts().get("/a/")).endsWith(0, 130);
    assertThat(view.observedMs()).endsWith(21_600_000, 3_600_000);
    assertThat(view.missed()).endsWith(0, 2);

    Path own = dir.resolve("own");
    try (HistoryFile written = HistoryFile.create(own, OWNER, PERIOD_MS)) {
      written.append(
          List.of(
              new HistoryItem.Watched(82_000, 21_600_000, 0),
              new HistoryItem.Counts("/a/b", 82_001, List.of(100, 0, 20, 10)),
              new HistoryItem.Counts("/a/", 82_001, List.of(130))));
      written.append(
          List.of(
              new HistoryItem.Rename("/a/b", "/a/ü"),
              new HistoryItem.Counts("/gone", 82_001, List.of(7))));
      written.append(
          List.of(new HistoryItem.Delete("/gone"), new HistoryItem.Watched(82_001, 3_600_000, 2)));
    }
    assertThat(Files.readAllBytes(own)).isEqualTo(golden());
  }

  /** Cut anywhere behind the header: the whole records before the cut are there, and it goes on. */
  @Test
  void aTornEndIsCutOff() throws Exception {
    byte[] whole = golden();
    List<Integer> ends = recordEnds(whole);
    for (int length = ends.get(0); length <= whole.length; length++) {
      Path file = dir.resolve("cut" + length);
      Files.write(file, Arrays.copyOf(whole, length));
      int expectedEnd = ends.get(0);
      for (int end : ends) {
        expectedEnd = end <= length ? end : expectedEnd;
      }
      AccessHistory history = history();
      try (HistoryFile opened = HistoryFile.open(file, OWNER, history)) {
        assertThat(opened.cutBytes()).isEqualTo(length - expectedEnd);
        assertThat(opened.sizeBytes()).isEqualTo(expectedEnd);
        opened.append(List.of(new HistoryItem.Counts("/more", 82_002, List.of(1))));
        history.apply(new HistoryItem.Counts("/more", 82_002, List.of(1)));
      }
      AccessHistory again = history();
      HistoryFile.open(file, OWNER, again).close();
      assertThat(all(again)).isEqualTo(all(history));
    }
  }

  private static List<Integer> recordEnds(byte[] file) throws Exception {
    java.nio.ByteBuffer bytes = java.nio.ByteBuffer.wrap(file);
    List<Integer> ends = new ArrayList<>();
    HistoryFormat.HEADER.decode(bytes, "golden");
    ends.add(bytes.position());
    while (bytes.hasRemaining()) {
      HistoryFormat.RECORD.decode(bytes, "golden");
      ends.add(bytes.position());
    }
    return ends;
  }

  /** Damage before the last record is never taken for a torn end. */
  @Test
  void damageIsTold() throws Exception {
    byte[] whole = golden();
    List<Integer> ends = recordEnds(whole);
    int lastRecord = ends.get(ends.size() - 2);
    for (int at = 0; at < lastRecord; at++) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Path file = dir.resolve("damaged");
      Files.write(file, damaged);
      assertThatThrownBy(() -> HistoryFile.open(file, OWNER, history()))
          .as("byte %d", at)
          .isInstanceOf(FormatException.class);
      assertThat(Files.readAllBytes(file)).isEqualTo(damaged);
    }
  }

  @Test
  void aRecordThatIsMissingIsDamage() throws Exception {
    byte[] whole = golden();
    List<Integer> ends = recordEnds(whole);
    byte[] gap = new byte[whole.length - (ends.get(2) - ends.get(1))];
    System.arraycopy(whole, 0, gap, 0, ends.get(1));
    System.arraycopy(whole, ends.get(2), gap, ends.get(1), whole.length - ends.get(2));
    Path file = dir.resolve("gap");
    Files.write(file, gap);
    assertThatThrownBy(() -> HistoryFile.open(file, OWNER, history()))
        .isInstanceOf(CorruptFormatException.class)
        .hasMessageContaining("sequence=3, expected 2");
  }

  @Test
  void anotherClustersOrAnotherPeriodIsRefused() throws Exception {
    Path file = dir.resolve("h");
    Files.write(file, golden());
    assertThatThrownBy(() -> HistoryFile.open(file, "CID-other", history()))
        .isInstanceOf(ForeignOwnerException.class);
    assertThatThrownBy(
            () -> HistoryFile.open(file, OWNER, new AccessHistory(new HistoryShape(1000, 8, 10))))
        .isInstanceOf(PeriodMismatchException.class)
        .hasMessageContaining("periodMs=21600000, expected 1000");
  }

  @Test
  void appendsAndSnapshotsComeBack() {
    SeededRuns.of(30)
        .check(
            random -> {
              Path file = dir.resolve("r" + Math.abs(random.nextLong()));
              AccessHistory history = history();
              HistoryFile open = HistoryFile.create(file, OWNER, PERIOD_MS);
              for (int step = 0; step < 60; step++) {
                List<HistoryItem> batch = new ArrayList<>();
                for (int i = random.nextInt(5); i >= 0; i--) {
                  HistoryItem item = AccessHistoryTest.randomItem(random, 82_000 + step / 20);
                  batch.add(item);
                  history.apply(item);
                }
                open.append(batch);
                if (random.nextInt(15) == 0) {
                  open.replaceBy(history.snapshot());
                }
                if (random.nextInt(15) == 0) {
                  open.close();
                  AccessHistory again = history();
                  open = HistoryFile.open(file, OWNER, again);
                  assertThat(all(again)).isEqualTo(all(history));
                }
              }
              open.close();
              AccessHistory again = history();
              HistoryFile.open(file, OWNER, again).close();
              assertThat(all(again)).isEqualTo(all(history));
            });
  }

  /** A batch longer than a record may be becomes several. */
  @Test
  void aLongBatchIsSplit() throws Exception {
    Path file = dir.resolve("h");
    List<HistoryItem> batch = new ArrayList<>();
    for (int i = 0; i < 900; i++) {
      batch.add(new HistoryItem.Counts("/" + "p".repeat(3000) + i, 82_000, List.of(1)));
    }
    try (HistoryFile open = HistoryFile.create(file, OWNER, PERIOD_MS)) {
      assertThat(open.snapshotDue()).isFalse();
      open.append(batch);
      open.append(batch);
      assertThat(open.snapshotDue()).isTrue();
      AccessHistory history = largeHistory();
      try (HistoryFile opened = HistoryFile.open(file, OWNER, history)) {
        assertThat(opened.snapshotDue()).as("it would grow at each start").isTrue();
      }
      assertThat(history.entries()).isEqualTo(900);
      open.replaceBy(history.snapshot());
      assertThat(open.snapshotDue()).isFalse();
    }
    AccessHistory again = largeHistory();
    HistoryFile.open(file, OWNER, again).close();
    assertThat(again.entries()).isEqualTo(900);
  }

  private static AccessHistory largeHistory() {
    return new AccessHistory(new HistoryShape(PERIOD_MS, 8, 100_000));
  }

  /** A file longer than the part that is in memory at a time. */
  @Test
  void damageAndTornEndsOfALongFileAreFound() throws Exception {
    Path file = dir.resolve("h");
    try (HistoryFile open = HistoryFile.create(file, OWNER, PERIOD_MS)) {
      for (int i = 0; i < 12; i++) {
        List<HistoryItem> batch = new ArrayList<>();
        for (int j = 0; j < 300; j++) {
          batch.add(
              new HistoryItem.Counts("/" + "p".repeat(3000) + i + "." + j, 82_000, List.of(1)));
        }
        open.append(batch);
      }
    }
    byte[] whole = Files.readAllBytes(file);
    assertThat(whole.length).isGreaterThan(2 * FileWindow.WINDOW_BYTES);

    Files.write(file, Arrays.copyOf(whole, whole.length - 1));
    AccessHistory history = largeHistory();
    try (HistoryFile open = HistoryFile.open(file, OWNER, history)) {
      assertThat(open.cutBytes()).isGreaterThan(900_000);
      assertThat(history.entries()).isEqualTo(11 * 300);
    }

    for (int at : new int[] {1000, FileWindow.WINDOW_BYTES, whole.length - 2_000_000}) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 0x10;
      Files.write(file, damaged);
      assertThatThrownBy(() -> HistoryFile.open(file, OWNER, largeHistory()))
          .as("byte %d", at)
          .isInstanceOf(CorruptFormatException.class)
          .hasMessageContaining("follows at offset=");
    }
  }

  @Test
  void aTemporaryThatACrashLeftIsOfNoAccount() throws Exception {
    Path file = dir.resolve("h");
    Files.write(file, golden());
    Files.write(dir.resolve("h.tmp"), new byte[] {1, 2, 3});
    AccessHistory history = history();
    try (HistoryFile open = HistoryFile.open(file, OWNER, history)) {
      open.replaceBy(history.snapshot());
    }
    assertThat(Files.exists(dir.resolve("h.tmp"))).isFalse();
    AccessHistory again = history();
    HistoryFile.open(file, OWNER, again).close();
    assertThat(all(again)).isEqualTo(all(history));
  }
}
