/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.GfMatrix;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans what is computed from what: encoding, and decoding of any columns. Pure; one object plans
 * one program and is dropped.
 *
 * <p>Decoding of t >= 2 data columns goes by t syndromes, each a parity column less the data
 * columns that are there, and by the inverse of the t * p equations that these are. Since shifts
 * commute, that inverse has a few elements a row, so this costs far less than a dense matrix.
 */
final class DecodePlanner {
  private final ZigzagCode code;
  private final RowProgram.Builder program;

  /** By data column: where its rows are, or will be once computed. */
  private final int[] dataColumns;

  private DecodePlanner(ZigzagCode code) {
    this.code = code;
    this.program = RowProgram.builder(code);
    this.dataColumns = new int[code.dataColumns()];
    for (int data = 0; data < dataColumns.length; data++) {
      dataColumns[data] = data;
    }
  }

  /** All parity columns from all data columns. */
  static RowProgram encode(ZigzagCode code) {
    DecodePlanner planner = new DecodePlanner(code);
    for (int parity = 0; parity < code.parityColumns(); parity++) {
      planner.addParity(parity);
    }
    return planner.program.build();
  }

  /**
   * The wanted columns from those available.
   *
   * @param available set of columns
   * @param wanted set of columns, none of them available
   * @throws TooManyErasuresException if the available ones do not determine them
   */
  static RowProgram decode(ZigzagCode code, ColumnSet available, ColumnSet wanted)
      throws TooManyErasuresException {
    DecodePlanner planner = new DecodePlanner(code);
    boolean isParityWanted = wanted.has(code.dataColumns(), code.columns());
    if (wanted.has(0, code.dataColumns()) || isParityWanted) {
      planner.addLostData(available, wanted, isParityWanted);
    }
    for (int parity = 0; parity < code.parityColumns(); parity++) {
      if (wanted.has(code.dataColumns() + parity)) {
        planner.addParity(parity);
      }
    }
    return planner.program.build();
  }

  private void addParity(int parity) {
    for (int row = 0; row < code.rows(); row++) {
      Map<Element, Integer> terms = new LinkedHashMap<>();
      for (int data = 0; data < code.dataColumns(); data++) {
        int dataRow = code.dataRow(parity, data, row);
        terms.put(new Element(dataColumns[data], dataRow), code.coefficient(parity, data, dataRow));
      }
      program.add(new Element(code.dataColumns() + parity, row), terms);
    }
  }

  private void addLostData(ColumnSet available, ColumnSet wanted, boolean isParityWanted)
      throws TooManyErasuresException {
    List<Integer> lost = new ArrayList<>();
    for (int data = 0; data < code.dataColumns(); data++) {
      if (!available.has(data)) {
        lost.add(data);
      }
    }
    if (lost.isEmpty()) {
      return;
    }
    List<Integer> parities = parities(available);
    if (parities.size() < lost.size()) {
      throw new TooManyErasuresException(code, lost, parities);
    }
    List<Integer> needed = new ArrayList<>();
    for (int data : lost) {
      if (wanted.has(data)) {
        needed.add(data);
      } else if (isParityWanted) {
        needed.add(data);
        dataColumns[data] = program.addScratchColumn();
      }
    }
    if (lost.size() == 1) {
      addOne(needed.get(0), parities.get(0));
    } else {
      solve(lost, needed, parities.subList(0, lost.size()));
    }
  }

  /** Those that can be used, first those without shifts: their equations are the simplest. */
  private List<Integer> parities(ColumnSet available) {
    List<Integer> parities = new ArrayList<>();
    for (boolean isRowwise : new boolean[] {true, false}) {
      for (int parity = 0; parity < code.parityColumns(); parity++) {
        if (available.has(code.dataColumns() + parity) && code.isRowwise(parity) == isRowwise) {
          parities.add(parity);
        }
      }
    }
    return parities;
  }

