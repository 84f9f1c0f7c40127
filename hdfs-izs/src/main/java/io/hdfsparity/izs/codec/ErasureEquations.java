/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.GfMatrix;
import java.util.List;

/**
 * The equations that parity columns make of lost data columns: one row a row of the parity columns,
 * one column a row of the unknowns. Immutable.
 */
final class ErasureEquations {
  private static final int NONE = -1;

  private final ZigzagCode code;
  private final List<Integer> parities;
  private final List<Integer> unknowns;
  private final int first;
  private final int eliminated;

  /** Those of all parity columns in all lost columns, as many. */
  ErasureEquations(ZigzagCode code, List<Integer> lost, List<Integer> parities) {
    this.code = code;
    this.parities = List.copyOf(parities);
    this.unknowns = List.copyOf(lost);
    this.first = NONE;
    this.eliminated = NONE;
  }

  /**
   * Those of all parity columns but the first, after one lost column was eliminated by that.
   *
   * @param parities as many as lost columns; the first is rowwise
   */
  ErasureEquations(ZigzagCode code, List<Integer> lost, List<Integer> parities, int eliminated) {
    this.code = code;
    this.first = parities.get(0);
    this.eliminated = eliminated;
    this.parities = List.copyOf(parities.subList(1, parities.size()));
    this.unknowns = lost.stream().filter(data -> data != eliminated).toList();
  }

  /** Columns that {@link #matrix} is about. */
  List<Integer> unknowns() {
    return unknowns;
  }

  /**
   * What a row of the first parity column is multiplied with when it stands for the eliminated
   * column's share in another parity column.
   */
  int share(int parity, int eliminatedRow) {
    return Gf256.multiply(
        code.coefficient(parity, eliminated, eliminatedRow),
        code.inverseCoefficient(first, eliminated, eliminatedRow));
  }

  /** Coefficients. */
  GfMatrix matrix() {
    int rows = code.rows();
    int size = unknowns.size() * rows;
    byte[] elements = new byte[size * size];
    for (int i = 0; i < parities.size(); i++) {
      for (int row = 0; row < rows; row++) {
        add(parities.get(i), row, elements, (i * rows + row) * size);
      }
    }
    return GfMatrix.of(size, size, elements);
  }

  /** One equation, at {@code from}. */
  private void add(int parity, int parityRow, byte[] elements, int from) {
    for (int j = 0; j < unknowns.size(); j++) {
      int data = unknowns.get(j);
      int at = from + j * code.rows();
      int dataRow = code.dataRow(parity, data, parityRow);
      elements[at + dataRow] ^= (byte) code.coefficient(parity, data, dataRow);
      if (eliminated != NONE) {
        int row = code.dataRow(parity, eliminated, parityRow);
        elements[at + row] ^=
            (byte) Gf256.multiply(share(parity, row), code.coefficient(first, data, row));
      }
    }
  }
}
