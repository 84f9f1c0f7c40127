/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PiecesTest {
  private static final int LENGTH = 5 * Pieces.BYTES + 77;
  @TempDir Path dir;
  private final byte[] source = new byte[LENGTH];
  private Pieces pieces;

  @BeforeEach
  void make() throws Exception {
    new Random(4).nextBytes(source);
    Path file = Files.write(dir.resolve("source"), source);
    pieces =
        new Pieces(
            SourceFile.of(file, "source", Files.readAttributes(file, BasicFileAttributes.class)),
            9);
  }

  private static byte[] piece(byte[] of, int index) {
    return Arrays.copyOfRange(of, index * Pieces.BYTES, (index + 1) * Pieces.BYTES);
  }

  @Test
  void aPieceIsTheSourceUntilAWriteBegins() throws Exception {
    assertThat(pieces.count()).isEqualTo(5);
    assertThat(pieces.isRight(2, pieces.oldest(2), piece(source, 2))).isTrue();
    assertThat(pieces.isRight(2, pieces.oldest(2), piece(source, 3))).isFalse();
  }

  @Test
  void besideAWriteOldAndNewAreRightAndNoMixture() throws Exception {
    byte[] written = pieces.begin(1, 2);
    int oldest = pieces.oldest(2);
    assertThat(pieces.isRight(2, oldest, piece(source, 2))).isTrue();
    assertThat(pieces.isRight(2, oldest, piece(written, 1))).isTrue();
    byte[] mixed = piece(source, 2);
    System.arraycopy(written, Pieces.BYTES, mixed, 0, Pieces.BYTES / 2);
    assertThat(pieces.isRight(2, oldest, mixed)).isFalse();
  }

  @Test
  void whatWasAcknowledgedIsNotForgotten() throws Exception {
    byte[] first = pieces.begin(3, 1);
    int before = pieces.oldest(3);
    pieces.acknowledge(3, 1);
    assertThat(pieces.isRight(3, before, piece(source, 3)))
        .as("the read began before the write ended")
        .isTrue();
    assertThat(pieces.isRight(3, pieces.oldest(3), piece(source, 3))).isFalse();
    byte[] second = pieces.begin(3, 1);
    assertThat(second).isNotEqualTo(first);
    assertThat(pieces.isRight(3, pieces.oldest(3), first)).isTrue();
    pieces.acknowledge(3, 1);
    assertThat(pieces.isRight(3, pieces.oldest(3), first)).isFalse();
  }

  @Test
  void theContentIsWhatWasAcknowledged() throws Exception {
    byte[] expected = source.clone();
    System.arraycopy(pieces.begin(0, 2), 0, expected, 0, 2 * Pieces.BYTES);
    pieces.acknowledge(0, 2);
    pieces.begin(4, 1);
    for (int[] range : new int[][] {{0, LENGTH}, {100, 5000}, {8191, 2}, {4 * 4096, 4096 + 77}}) {
      assertThat(pieces.read(range[0], range[1]))
          .as("from %s", range[0])
          .isEqualTo(Arrays.copyOfRange(expected, range[0], range[0] + range[1]));
    }
  }
}
