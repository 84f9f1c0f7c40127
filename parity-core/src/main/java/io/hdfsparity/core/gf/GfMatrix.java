/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;
import java.util.Arrays;
import java.util.StringJoiner;

/** An immutable matrix over GF(2^8), stored by rows. Thread-safe. */
public final class GfMatrix {
  private final int rows;
  private final int columns;
  private final byte[] elements;

  private GfMatrix(int rows, int columns, byte[] elements) {
    this.rows = rows;
    this.columns = columns;
    this.elements = elements;
  }

  /**
   * A matrix of given elements.
   *
   * @param elements by rows, {@code rows * columns} of them; copied
   */
  public static GfMatrix of(int rows, int columns, byte[] elements) {
    Checks.argument(rows > 0, "make a matrix", "rows", rows, "> 0");
    Checks.argument(columns > 0, "make a matrix", "columns", columns, "> 0");
    Checks.argument(
        elements.length == rows * columns,
        "make a matrix",
        "elements.length",
        elements.length,
        "rows * columns = " + rows * columns);
    return new GfMatrix(rows, columns, elements.clone());
  }

  /** The identity of a given size. */
  public static GfMatrix identity(int size) {
    Checks.argument(size > 0, "make an identity matrix", "size", size, "> 0");
    byte[] elements = new byte[size * size];
    for (int i = 0; i < size; i++) {
      elements[i * size + i] = 1;
    }
    return new GfMatrix(size, size, elements);
  }

  /**
   * The parity rows of ISA-L's {@code gf_gen_cauchy1_matrix}: element (i, j) is the inverse of
   * {@code (k + i) ^ j}. Any {@code k} rows of identity over these are independent. Byte-identical
   * with Hadoop's {@code rs} codec.
   *
   * @param dataUnits k
   * @param parityUnits m, {@code k + m <= 256}
   */
  public static GfMatrix cauchyParity(int dataUnits, int parityUnits) {
    checkUnits("make a Cauchy matrix", dataUnits, parityUnits, 256);
    byte[] elements = new byte[parityUnits * dataUnits];
    for (int i = 0; i < parityUnits; i++) {
      for (int j = 0; j < dataUnits; j++) {
        elements[i * dataUnits + j] = (byte) Gf256.inverse((dataUnits + i) ^ j);
      }
    }
    return new GfMatrix(parityUnits, dataUnits, elements);
  }

  /**
   * The parity rows of ISA-L's {@code gf_gen_rs_matrix}: element (i, j) is {@code 2^(i * j)}. The
   * first row is all ones (XOR), the second RAID-6's Q. Not every choice of {@code k} rows is
   * independent when {@code m > 2}; use {@link #cauchyParity} there.
   *
   * @param dataUnits k
   * @param parityUnits m, {@code k + m <= 255}
   */
  public static GfMatrix vandermondeParity(int dataUnits, int parityUnits) {
    checkUnits("make a Vandermonde matrix", dataUnits, parityUnits, 255);
    byte[] elements = new byte[parityUnits * dataUnits];
    for (int i = 0; i < parityUnits; i++) {
      int generator = Gf256.power(2, i);
      for (int j = 0; j < dataUnits; j++) {
        elements[i * dataUnits + j] = (byte) Gf256.power(generator, j);
      }
    }
    return new GfMatrix(parityUnits, dataUnits, elements);
  }

  private static void checkUnits(String doing, int dataUnits, int parityUnits, int limit) {
    Checks.argument(dataUnits > 0, doing, "dataUnits", dataUnits, "> 0");
    Checks.argument(parityUnits > 0, doing, "parityUnits", parityUnits, "> 0");
    Checks.argument(
        dataUnits + parityUnits <= limit, doing, "units", dataUnits + parityUnits, "<= " + limit);
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /** Element in 0..255. */
  public int at(int row, int column) {
    Checks.index("read a matrix", "row", row, rows);
    Checks.index("read a matrix", "column", column, columns);
    return elements[row * columns + column] & 0xff;
  }

  /** A copy of all elements by rows, as {@link Kernel#encode} wants them. */
  public byte[] toBytes() {
    return elements.clone();
  }

  /** A copy of one row. */
  public byte[] row(int row) {
    Checks.index("read a matrix", "row", row, rows);
    return Arrays.copyOfRange(elements, row * columns, (row + 1) * columns);
  }

  /** A copy of one column, as {@link Kernel#update} wants it. */
  public byte[] column(int column) {
    Checks.index("read a matrix", "column", column, columns);
    byte[] copy = new byte[rows];
    for (int i = 0; i < rows; i++) {
      copy[i] = elements[i * columns + column];
    }
    return copy;
  }

  /** The rows named, in that order. */
  public GfMatrix selectRows(int... selected) {
    Checks.argument(selected.length > 0, "select rows", "selected.length", selected.length, "> 0");
    byte[] chosen = new byte[selected.length * columns];
    for (int i = 0; i < selected.length; i++) {
      System.arraycopy(row(selected[i]), 0, chosen, i * columns, columns);
    }
    return new GfMatrix(selected.length, columns, chosen);
  }

  /** This matrix on top of {@code below}, which has as many columns. */
  public GfMatrix stack(GfMatrix below) {
    Checks.argument(
        below.columns == columns, "stack matrices", "below.columns", below.columns, "= " + columns);
    byte[] both = Arrays.copyOf(elements, elements.length + below.elements.length);
    System.arraycopy(below.elements, 0, both, elements.length, below.elements.length);
    return new GfMatrix(rows + below.rows, columns, both);
  }

  /** {@code this * right}. */
  public GfMatrix multiply(GfMatrix right) {
    Checks.argument(
        right.rows == columns, "multiply matrices", "right.rows", right.rows, "= " + columns);
    byte[] product = new byte[rows * right.columns];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < right.columns; j++) {
        int sum = 0;
        for (int x = 0; x < columns; x++) {
          sum ^= Gf256.multiply(at(i, x), right.at(x, j));
        }
        product[i * right.columns + j] = (byte) sum;
      }
    }
    return new GfMatrix(rows, right.columns, product);
  }

  /**
   * The inverse.
   *
   * @throws SingularMatrixException if there is none
   */
  public GfMatrix invert() {
    Checks.argument(rows == columns, "invert a matrix", "rows", rows, "= columns = " + columns);
    RowReduction reduction = new RowReduction(this);
    byte[] inverse = new byte[rows * rows];
    for (int i = 0; i < rows; i++) {
      byte[] unit = new byte[columns];
      unit[i] = 1;
      byte[] combination =
          reduction
              .express(unit)
              .orElseThrow(
                  () ->
                      new SingularMatrixException(
                          "Cannot invert a matrix: rank="
                              + reduction.rank()
                              + ", expected "
                              + rows));
      System.arraycopy(combination, 0, inverse, i * rows, rows);
    }
    return new GfMatrix(rows, rows, inverse);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GfMatrix that
        && that.rows == rows
        && that.columns == columns
        && Arrays.equals(that.elements, elements);
  }

  @Override
  public int hashCode() {
    return 31 * rows + Arrays.hashCode(elements);
  }

  @Override
  public String toString() {
    StringJoiner lines = new StringJoiner("\n");
    for (int i = 0; i < rows; i++) {
      StringJoiner line = new StringJoiner(" ");
      for (int j = 0; j < columns; j++) {
        line.add(String.format("%02x", at(i, j)));
      }
      lines.add(line.toString());
    }
    return lines.toString();
  }
}
