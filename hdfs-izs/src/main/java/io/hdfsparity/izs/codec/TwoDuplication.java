/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

/**
 * The paper's own (6, 4) code, so that its figures can be compared: 4 rows, two copies of a
 * construction for two data columns (paper section 4.3, Algorithm 6 and Figure 3). A lost data
 * column is rebuilt from .750 of what Reed-Solomon reads (Algorithm 7, equation 3). Offered by no
 * codec: {@link IzsFamily} reads less.
 *
 * <p>The paper's Table 3 makes e_0 the zero vector; of e_1 it says only that it is a unit vector of
 * two bits, and this takes the high one. Its algorithms speak of elements only; bytes behind the
 * last row are coded as in {@link IzsFamily}. Stateless.
 */
public final class TwoDuplication {
  private static final int ROWS = 4;

  /** Data columns of the construction that is there twice. */
  private static final int BASE_COLUMNS = 2;

  /** The vectors e of Table 3. */
  private static final int[] UNIT_VECTORS = {0, 0b10};

  private TwoDuplication() {}

  /** The (6, 4) code of Figure 3. */
  public static ZigzagCode code() {
    int[][] shifts = new int[2][2 * BASE_COLUMNS];
    for (int data = 0; data < shifts[1].length; data++) {
      shifts[1][data] = UNIT_VECTORS[data % BASE_COLUMNS];
    }
    return new ZigzagCode(
        "IZS-2-duplication-4-2",
        ROWS,
        shifts,
        TwoDuplication::coefficient,
        (parity, data, row) -> IzsFamily.coefficient(parity, data));
  }

  /** Algorithm 6: 2 where u . i = 1 in the first copy, and where it is not in the second. */
  private static int coefficient(int parity, int data, int dataRow) {
    if (parity == 0) {
      return 1;
    }
    boolean isOdd = (Integer.bitCount(sumVector(data % BASE_COLUMNS) & dataRow) & 1) == 1;
    boolean isFirstCopy = data < BASE_COLUMNS;
    return isOdd == isFirstCopy ? 2 : 1;
  }

  /** u_t = e_0 + ... + e_t. */
  private static int sumVector(int last) {
    int sum = 0;
    for (int i = 0; i <= last; i++) {
      sum ^= UNIT_VECTORS[i];
    }
    return sum;
  }
}
