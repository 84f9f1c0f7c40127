/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What decoding costs; that it is right, IzsCodecTest shows. */
class DecodePlannerTest {
  static List<ZigzagCode> codes() {
    return IzsFamily.all().stream().filter(code -> code.parityColumns() > 1).toList();
  }

  /** Reed-Solomon takes 2 k products for a row of two lost units. */
  @ParameterizedTest
  @MethodSource("codes")
  void twoLostColumnsTakeFewerProductsThanReedSolomon(ZigzagCode code) throws Exception {
    int k = code.dataColumns();
    for (List<Integer> lost : Columns.erasures(k, 2)) {
      if (lost.size() < 2) {
        continue;
      }
      ColumnSet available = ColumnSet.NONE.with(k).with(k + 1);
      for (int data = 0; data < k; data++) {
        available = lost.contains(data) ? available : available.with(data);
      }
      ColumnSet wanted = ColumnSet.NONE.with(lost.get(0)).with(lost.get(1));
      RowProgram program = DecodePlanner.decode(code, available, wanted);
      assertThat(products(program))
          .as("%s without %s", code, lost)
          .isLessThanOrEqualTo((k + 2) * code.rows())
          .isLessThan(2 * k * code.rows());
    }
  }

  /** Those of steps that are no plain XOR. */
  private static int products(RowProgram program) {
    int products = 0;
    for (RowStep step : program.steps()) {
      boolean isXor = true;
      for (byte coefficient : step.matrix()) {
        isXor &= coefficient == 1;
      }
      products += isXor ? 0 : step.matrix().length;
    }
    return products;
  }
}
