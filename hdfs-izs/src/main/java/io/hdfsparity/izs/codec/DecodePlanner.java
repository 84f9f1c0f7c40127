/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.gf.Gf256;
import io.hdfsparity.core.gf.GfMatrix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Plans what is computed from what: encoding, and decoding of any columns. Pure; one object plans
 * one program and is dropped.
 *
 * <p>Decoding of t >= 2 data columns goes by syndromes, each a parity column less the data columns
 * that are there. One lost column is eliminated, and the inverse of the (t - 1) * p equations that
 * are left gives the others. Since shifts commute, that inverse has a few elements a row, so this
 * costs far less than a dense matrix.
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
    if (parities.stream().allMatch(code::isRowwise)) {
      solveRowwise(lost, needed, parities);
    } else {
      solveByElimination(lost, needed, parities);
    }
  }

  /** A lost row is a sum of one row of each column: no syndromes are worth keeping. */
  private void solveRowwise(List<Integer> lost, List<Integer> needed, List<Integer> parities) {
    List<Map<Element, Integer>> syndromes = new ArrayList<>();
    for (int parity : parities) {
      for (int row = 0; row < code.rows(); row++) {
        syndromes.add(syndrome(parity, lost, row));
      }
    }
    GfMatrix inverse = new ErasureEquations(code, lost, parities).matrix().invert();
    for (int data : needed) {
      for (int row = 0; row < code.rows(); row++) {
        int equation = lost.indexOf(data) * code.rows() + row;
        program.add(new Element(dataColumns[data], row), sum(inverse, equation, syndromes));
      }
    }
  }

  /**
   * One column is put in terms of the others by the first parity column, which is rowwise; the
   * other parity columns then make equations of those only. With parity 0 that column costs XORs
   * and no products.
   */
  private void solveByElimination(
      List<Integer> lost, List<Integer> needed, List<Integer> parities) {
    int first = parities.get(0);
    int eliminated = toEliminate(lost, needed, parities.get(parities.size() - 1));
    ErasureEquations equations = new ErasureEquations(code, lost, parities, eliminated);
    int firstSyndrome = program.addScratchColumn();
    for (int row = 0; row < code.rows(); row++) {
      program.add(new Element(firstSyndrome, row), syndrome(first, lost, row));
    }
    List<Map<Element, Integer>> residuals = new ArrayList<>();
    for (int parity : parities.subList(1, parities.size())) {
      int into = program.addScratchColumn();
      for (int row = 0; row < code.rows(); row++) {
        int eliminatedRow = code.dataRow(parity, eliminated, row);
        Map<Element, Integer> residual = syndrome(parity, lost, row);
        residual.put(
            new Element(firstSyndrome, eliminatedRow), equations.share(parity, eliminatedRow));
        program.add(new Element(into, row), residual);
        residuals.add(Map.of(new Element(into, row), 1));
      }
    }
    GfMatrix inverse = equations.matrix().invert();
    for (int data : needed) {
      for (int row = 0; row < code.rows() && data != eliminated; row++) {
        int equation = equations.unknowns().indexOf(data) * code.rows() + row;
        program.add(new Element(dataColumns[data], row), sum(inverse, equation, residuals));
      }
    }
    if (needed.contains(eliminated)) {
      addEliminated(first, eliminated, equations.unknowns(), firstSyndrome);
    }
  }

  /**
   * A column that nobody wants if there is one. Else the one whose shift moves the longest runs of
   * rows as they are, since each run is a call of the kernel.
   */
  private int toEliminate(List<Integer> lost, List<Integer> needed, int shiftedParity) {
    return lost.stream()
        .filter(data -> !needed.contains(data))
        .findFirst()
        .orElseGet(
            () ->
                Collections.max(
                    lost,
                    Comparator.comparingInt(
                        data ->
                            Integer.numberOfTrailingZeros(
                                code.parityRow(shiftedParity, data, 0)))));
  }

  private void addEliminated(int parity, int eliminated, List<Integer> others, int firstSyndrome) {
    for (int row = 0; row < code.rows(); row++) {
      int inverse = code.inverseCoefficient(parity, eliminated, row);
      Map<Element, Integer> terms = new LinkedHashMap<>();
      terms.put(new Element(firstSyndrome, row), inverse);
      for (int data : others) {
        terms.put(
            new Element(dataColumns[data], row),
            Gf256.multiply(inverse, code.coefficient(parity, data, row)));
      }
      program.add(new Element(dataColumns[eliminated], row), terms);
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
}
