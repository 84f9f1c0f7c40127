/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.SeededRuns;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Bytes name who wrote them, and where. */
class ContentTest {
  private final CellContent cells = CellContent.of(5, "/f");
  private final StreamContent stream = StreamContent.of(5, "/f");

  @Test
  void tagsAreFoundAgain() {
    SeededRuns.of(200)
        .check(
            random -> {
              WriteTag tag = new WriteTag(random.nextInt(1 << 15), random.nextLong() >>> 16);
              int cell = random.nextInt(10_000);
              assertThat(cells.found(cell, cells.bytes(cell, tag))).isEqualTo(tag.toString());
            });
  }

  @Test
  void aTornCellHasTheTagOfEachSlice() {
    byte[] bytes = cells.bytes(3, new WriteTag(1, 1));
    System.arraycopy(cells.bytes(3, new WriteTag(2, 0)), 1024, bytes, 1024, 512);
    assertThat(cells.found(3, bytes)).isEqualTo("1.1,1.1,2.0,1.1,1.1,1.1,1.1,1.1");
  }

  @Test
  void bytesOfAnotherPlaceOrWithAFlippedBitAreOfNobody() {
    WriteTag tag = new WriteTag(1, 1);
    assertThat(cells.found(4, cells.bytes(3, tag))).startsWith("?");
    assertThat(CellContent.of(5, "/g").found(3, cells.bytes(3, tag))).startsWith("?");
    assertThat(CellContent.of(6, "/f").found(3, cells.bytes(3, tag))).startsWith("?");
    assertThat(cells.found(3, new byte[CellContent.BYTES])).startsWith("?");
    SeededRuns.of(100)
        .check(
            random -> {
              byte[] bytes = cells.bytes(3, tag);
              bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
              assertThat(cells.found(3, bytes)).contains("?").contains("1.1");
            });
  }

  @Test
  void anyPartOfAStreamIsKnown() {
    byte[] whole = stream.bytes(0, 20_000);
    SeededRuns.of(200)
        .check(
            random -> {
              int from = random.nextInt(20_000);
              int length = random.nextInt(20_000 - from) + 1;
              byte[] part = Arrays.copyOfRange(whole, from, from + length);
              assertThat(stream.bytes(from, length)).isEqualTo(part);
              assertThat(stream.firstWrong(from, part, length)).isEmpty();
              int wrong = random.nextInt(length);
              part[wrong]++;
              assertThat(stream.firstWrong(from, part, length)).hasValue(from + wrong);
            });
  }
}
