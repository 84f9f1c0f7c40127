/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tries all shifts on few rows. A plan for lost column j with hyperplane w reads column l in half
 * exactly when {@code w . (v[j] ^ v[l]) = 1}; the search counts the columns read in full, summed
 * over j.
 */
class ShiftSearchTest {
  /** Shifts in ascending order, the first one 0: others are these with columns renamed. */
  private static final class Search {
    private final int[] shifts;
    private final int rows;
    private int least = Integer.MAX_VALUE;

    Search(int columns, int rows) {
      this.shifts = new int[columns];
      this.rows = rows;
    }

    int run() {
      extend(1);
      return least;
    }

    private void extend(int column) {
      if (column == shifts.length) {
        least = Math.min(least, fullColumns(shifts, rows));
        return;
      }
      for (int shift = shifts[column - 1]; shift < rows; shift++) {
        shifts[column] = shift;
        extend(column + 1);
      }
    }
  }

  static int fullColumns(int[] shifts, int rows) {
    int[] least = new int[shifts.length];
    Arrays.fill(least, shifts.length - 1);
    for (int plane = 1; plane < rows; plane++) {
      int odd = 0;
      for (int shift : shifts) {
        odd += Integer.bitCount(plane & shift) & 1;
      }
      for (int j = 0; j < shifts.length; j++) {
        int isOdd = Integer.bitCount(plane & shifts[j]) & 1;
        int sameSide = isOdd == 1 ? odd : shifts.length - odd;
        least[j] = Math.min(least[j], sameSide - 1);
      }
    }
    return Arrays.stream(least).sum();
  }

  /** The shifts of IzsFamily are the best ones on their rows. */
  @ParameterizedTest
  @CsvSource({"4,8", "6,8", "8,16", "10,16"})
  void offeredShiftsAreTheBest(int columns, int rows) {
    ZigzagCode code = IzsFamily.code(columns, 2);
    assertThat(code.rows()).isEqualTo(rows);
    int[] shifts = new int[columns];
    for (int j = 0; j < columns; j++) {
      shifts[j] = code.parityRow(1, j, 0);
    }
    assertThat(fullColumns(shifts, rows)).isEqualTo(new Search(columns, rows).run());
  }

  /** The reads that plans come to: p / 2 of each parity, p or p / 2 of each data column. */
  @ParameterizedTest
  @CsvSource({"4", "6", "8", "10"})
  void plansReadWhatTheSearchCounts(int columns) {
    ZigzagCode code = IzsFamily.code(columns, 2);
    IzsCodec codec = new IzsCodec(new io.hdfsparity.core.gf.ScalarKernel(), code);
    int[] shifts = new int[columns];
    long rowsRead = 0;
    for (int j = 0; j < columns; j++) {
      shifts[j] = code.parityRow(1, j, 0);
      rowsRead += codec.repairPlan(j).bytesRead(code.rows());
    }
    int halves = columns * (columns - 1) + fullColumns(shifts, code.rows());
    assertThat(rowsRead).isEqualTo((long) code.rows() * columns + (long) code.rows() * halves / 2);
  }
}
