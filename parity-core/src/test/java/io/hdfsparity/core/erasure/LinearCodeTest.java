/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.erasure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.core.gf.GfMatrix;
import io.hdfsparity.core.gf.Kernel;
import io.hdfsparity.core.gf.Kernels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LinearCodeTest {
  static List<Kernel> kernels() {
    return Kernels.table().supported();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyErasurePatternOfSmallCauchyCodesDecodes(Kernel kernel) {
    SeededRuns.of(2)
        .check(
            random -> {
              for (int k = 1; k <= 6; k++) {
                for (int m = 1; m <= 3; m++) {
                  LinearCode code = new LinearCode(kernel, GfMatrix.cauchyParity(k, m));
                  everyPattern(code, 1 + random.nextInt(200), random);
                }
              }
            });
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void everyErasurePatternOfXorAndRaid6Decodes(Kernel kernel) {
    SeededRuns.of(3)
        .check(
            random -> {
              for (int k = 1; k <= 6; k++) {
                for (int m = 1; m <= 2; m++) {
                  LinearCode code = new LinearCode(kernel, GfMatrix.vandermondeParity(k, m));
                  everyPattern(code, 1 + random.nextInt(200), random);
                }
              }
            });
  }

  private static void everyPattern(LinearCode code, int length, Random random) throws Exception {
    ByteBuffer[] units = encoded(code, length, random);
    int total = code.totalUnits();
    for (int lost = 1; lost < 1 << total; lost++) {
      int[] wanted = bits(lost, total);
      ByteBuffer[] left = units.clone();
      ByteBuffer[] outputs = new ByteBuffer[wanted.length];
      for (int i = 0; i < wanted.length; i++) {
        left[wanted[i]] = null;
        outputs[i] = random(length, random);
      }
      if (wanted.length > code.parityUnits()) {
        if (wanted.length < total) {
          assertThatThrownBy(() -> code.decode(left, wanted, outputs))
              .isInstanceOf(UndecodableException.class);
        }
        continue;
      }
      code.decode(left, wanted, outputs);
      for (int i = 0; i < wanted.length; i++) {
        assertThat(outputs[i]).as("lost %x unit %d", lost, wanted[i]).isEqualTo(units[wanted[i]]);
      }
    }
  }

  @Test
  void codesThatAreNotMdsDecodeWhatIsDetermined() throws Exception {
    // Two local XOR groups of two data units each: units 4 = 0 + 1 and 5 = 2 + 3.
    GfMatrix rows = GfMatrix.of(2, 4, new byte[] {1, 1, 0, 0, 0, 0, 1, 1});
    LinearCode code = new LinearCode(Kernels.best(), rows);
    DecodePlan plan = code.planDecode(List.of(1, 2, 3, 4), List.of(0));
    assertThat(plan.sources()).containsExactly(1, 4);
    assertThatThrownBy(() -> code.planDecode(List.of(2, 3, 4, 5), List.of(0)))
        .isInstanceOf(UndecodableException.class)
        .hasMessage(
            "Cannot decode: unit=0, available=[2, 3, 4, 5], expected units that determine it");
    assertThat(code.planDecode(List.of(0, 2, 4), List.of(1)).sources()).containsExactly(0, 4);
  }

  @Test
  void preferredUnitsAreUsed() throws Exception {
    LinearCode code = new LinearCode(Kernels.best(), GfMatrix.cauchyParity(3, 3));
    assertThat(code.planDecode(List.of(5, 4, 2, 1, 3), List.of(0)).sources())
        .containsExactly(5, 4, 2);
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void updateEqualsEncodingAnew(Kernel kernel) {
    SeededRuns.of(50)
        .check(
            random -> {
              int k = 1 + random.nextInt(8);
              LinearCode code =
                  new LinearCode(kernel, GfMatrix.cauchyParity(k, 1 + random.nextInt(4)));
              int length = random.nextInt(3000);
              ByteBuffer[] units = encoded(code, length, random);
              ByteBuffer[] parity = java.util.Arrays.copyOfRange(units, k, units.length);
              int changed = random.nextInt(k);
              ByteBuffer delta = random(length, random);
              kernel.xor(units[changed], delta);
              code.update(changed, delta, parity);

              ByteBuffer[] expected = new ByteBuffer[parity.length];
              for (int i = 0; i < expected.length; i++) {
                expected[i] = random(length, random);
              }
              code.encode(java.util.Arrays.copyOf(units, k), expected);
              assertThat(parity).isEqualTo(expected);
            });
  }

  private static ByteBuffer[] encoded(LinearCode code, int length, Random random) {
    ByteBuffer[] units = new ByteBuffer[code.totalUnits()];
    for (int i = 0; i < units.length; i++) {
      units[i] = random(length, random);
    }
    int k = code.dataUnits();
    code.encode(
        java.util.Arrays.copyOf(units, k), java.util.Arrays.copyOfRange(units, k, units.length));
    return units;
  }

  private static ByteBuffer random(int length, Random random) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    ByteBuffer buffer =
        random.nextBoolean() ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    return buffer.put(bytes).flip();
  }

  private static int[] bits(int set, int count) {
    return IntStream.range(0, count).filter(i -> (set >> i & 1) != 0).toArray();
  }
}
