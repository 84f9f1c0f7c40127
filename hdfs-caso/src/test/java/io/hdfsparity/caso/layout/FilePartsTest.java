/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FilePartsTest {
  /** Group by group: another part begins when there is no room for one more. */
  private static List<Long> ends(long lengthBytes, long groupBytes, long wantedBytes) {
    List<Long> ends = new ArrayList<>();
    long inPart = 0;
    for (long at = 0; at < lengthBytes; at += groupBytes) {
      if (inPart > 0 && inPart + groupBytes > wantedBytes) {
        ends.add(at);
        inPart = 0;
      }
      inPart += groupBytes;
    }
    ends.add(lengthBytes);
    return ends;
  }

  @Test
  void partsAreThoseOfWhoPutsGroupBehindGroup() {
    SeededRuns.of(500)
        .check(
            random -> {
              long length = 1 + random.nextInt(2000);
              long group = 1 + random.nextInt(100);
              long wanted = 1 + random.nextInt(500);
              FileParts parts = FileParts.of(length, group, wanted);
              List<Long> ends = new ArrayList<>();
              long at = 0;
              for (int part = 0; part < parts.count(); part++) {
                assertThat(parts.from(part)).isEqualTo(at);
                at = parts.to(part);
                assertThat(parts.bytes(part)).isEqualTo(at - parts.from(part)).isPositive();
                ends.add(at);
              }
              assertThat(ends).isEqualTo(ends(length, group, wanted));
            });
  }

  @Test
  void partsAreLargerWhereThereWouldBeTooMany() {
    FileParts parts = FileParts.of(100_000_000_001L, 10, 10);
    assertThat(parts.count()).isLessThanOrEqualTo(FileParts.MAX_PARTS);
    assertThat(parts.partBytes() % 10).isZero();
    assertThat(parts.to(parts.count() - 1)).isEqualTo(100_000_000_001L);
    assertThatThrownBy(() -> new FileParts(100_000_000_001L, 10)).hasMessageContaining("10000");
    assertThatThrownBy(() -> FileParts.of(0, 10, 10)).hasMessageContaining("lengthBytes");
    assertThatThrownBy(() -> parts.from(parts.count()))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  /** Cell by cell, in the order in which they are stored. */
  @Test
  void piecesOfAnyCutAreTheStoredFile() {
    SeededRuns.of(300)
        .check(
            random -> {
              int cellBytes = 1 + random.nextInt(7);
              int cells = 1 + random.nextInt(40);
              int length = 1 + random.nextInt(cells * cellBytes);
              LayoutIndex index =
                  FileOrderTest.index(FileOrderTest.random(random, cells), length, cellBytes);
              FileOrder order = new FileOrder(index);
              StoredPieces pieces = new StoredPieces(index.order(), cellBytes, length);
              List<Long> got = new ArrayList<>();
              for (long at = 0; at < length; ) {
                long to = Math.min(length, at + cellBytes * (1L + random.nextInt(9)));
                got.addAll(bytes(pieces, at, to));
                at = to;
              }
              List<Long> expected = new ArrayList<>();
              for (long stored = 0; stored < length; stored++) {
                expected.add(order.logical(stored));
              }
              assertThat(got).isEqualTo(expected);
            });
  }

  private static List<Long> bytes(StoredPieces pieces, long from, long to) {
    List<Long> bytes = new ArrayList<>();
    pieces.<RuntimeException>forEach(
        from,
        to,
        (begin, end) -> {
          assertThat(end).isGreaterThan(begin);
          for (long at = begin; at < end; at++) {
            bytes.add(at);
          }
        });
    return bytes;
  }

  @Test
  void aCutInsideACellIsRefused() {
    LayoutIndex index = FileOrderTest.index(FileOrderTest.random(new Random(1), 9), 30, 4);
    StoredPieces pieces = new StoredPieces(index.order(), 4, 30);
    assertThatThrownBy(() -> bytes(pieces, 2, 8)).hasMessageContaining("from=2");
    assertThatThrownBy(() -> bytes(pieces, 0, 9)).hasMessageContaining("to=9");
    assertThatThrownBy(() -> bytes(pieces, 0, 32)).hasMessageContaining("to=32");
    assertThat(bytes(pieces, 28, 30)).containsExactly(28L, 29L);
    assertThatThrownBy(() -> new StoredPieces(index.order(), 4, 33)).hasMessageContaining("cells");
  }
}
