/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;
import java.util.Optional;

/**
 * The row space of a matrix by Gauss-Jordan elimination: answers which vectors are linear
 * combinations of its rows, and of which. Works for matrices of any shape and rank, so that codes
 * which are not MDS decode what can be decoded. Immutable after construction, thread-safe.
 *
 * <p><b>Invariants</b>: {@code basis[b]} equals {@code combinations[b] * matrix}; it has a 1 in
 * column {@code pivots[b]} and every other basis row has a 0 there.
 */
public final class RowReduction {
  private final int rows;
  private final int columns;
  private final byte[][] basis;
  private final byte[][] combinations;
  private final int[] pivots;
  private int rank;

  public RowReduction(GfMatrix matrix) {
    rows = matrix.rows();
    columns = matrix.columns();
    int limit = Math.min(rows, columns);
    basis = new byte[limit][];
    combinations = new byte[limit][];
    pivots = new int[limit];
    // Earlier rows are preferred: callers put the cheap ones (intact data units) first.
    for (int row = 0; row < rows && rank < limit; row++) {
      byte[] combination = new byte[rows];
      combination[row] = 1;
      add(matrix.row(row), combination);
    }
  }

  /** Number of independent rows. */
  public int rank() {
    return rank;
  }

  /**
   * Coefficients {@code x}, one a row of the matrix, with {@code x * matrix = target}; empty if
   * there are none.
   *
   * @param target as many elements as the matrix has columns
   */
  public Optional<byte[]> express(byte[] target) {
    Checks.argument(
        target.length == columns, "express a row", "target.length", target.length, "= " + columns);
    byte[] rest = target.clone();
    byte[] combination = new byte[rows];
    reduce(rest, combination);
    return isZero(rest) ? Optional.of(combination) : Optional.empty();
  }

  private void add(byte[] row, byte[] combination) {
    reduce(row, combination);
    int pivot = 0;
    while (pivot < columns && row[pivot] == 0) {
      pivot++;
    }
    if (pivot == columns) {
      return;
    }
    int scale = Gf256.inverse(row[pivot]);
    scale(row, scale);
    scale(combination, scale);
    for (int b = 0; b < rank; b++) {
      int factor = basis[b][pivot];
      addScaled(basis[b], factor, row);
      addScaled(combinations[b], factor, combination);
    }
    basis[rank] = row;
    combinations[rank] = combination;
    pivots[rank] = pivot;
    rank++;
  }

  private void reduce(byte[] row, byte[] combination) {
    for (int b = 0; b < rank; b++) {
      int factor = row[pivots[b]];
      addScaled(row, factor, basis[b]);
      addScaled(combination, factor, combinations[b]);
    }
  }

  private static void scale(byte[] row, int factor) {
    for (int i = 0; i < row.length; i++) {
      row[i] = (byte) Gf256.multiply(factor, row[i]);
    }
  }

  private static void addScaled(byte[] row, int factor, byte[] other) {
    for (int i = 0; i < row.length; i++) {
      row[i] ^= (byte) Gf256.multiply(factor, other[i]);
    }
  }

  private static boolean isZero(byte[] row) {
    return Arrays.equals(row, new byte[row.length]);
  }
}