  private void addOne(int lost, int parity) {
    for (int row = 0; row < code.rows(); row++) {
      program.add(new Element(dataColumns[lost], row), termsOfOne(code, lost, row, parity));
    }
  }

  /** One row of a lost data column as a sum of one row of a parity column and other data. */
  static Map<Element, Integer> termsOfOne(ZigzagCode code, int lost, int lostRow, int parity) {
    int inverse = code.inverseCoefficient(parity, lost, lostRow);
    int parityRow = code.parityRow(parity, lost, lostRow);
    Map<Element, Integer> terms = new LinkedHashMap<>();
    terms.put(new Element(code.dataColumns() + parity, parityRow), inverse);
    for (int data = 0; data < code.dataColumns(); data++) {
      if (data != lost) {
        int dataRow = code.dataRow(parity, data, parityRow);
        int coefficient = code.coefficient(parity, data, dataRow);
        terms.put(new Element(data, dataRow), Gf256.multiply(inverse, coefficient));
      }
    }
    return terms;
  }

  private void solve(List<Integer> lost, List<Integer> needed, List<Integer> parities) {
    // Without shifts a lost row is a sum of one row of each column: no syndromes are worth keeping.
    boolean isDirect = parities.stream().allMatch(code::isRowwise);
    List<Map<Element, Integer>> syndromes = new ArrayList<>();
    for (int parity : parities) {
      int into = isDirect ? 0 : program.addScratchColumn();
      for (int row = 0; row < code.rows(); row++) {
        Map<Element, Integer> syndrome = syndrome(parity, lost, row);
        if (!isDirect) {
          program.add(new Element(into, row), syndrome);
          syndrome = Map.of(new Element(into, row), 1);
        }
        syndromes.add(syndrome);
      }
    }
    GfMatrix inverse = equations(lost, parities).invert();
    for (int data : needed) {
      for (int row = 0; row < code.rows(); row++) {
        int equation = lost.indexOf(data) * code.rows() + row;
        program.add(new Element(dataColumns[data], row), sum(inverse, equation, syndromes));
      }
    }
  }

  /** The syndromes times a row of the inverse. */
  private static Map<Element, Integer> sum(
      GfMatrix inverse, int equation, List<Map<Element, Integer>> syndromes) {
    Map<Element, Integer> terms = new LinkedHashMap<>();
    for (int column = 0; column < inverse.columns(); column++) {
      int factor = inverse.at(equation, column);
      if (factor != 0) {
        syndromes
            .get(column)
            .forEach(
                (source, coefficient) ->
                    terms.merge(source, Gf256.multiply(factor, coefficient), (a, b) -> a ^ b));
      }
    }
    terms.values().removeIf(coefficient -> coefficient == 0);
    return terms;
  }

  /** A row of a parity column less the data columns that are there. */
  private Map<Element, Integer> syndrome(int parity, List<Integer> lost, int row) {
    Map<Element, Integer> terms = new LinkedHashMap<>();
    terms.put(new Element(code.dataColumns() + parity, row), 1);
    for (int data = 0; data < code.dataColumns(); data++) {
      if (!lost.contains(data)) {
        int dataRow = code.dataRow(parity, data, row);
        terms.put(new Element(data, dataRow), code.coefficient(parity, data, dataRow));
      }
    }
    return terms;
  }

  /** One row a row of the parities, one column a row of the lost data columns. */
  private GfMatrix equations(List<Integer> lost, List<Integer> parities) {
    int rows = code.rows();
    int size = lost.size() * rows;
    byte[] elements = new byte[size * size];
    for (int i = 0; i < parities.size(); i++) {
      for (int j = 0; j < lost.size(); j++) {
        for (int row = 0; row < rows; row++) {
          int parity = parities.get(i);
          int equation = i * rows + code.parityRow(parity, lost.get(j), row);
          elements[equation * size + j * rows + row] =
              (byte) code.coefficient(parity, lost.get(j), row);
        }
      }
    }
    return GfMatrix.of(size, size, elements);
  }
}
