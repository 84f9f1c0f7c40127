/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every kernel against the scalar reference, which in turn is checked against the definition of the
 * field.
 */
class KernelsTest {
  private static final int GUARD_BYTES = 67;
  private static final Kernel REFERENCE = new ScalarKernel();

  static List<Kernel> kernels() {
    return Kernels.table().supported();
  }

  /** Where a buffer's bytes live and how they are aligned. */
  private enum Home {
    HEAP,
    DIRECT,
    READ_ONLY_HEAP
  }

  @Test
  void nativeKernelIsThereWhenItIsRequired() {
    Kernels.Candidate isal = Kernels.table().candidates().get(0);
    assertThat(isal.name()).isEqualTo("isal");
    if (Boolean.getBoolean(Kernels.REQUIRE_NATIVE_PROPERTY)) {
      assertThat(isal.isSupported()).as(isal.reason()).isTrue();
    }
    assertThat(isal.isSupported()).isEqualTo(isal.reason().isEmpty());
  }

  /** This module's tests run with the incubating module. */
  @Test
  void vectorKernelIsThere() {
    Kernels.Candidate vector = Kernels.table().candidates().get(1);
    assertThat(vector.name()).isEqualTo("vector");
    assertThat(vector.isNative()).isFalse();
    assertThat(vector.isSupported()).as(vector.reason()).isTrue();
  }

  @Test
  void tableIsOrderedBestFirst() {
    assertThat(Kernels.table().candidates())
        .extracting(Kernels.Candidate::name)
        .containsExactly("isal", "vector", "word", "table", "scalar");
    assertThat(Kernels.table().choose(Map.<String, String>of()::get).name())
        .isEqualTo(kernels().get(0).name());
  }

  @Test
  void kernelCanBeForced() {
    assertThat(Kernels.table().choose(Map.of(Kernels.FORCE_PROPERTY, "scalar")::get).name())
        .isEqualTo("scalar");
    assertThatThrownBy(() -> Kernels.table().choose(Map.of(Kernels.FORCE_PROPERTY, "quantum")::get))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("hdfsparity.kernel=quantum, require.native=false, expected one that");
  }

  @Test
  void strictModeRefusesJava() {
    Map<String, String> strict = Map.of(Kernels.REQUIRE_NATIVE_PROPERTY, "true");
    if (Kernels.table().candidates().get(0).isSupported()) {
      assertThat(Kernels.table().choose(strict::get).name()).isEqualTo("isal");
    }
    assertThatThrownBy(() -> Kernels.withoutNative("no library here").choose(strict::get))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessageContaining("isal: no library here")
        .hasMessageContaining("scalar: not native");
    assertThat(
            Kernels.withoutNative("no library here").choose(Map.<String, String>of()::get).name())
        .isEqualTo("vector");
  }

  @Test
  void referenceFollowsTheDefinitionOfTheField() {
    for (int a = 0; a < 256; a++) {
      for (int b = 0; b < 256; b++) {
        assertThat(Gf256.multiply(a, b)).isEqualTo(shiftAndAdd(a, b));
      }
    }
  }

