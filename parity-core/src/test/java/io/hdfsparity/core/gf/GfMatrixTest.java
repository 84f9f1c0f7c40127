/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.check.SeededRuns;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GfMatrixTest {
  /**
   * Parity rows of gf_gen_cauchy1_matrix(9, 6) and gf_gen_rs_matrix(8, 5), printed by a C program
   * on ISA-L 2.30.
   */
  private static final String CAUCHY_6_3 = "7aba47a78ef4ba7aa747f48ead9ddd983daa";

  private static final String VANDERMONDE_5_3 = "01010101010102040810010410401d";

  @Test
  void matricesAreThoseOfIsal() {
    assertThat(hex(GfMatrix.cauchyParity(6, 3))).isEqualTo(CAUCHY_6_3);
    assertThat(hex(GfMatrix.vandermondeParity(5, 3))).isEqualTo(VANDERMONDE_5_3);
  }

  private static String hex(GfMatrix matrix) {
    return HexFormat.of().formatHex(matrix.toBytes());
  }

  @Test
  void inverseTimesMatrixIsIdentity() {
    SeededRuns.of(300)
        .check(
            random -> {
              int size = 1 + random.nextInt(12);
              GfMatrix matrix = random(size, size, random);
              if (new RowReduction(matrix).rank() < size) {
                assertThatThrownBy(matrix::invert).isInstanceOf(SingularMatrixException.class);
              } else {
                assertThat(matrix.invert().multiply(matrix)).isEqualTo(GfMatrix.identity(size));
                assertThat(matrix.multiply(matrix.invert())).isEqualTo(GfMatrix.identity(size));
              }
            });
  }

  @Test
  void singularMatrixIsTold() {
    GfMatrix singular = GfMatrix.of(2, 2, new byte[] {1, 2, 2, 4});
    assertThatThrownBy(singular::invert)
        .isInstanceOf(SingularMatrixException.class)
        .hasMessage("Cannot invert a matrix: rank=1, expected 2");
  }

  @Test
  void expressionsGiveTheirTarget() {
    SeededRuns.of(300)
        .check(
            random -> {
              int rows = 1 + random.nextInt(8);
              int columns = 1 + random.nextInt(8);
              GfMatrix matrix = random(rows, columns, random);
              GfMatrix mix = random(1, rows, random);
              byte[] target = mix.multiply(matrix).row(0);
              byte[] found = new RowReduction(matrix).express(target).orElseThrow();
              assertThat(GfMatrix.of(1, rows, found).multiply(matrix).row(0)).isEqualTo(target);
            });
  }

  @Test
  void rowsOutsideTheSpaceAreNotExpressed() {
    RowReduction reduction = new RowReduction(GfMatrix.of(2, 3, new byte[] {1, 0, 0, 0, 1, 0}));
    assertThat(reduction.rank()).isEqualTo(2);
    assertThat(reduction.express(new byte[] {5, 7, 1})).isEmpty();
    assertThat(reduction.express(new byte[] {5, 7, 0})).hasValue(new byte[] {5, 7});
  }

  @Test
  void cauchyIsMdsForAllChoicesOfRows() {
    GfMatrix generator = GfMatrix.identity(4).stack(GfMatrix.cauchyParity(4, 3));
    for (int set = 0; set < 1 << 7; set++) {
      if (Integer.bitCount(set) == 4) {
        int fixed = set;
        int[] rows =
            java.util.stream.IntStream.range(0, 7).filter(i -> (fixed >> i & 1) != 0).toArray();
        assertThat(new RowReduction(generator.selectRows(rows)).rank()).isEqualTo(4);
      }
    }
  }

  @Test
  void fieldHasInversesAndPowers() {
    for (int a = 1; a < 256; a++) {
      assertThat(Gf256.multiply(a, Gf256.inverse(a))).isEqualTo(1);
      int power = 1;
      for (int exponent = 0; exponent < 600; exponent++) {
        assertThat(Gf256.power(a, exponent)).isEqualTo(power);
        power = Gf256.multiply(power, a);
      }
    }
    assertThat(Gf256.power(0, 0)).isEqualTo(1);
    assertThat(Gf256.power(0, 3)).isZero();
    assertThatThrownBy(() -> Gf256.inverse(0)).isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> Gf256.power(2, -1)).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void badShapesAreRefused() {
    GfMatrix two = GfMatrix.identity(2);
    assertThatThrownBy(() -> GfMatrix.of(2, 2, new byte[3]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> two.multiply(GfMatrix.identity(3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> two.stack(GfMatrix.identity(3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> two.at(2, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> GfMatrix.cauchyParity(200, 57))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> two.stack(two).invert()).isInstanceOf(IllegalArgumentException.class);
  }

  private static GfMatrix random(int rows, int columns, Random random) {
    byte[] elements = new byte[rows * columns];
    random.nextBytes(elements);
    // Few distinct values make dependent rows likely enough to meet.
    if (random.nextBoolean()) {
      for (int i = 0; i < elements.length; i++) {
        elements[i] &= 1;
      }
    }
    return GfMatrix.of(rows, columns, elements);
  }
}
