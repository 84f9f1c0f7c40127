/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the codes are, and that any k columns determine the others: every pattern of every code. */
class ZigzagCodeTest {
  static List<ZigzagCode> codes() {
    return CodewordTwin.codes();
  }

  @ParameterizedTest
  @MethodSource("codes")
  void anyColumnsAsManyAsDataDetermineTheOthers(ZigzagCode code) {
    for (List<Integer> lost : Columns.erasures(code.columns(), code.parityColumns())) {
      assertThat(isDetermined(code, lost)).as("%s without %s", code, lost).isTrue();
    }
  }

  /**
   * Whether the parity columns that are left determine the data columns that are lost: no more of
   * them are used than columns are lost, so that fewer erasures than r are no easier.
   */
  private static boolean isDetermined(ZigzagCode code, List<Integer> lost) {
    List<Integer> data = lost.stream().filter(column -> column < code.dataColumns()).toList();
    int p = code.rows();
    int[][] equations = new int[data.size() * p][data.size() * p];
    int used = 0;
    for (int g = 0; g < code.parityColumns() && used < data.size(); g++) {
      if (!lost.contains(code.dataColumns() + g)) {
        for (int j = 0; j < data.size(); j++) {
          for (int row = 0; row < p; row++) {
            equations[used * p + code.parityRow(g, data.get(j), row)][j * p + row] =
                code.coefficient(g, data.get(j), row);
          }
        }
        used++;
      }
    }
    return CodewordTwin.eliminate(equations, data.size() * p);
  }

  /** The bytes behind the last row must be as safe as the others. */
  @ParameterizedTest
  @MethodSource("codes")
  void tailCodeIsAsStrong(ZigzagCode code) {
    anyColumnsAsManyAsDataDetermineTheOthers(code.tailCode());
    assertThat(code.tailCode().rows()).isEqualTo(1);
    assertThat(code.tailCode().tailCode()).isSameAs(code.tailCode());
  }

  /** Each data element enters each parity column once, and each parity row has k elements. */
  @ParameterizedTest
  @MethodSource("codes")
  void rowMapsArePermutations(ZigzagCode code) {
    for (int g = 0; g < code.parityColumns(); g++) {
      for (int j = 0; j < code.dataColumns(); j++) {
        for (int row = 0; row < code.rows(); row++) {
          assertThat(code.dataRow(g, j, code.parityRow(g, j, row))).isEqualTo(row);
          if (g == 0) {
            assertThat(code.parityRow(g, j, row)).isEqualTo(row);
            assertThat(code.coefficient(g, j, row)).isEqualTo(1);
          }
        }
      }
    }
  }

  @Test
  void levelsAreNested() {
    for (int k : IzsFamily.dataColumns()) {
      ZigzagCode strongest = IzsFamily.code(k, IzsFamily.MAX_PARITY_COLUMNS);
      for (int r = 1; r < IzsFamily.MAX_PARITY_COLUMNS; r++) {
        ZigzagCode level = IzsFamily.code(k, r);
        assertThat(level.rows()).isEqualTo(strongest.rows());
        for (int g = 0; g < r; g++) {
          for (int j = 0; j < k; j++) {
            for (int row = 0; row < level.rows(); row++) {
              assertThat(level.parityRow(g, j, row)).isEqualTo(strongest.parityRow(g, j, row));
              assertThat(level.coefficient(g, j, row)).isEqualTo(strongest.coefficient(g, j, row));
            }
            assertThat(level.tailCode().coefficient(g, j, 0))
                .isEqualTo(strongest.tailCode().coefficient(g, j, 0));
          }
        }
      }
    }
  }

  @Test
  void otherCodesAreRefused() {
    assertThat(IzsFamily.all()).hasSize(12);
    assertThat(IzsFamily.isOffered(4, 3)).isTrue();
    assertThat(IzsFamily.isOffered(4, 4)).isFalse();
    assertThat(IzsFamily.isOffered(5, 1)).isFalse();
    assertThatThrownBy(() -> IzsFamily.code(5, 2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make an IZS code: dataColumns=5, expected one of [4, 6, 8, 10]");
    assertThatThrownBy(() -> IzsFamily.code(4, 4))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Cannot make an IZS code: parityColumns=4, expected 1..3");
  }
}