  private static int shiftAndAdd(int a, int b) {
    int product = 0;
    for (int bit = 7; bit >= 0; bit--) {
      product = product << 1;
      if ((product & 0x100) != 0) {
        product ^= 0x11d;
      }
      if ((b >> bit & 1) != 0) {
        product ^= a;
      }
    }
    return product;
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void xorEqualsReferenceAtEveryLengthAndAlignment(Kernel kernel) {
    SeededRuns.of(3)
        .check(
            random -> {
              for (int length : lengths(random)) {
                Case one = new Case(random, 1, 1, length);
                one.compare(kernel, (k, in, out) -> k.xor(out[0], in[0]));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void multiplyAddEqualsReferenceAtEveryLengthAndAlignment(Kernel kernel) {
    SeededRuns.of(3)
        .check(
            random -> {
              for (int length : lengths(random)) {
                int coefficient = random.nextInt(256);
                Case one = new Case(random, 1, 1, length);
                one.compare(kernel, (k, in, out) -> k.multiplyAdd(coefficient, in[0], out[0]));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void multiplyAddEqualsReferenceForEveryCoefficient(Kernel kernel) {
    SeededRuns.of(1)
        .check(
            random -> {
              for (int coefficient = 0; coefficient < 256; coefficient++) {
                int fixed = coefficient;
                Case one = new Case(random, 1, 1, 300);
                one.compare(kernel, (k, in, out) -> k.multiplyAdd(fixed, in[0], out[0]));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void encodeEqualsReferenceAtEveryLengthAndAlignment(Kernel kernel) {
    SeededRuns.of(2)
        .check(
            random -> {
              for (int length : lengths(random)) {
                Case one = new Case(random, 1 + random.nextInt(12), 1 + random.nextInt(7), length);
                byte[] matrix = one.randomMatrix();
                one.compare(kernel, (k, in, out) -> k.encode(matrix, in, out));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void updateEqualsReferenceAtEveryLengthAndAlignment(Kernel kernel) {
    SeededRuns.of(2)
        .check(
            random -> {
              for (int length : lengths(random)) {
                Case one = new Case(random, 1, 1 + random.nextInt(7), length);
                byte[] column = one.randomMatrix();
                one.compare(kernel, (k, in, out) -> k.update(column, in[0], out));
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void widestCodesWork(Kernel kernel) {
    SeededRuns.of(1)
        .check(
            random -> {
              Case wide = new Case(random, 200, 56, 1000);
              byte[] matrix = GfMatrix.cauchyParity(200, 56).toBytes();
              wide.compare(kernel, (k, in, out) -> k.encode(matrix, in, out));
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void badCallsAreRefusedBeforeAnyByteIsTouched(Kernel kernel) {
    ByteBuffer four = ByteBuffer.allocateDirect(4);
    ByteBuffer five = ByteBuffer.allocateDirect(5);
    assertThatThrownBy(() -> kernel.xor(four, five)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> kernel.xor(four.asReadOnlyBuffer(), four.duplicate()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> kernel.multiplyAdd(256, four, four.duplicate()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                kernel.encode(new byte[3], new ByteBuffer[] {four, five}, new ByteBuffer[] {five}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () ->
                kernel.encode(
                    new byte[2],
                    new ByteBuffer[] {four, five},
                    new ByteBuffer[] {ByteBuffer.allocate(4)}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot encode: input.remaining=5, expected = 4");
    assertThatThrownBy(() -> kernel.update(new byte[2], four, new ByteBuffer[] {four.duplicate()}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void threadsDoNotShareScratch(Kernel kernel) throws Exception {
    List<Thread> threads = new java.util.ArrayList<>();
    List<Throwable> failures = java.util.Collections.synchronizedList(new java.util.ArrayList<>());
    for (int t = 0; t < 4; t++) {
      Random random = new Random(t);
      Thread thread =
          new Thread(
              () -> {
                for (int round = 0; round < 50; round++) {
                  Case one = new Case(random, 1 + random.nextInt(6), 1 + random.nextInt(3), 20_000);
                  byte[] matrix = one.randomMatrix();
                  one.compare(kernel, (k, in, out) -> k.encode(matrix, in, out));
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

  /** 0..257, and some that span several blocks of each kernel. */
  private static int[] lengths(Random random) {
    int[] lengths = new int[258 + 6];
    for (int i = 0; i < 258; i++) {
      lengths[i] = i;
    }
    int[] large = {4096, 4097, 8191, 16 * 1024, 16 * 1024 + 1 + random.nextInt(100), 65536 + 7};
    System.arraycopy(large, 0, lengths, 258, large.length);
    return lengths;
  }

  @FunctionalInterface
  private interface Call {
    void run(Kernel kernel, ByteBuffer[] inputs, ByteBuffer[] outputs);
  }

  /**
   * Random inputs and outputs at random alignments, with bytes around them that no kernel may
   * touch.
   */
  private static final class Case {
    private final Random random;
    private final ByteBuffer[] inputs;
    private final ByteBuffer[] outputs;

    Case(Random random, int inputCount, int outputCount, int length) {
      this.random = random;
      inputs = new ByteBuffer[inputCount];
      outputs = new ByteBuffer[outputCount];
      // Mostly one home for all, as in use; sometimes mixed.
      Home common = Home.values()[random.nextInt(3)];
      boolean isMixed = random.nextInt(4) == 0;
      for (int i = 0; i < inputCount; i++) {
        inputs[i] = buffer(length, isMixed ? Home.values()[random.nextInt(3)] : common);
      }
      for (int i = 0; i < outputCount; i++) {
        Home home = isMixed ? Home.values()[random.nextInt(2)] : common;
        outputs[i] = buffer(length, home == Home.READ_ONLY_HEAP ? Home.HEAP : home);
      }
    }

    byte[] randomMatrix() {
      byte[] matrix = new byte[inputs.length * outputs.length];
      random.nextBytes(matrix);
      for (int i = 0; i < matrix.length; i++) {
        if (random.nextInt(4) == 0) {
          matrix[i] = (byte) random.nextInt(2);
        }
      }
      return matrix;
    }

    private ByteBuffer buffer(int length, Home home) {
      int offset = random.nextInt(GUARD_BYTES);
      byte[] bytes = new byte[offset + length + GUARD_BYTES];
      random.nextBytes(bytes);
      ByteBuffer whole =
          home == Home.DIRECT
              ? ByteBuffer.allocateDirect(bytes.length)
              : ByteBuffer.allocate(bytes.length);
      whole.put(bytes).clear();
      // A slice has an array offset of its own.
      int sliceFrom = random.nextInt(offset + 1);
      ByteBuffer slice = whole.slice(sliceFrom, bytes.length - sliceFrom);
      slice.position(offset - sliceFrom).limit(offset - sliceFrom + length);
      return home == Home.READ_ONLY_HEAP ? slice.asReadOnlyBuffer() : slice;
    }

    void compare(Kernel kernel, Call call) {
      ByteBuffer[] expected = Arrays.stream(outputs).map(Case::copy).toArray(ByteBuffer[]::new);
      ByteBuffer[] unchanged = Arrays.stream(inputs).map(Case::copy).toArray(ByteBuffer[]::new);
      call.run(REFERENCE, inputs, expected);
      call.run(kernel, inputs, outputs);
      for (int i = 0; i < outputs.length; i++) {
        assertThat(all(outputs[i]))
            .as("output %d of %d", i, outputs.length)
            .isEqualTo(all(expected[i]));
        assertThat(outputs[i].position()).isEqualTo(expected[i].position());
        assertThat(outputs[i].limit()).isEqualTo(expected[i].limit());
      }
      for (int i = 0; i < inputs.length; i++) {
        assertThat(all(inputs[i])).isEqualTo(all(unchanged[i]));
        assertThat(inputs[i].position()).isEqualTo(unchanged[i].position());
      }
    }

    private static ByteBuffer copy(ByteBuffer buffer) {
      ByteBuffer copy = ByteBuffer.wrap(all(buffer));
      copy.position(buffer.position()).limit(buffer.limit());
      return copy;
    }

    /** All bytes of the buffer, those outside its limits too. */
    private static byte[] all(ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.capacity()];
      buffer.duplicate().clear().get(bytes);
      return bytes;
    }
  }
}
