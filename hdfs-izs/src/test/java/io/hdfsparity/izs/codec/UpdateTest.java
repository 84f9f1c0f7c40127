/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Kernels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A partial update leaves the parity that encoding anew would give. */
class UpdateTest {
  static List<ZigzagCode> codes() {
    return CodewordTwin.codes();
  }

  @ParameterizedTest
  @MethodSource("codes")
  void updateEqualsEncodingAnew(ZigzagCode code) {
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    CodewordTwin twin = CodewordTwin.of(code);
    SeededRuns.of(20)
        .check(
            random -> {
              int length = 1 + random.nextInt(random.nextBoolean() ? 5000 : 3 * code.rows() + 5);
              byte[][] old = twin.randomCodeword(random, length);
              int column = random.nextInt(code.dataColumns());
              int offset = random.nextInt(length);
              byte[] delta = new byte[random.nextInt(length - offset + 1)];
              random.nextBytes(delta);
              byte[][] data = java.util.Arrays.copyOf(old, code.dataColumns());
              data[column] = data[column].clone();
              for (int i = 0; i < delta.length; i++) {
                data[column][offset + i] ^= delta[i];
              }
              check(codec, old, twin.encode(data), column, offset, delta, random);
            });
  }

  private static void check(
      IzsCodec codec,
      byte[][] old,
      byte[][] expected,
      int column,
      int offset,
      byte[] delta,
      Random random) {
    int k = codec.code().dataColumns();
    int r = codec.code().parityColumns();
    int length = old[0].length;
    boolean isDirect = random.nextBoolean();
    ByteBuffer change = Columns.buffer(delta, isDirect, random);
    ByteBuffer[] inPlace = Columns.buffers(old, k, k + r, isDirect, random);
    codec.update(column, offset, change, inPlace);

    List<ParityRun> runs = codec.updateRuns(column, offset, delta.length, length);
    ByteBuffer[] deltas = Columns.poisoned(r, delta.length, isDirect, random);
    codec.parityDeltas(runs, change, deltas);
    byte[][] applied = new byte[r][];
    for (int g = 0; g < r; g++) {
      applied[g] = old[k + g].clone();
    }
    int bytes = 0;
    for (ParityRun run : runs) {
      byte[] parityDelta = Columns.bytes(deltas[run.parity()]);
      for (int i = 0; i < run.lengthBytes(); i++) {
        applied[run.parity()][run.parityOffset() + i] ^= parityDelta[run.deltaOffset() + i];
      }
      bytes += run.lengthBytes();
    }
    // As many bytes of each parity column as of the data column, and no others.
    assertThat(bytes).isEqualTo(r * delta.length);
    for (int g = 0; g < r; g++) {
      assertThat(Columns.bytes(inPlace[g])).isEqualTo(expected[k + g]);
      assertThat(applied[g]).isEqualTo(expected[k + g]);
    }
  }

  @Test
  void unshiftedParitiesTakeOneRun() {
    IzsCodec codec = new IzsCodec(Kernels.best(), IzsFamily.code(4, 3));
    assertThat(codec.updateRuns(1, 50, 200, 800))
        .containsExactly(
            new ParityRun(0, 0, 50, 200, 1),
            new ParityRun(1, 0, 150, 50, 2),
            new ParityRun(1, 50, 0, 100, 2),
            new ParityRun(1, 150, 300, 50, 2),
            new ParityRun(2, 0, 50, 200, 4));
    assertThat(codec.updateRuns(1, 50, 0, 800)).isEmpty();
  }

  @Test
  void rangesOutsideTheCodewordAreRefused() {
    IzsCodec codec = new IzsCodec(Kernels.best(), IzsFamily.code(4, 1));
    assertThatThrownBy(() -> codec.updateRuns(0, 90, 11, 100))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(
            "Cannot plan an update: offset=90, lengthBytes=11, expected a range inside"
                + " sizeBytes=100");
    assertThatThrownBy(() -> codec.updateRuns(4, 0, 1, 100))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }
}
