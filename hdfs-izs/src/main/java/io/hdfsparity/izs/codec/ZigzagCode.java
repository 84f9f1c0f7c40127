/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.gf.Gf256;

/**
 * A zigzag code: an array of {@code p} rows, {@code k} data columns and {@code r} parity columns
 * over GF(2^8). Row {@code x} of data column {@code j} enters parity column {@code g} once, in row
 * {@code x ^ shift[g][j]}, times a coefficient that is not zero. So a change of one data element
 * touches exactly {@code r} parity elements, and a parity row is a sum of {@code k} elements.
 *
 * <p>Columns are numbered as Hadoop numbers units: 0..k-1 data, k..k+r-1 parity. {@code p} is a
 * power of 2. Parity column 0 is the plain sum of each row. Immutable, thread-safe.
 *
 * <p>Paper section 4.3, Algorithm 2: {@code x ^ shift} is its permutation f, the coefficient its
 * beta.
 */
public final class ZigzagCode {
  /** Columns fit a set of bits, and more than Hadoop's 16 units are of no use. */
  private static final int MAX_COLUMNS = 31;

  private final String name;
  private final int rows;
  private final int[][] shifts;
  private final byte[][][] coefficients;
  private final ZigzagCode tailCode;

  /** Coefficients of a code. */
  @FunctionalInterface
  interface CoefficientRule {
    /** What row {@code dataRow} of data column {@code data} is multiplied with: 1..255. */
    int of(int parity, int data, int dataRow);
  }

  /**
   * A code.
   *
   * @param shifts one row a parity column, one entry a data column; the first row all zero
   * @param tailRule coefficients of the bytes behind the last row, where a code has one row
   */
  ZigzagCode(
      String name, int rows, int[][] shifts, CoefficientRule rule, CoefficientRule tailRule) {
    Checks.argument(
        rows > 0 && Integer.bitCount(rows) == 1, "make a code", "rows", rows, "a power of 2");
    Checks.argument(shifts.length > 0, "make a code", "shifts.length", shifts.length, "> 0");
    Checks.argument(
        shifts.length + shifts[0].length <= MAX_COLUMNS,
        "make a code",
        "columns",
        shifts.length + shifts[0].length,
        "<= " + MAX_COLUMNS);
    this.name = name;
    this.rows = rows;
    this.shifts = new int[shifts.length][];
    this.coefficients = new byte[shifts.length][shifts[0].length][rows];
    for (int parity = 0; parity < shifts.length; parity++) {
      this.shifts[parity] = shifts[parity].clone();
      for (int data = 0; data < shifts[0].length; data++) {
        Checks.index("make a code", "shift", shifts[parity][data], rows);
        for (int row = 0; row < rows; row++) {
          coefficients[parity][data][row] = checked(rule.of(parity, data, row), parity);
        }
      }
    }
    this.tailCode =
        rows == 1
            ? this
            : new ZigzagCode(
                name + " tail", 1, new int[shifts.length][shifts[0].length], tailRule, tailRule);
  }

  private static byte checked(int coefficient, int parity) {
    boolean isSound = parity == 0 ? coefficient == 1 : coefficient > 0 && coefficient < 256;
    Checks.argument(
        isSound, "make a code", "coefficient", coefficient, "1 in parity 0, 1..255 elsewhere");
    return (byte) coefficient;
  }

  /** For logs: {@code IZS-4-2}. */
  public String name() {
    return name;
  }

  /** p: rows of a column. */
  public int rows() {
    return rows;
  }

  /** k. */
  public int dataColumns() {
    return shifts[0].length;
  }

  /** r. */
  public int parityColumns() {
    return shifts.length;
  }

  /** k + r. */
  public int columns() {
    return dataColumns() + parityColumns();
  }

  /** The row of parity column {@code parity} (0..r-1) that a data element enters. */
  public int parityRow(int parity, int data, int dataRow) {
    return dataRow ^ shifts[parity][data];
  }

  /** The row of data column {@code data} that enters a parity element. */
  public int dataRow(int parity, int data, int parityRow) {
    return parityRow ^ shifts[parity][data];
  }

  /** What a data element is multiplied with in parity column {@code parity}: 1..255. */
  public int coefficient(int parity, int data, int dataRow) {
    return coefficients[parity][data][dataRow] & 0xff;
  }

  /** Its inverse. */
  int inverseCoefficient(int parity, int data, int dataRow) {
    return Gf256.inverse(coefficient(parity, data, dataRow));
  }

  /** Whether a parity column adds up each row by itself. */
  public boolean isRowwise(int parity) {
    for (int shift : shifts[parity]) {
      if (shift != 0) {
        return false;
      }
    }
    return true;
  }

  /** The code, of one row, of the bytes behind the last full row of a codeword. */
  public ZigzagCode tailCode() {
    return tailCode;
  }

  @Override
  public String toString() {
    return name + " (" + rows + " rows)";
  }
}
