/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import io.hdfsparity.core.gf.ScalarKernel;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Encoding and decoding of bytes, against the dumb twin and on every kernel. */
class IzsCodecTest {
  static List<ZigzagCode> codes() {
    return CodewordTwin.codes();
  }

  static List<Kernel> kernels() {
    return Kernels.table().supported();
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyLengthIsEncodedAsTheTwinDoes(ZigzagCode code) {
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    CodewordTwin twin = CodewordTwin.of(code);
    SeededRuns.of(2)
        .check(
            random -> {
              for (int length : lengths(code, random)) {
                checkEncode(codec, twin.randomCodeword(random, length), random);
              }
            });
  }

  private static void checkEncode(IzsCodec codec, byte[][] codeword, Random random) {
    int k = codec.code().dataColumns();
    int length = codeword[0].length;
    boolean isDirect = random.nextBoolean();
    ByteBuffer[] data = Columns.buffers(codeword, 0, k, isDirect, random);
    ByteBuffer[] parity = Columns.poisoned(codec.code().parityColumns(), length, isDirect, random);
    codec.encode(data, parity);
    for (int g = 0; g < parity.length; g++) {
      assertThat(Columns.bytes(parity[g]))
          .as("%s parity %d of %d bytes", codec.code(), g, length)
          .isEqualTo(codeword[k + g]);
    }
    for (int j = 0; j < k; j++) {
      assertThat(Columns.bytes(data[j])).isEqualTo(codeword[j]);
    }
  }

  /** 1..3p+5 and some that take several blocks. */
  private static List<Integer> lengths(ZigzagCode code, Random random) {
    List<Integer> lengths = new ArrayList<>();
    for (int length = 1; length <= 3 * code.rows() + 5; length++) {
      lengths.add(length);
    }
    lengths.add(10_000 + random.nextInt(10_000));
    lengths.add(code.rows() * 4096);
    lengths.add(code.rows() * 8192 + random.nextInt(code.rows() * 4096));
    return lengths;
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyPatternIsDecoded(ZigzagCode code) {
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    SeededRuns.of(2)
        .check(
            random -> {
              int length = code.rows() * (1 + random.nextInt(20)) + random.nextInt(code.rows());
              byte[][] codeword = CodewordTwin.of(code).randomCodeword(random, length);
              for (List<Integer> lost : Columns.erasures(code.columns(), code.parityColumns())) {
                checkDecode(codec, codeword, lost, lost, random);
              }
            });
  }

  @ParameterizedTest
  @MethodSource("codes")
  void everyLengthIsDecoded(ZigzagCode code) {
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    CodewordTwin twin = CodewordTwin.of(code);
    List<List<Integer>> patterns = Columns.erasures(code.columns(), code.parityColumns());
    SeededRuns.of(3)
        .check(
            random -> {
              for (int length : lengths(code, random)) {
                List<Integer> lost = patterns.get(random.nextInt(patterns.size()));
                List<Integer> wanted =
                    lost.stream().filter(column -> random.nextInt(4) > 0).toList();
                checkDecode(codec, twin.randomCodeword(random, length), lost, wanted, random);
              }
            });
  }

  private static void checkDecode(
      IzsCodec codec, byte[][] codeword, List<Integer> lost, List<Integer> wanted, Random random)
      throws TooManyErasuresException {
    boolean isDirect = random.nextBoolean();
    ByteBuffer[] columns = Columns.buffers(codeword, 0, codeword.length, isDirect, random);
    lost.forEach(column -> columns[column] = null);
    ByteBuffer[] outputs = Columns.poisoned(wanted.size(), codeword[0].length, isDirect, random);
    codec.decode(columns, wanted.stream().mapToInt(i -> i).toArray(), outputs);
    for (int i = 0; i < outputs.length; i++) {
      assertThat(Columns.bytes(outputs[i]))
          .as("%s column %d without %s", codec.code(), wanted.get(i), lost)
          .isEqualTo(codeword[wanted.get(i)]);
    }
    for (int column = 0; column < columns.length; column++) {
      if (columns[column] != null) {
        assertThat(Columns.bytes(columns[column])).isEqualTo(codeword[column]);
      }
    }
  }

  /** Elimination over all bytes of a codeword; short ones, since it is cubic. */
  @ParameterizedTest
  @MethodSource("codes")
  void eliminationFindsTheSameData(ZigzagCode code) {
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    CodewordTwin twin = CodewordTwin.of(code);
    List<List<Integer>> patterns = Columns.erasures(code.columns(), code.parityColumns());
    SeededRuns.of(4)
        .check(
            random -> {
              int length = 1 + random.nextInt(code.rows() + 3);
              byte[][] codeword = twin.randomCodeword(random, length);
              List<Integer> lost = patterns.get(random.nextInt(patterns.size()));
              byte[][] left = codeword.clone();
              lost.forEach(column -> left[column] = null);
              byte[][] solved = twin.solve(left, length);
              assertThat(solved).as("%s without %s", code, lost).isNotNull();
              for (int j = 0; j < code.dataColumns(); j++) {
                assertThat(solved[j]).isEqualTo(codeword[j]);
              }
              checkDecode(codec, codeword, lost, lost, random);
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void kernelsGiveTheSameBytes(Kernel kernel) {
    SeededRuns.of(2)
        .check(
            random -> {
              for (ZigzagCode code : codes()) {
                int length = code.rows() * (20 + random.nextInt(600)) + random.nextInt(code.rows());
                byte[][] data = new byte[code.dataColumns()][length];
                for (byte[] column : data) {
                  random.nextBytes(column);
                }
                byte[][] expected = codeword(new ScalarKernel(), code, data, random);
                byte[][] codeword = codeword(kernel, code, data, random);
                assertThat(codeword).isDeepEqualTo(expected);
                List<List<Integer>> patterns =
                    Columns.erasures(code.columns(), code.parityColumns());
                List<Integer> lost = patterns.get(random.nextInt(patterns.size()));
                checkDecode(new IzsCodec(kernel, code), expected, lost, lost, random);
              }
            });
  }

  private static byte[][] codeword(Kernel kernel, ZigzagCode code, byte[][] data, Random random) {
    boolean isDirect = random.nextBoolean();
    ByteBuffer[] parity = Columns.poisoned(code.parityColumns(), data[0].length, isDirect, random);
    new IzsCodec(kernel, code)
        .encode(Columns.buffers(data, 0, data.length, isDirect, random), parity);
    byte[][] codeword = java.util.Arrays.copyOf(data, code.columns());
    for (int g = 0; g < parity.length; g++) {
      codeword[data.length + g] = Columns.bytes(parity[g]);
    }
    return codeword;
  }

  @Test
  void tooManyErasuresAreTold() {
    IzsCodec codec = new IzsCodec(Kernels.best(), IzsFamily.code(4, 2));
    ByteBuffer[] columns = Columns.poisoned(6, 16, true, new Random(0));
    columns[0] = null;
    columns[2] = null;
    columns[5] = null;
    ByteBuffer[] outputs = Columns.poisoned(1, 16, true, new Random(0));
    byte[] before = Columns.bytes(outputs[0]);
    assertThatThrownBy(() -> codec.decode(columns, new int[] {2}, outputs))
        .isInstanceOf(TooManyErasuresException.class)
        .hasMessage(
            "Cannot decode: code=IZS-4-2, missing data columns=[0, 2], parity columns left=[0],"
                + " expected as many parity columns as missing data columns");
    assertThat(Columns.bytes(outputs[0])).isEqualTo(before);
  }

  @Test
  void badCallsAreRefused() {
    IzsCodec codec = new IzsCodec(Kernels.best(), IzsFamily.code(4, 1));
    ByteBuffer[] columns = Columns.poisoned(5, 16, true, new Random(0));
    ByteBuffer[] shorter = Columns.poisoned(1, 15, true, new Random(0));
    assertThatThrownBy(() -> codec.decode(columns, new int[] {2}, shorter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot decode: wanted=2, expected a column that is not given");
    columns[2] = null;
    assertThatThrownBy(() -> codec.decode(columns, new int[] {2}, shorter))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("Cannot use a codeword: column.remaining=");
    assertThatThrownBy(
            () ->
                codec.encode(
                    Columns.poisoned(4, 0, true, new Random(0)),
                    Columns.poisoned(1, 0, true, new Random(0))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot lay out a codeword: lengthBytes=0, expected > 0");
    assertThatThrownBy(() -> codec.encode(shorter, shorter))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void threadsDoNotShareScratch() throws Exception {
    ZigzagCode code = IzsFamily.code(4, 3);
    IzsCodec codec = new IzsCodec(Kernels.best(), code);
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      Random random = new Random(t);
      Thread thread =
          new Thread(
              () -> {
                byte[][] codeword = CodewordTwin.of(code).randomCodeword(random, 5000);
                for (int round = 0; round < 100; round++) {
                  try {
                    checkDecode(codec, codeword, List.of(0, 2, 3), List.of(0, 2, 3), random);
                  } catch (TooManyErasuresException e) {
                    throw new AssertionError(e);
                  }
                }
              });
      thread.setUncaughtExceptionHandler((failed, cause) -> failures.add(cause));
      threads.add(thread);
      thread.start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }
}
