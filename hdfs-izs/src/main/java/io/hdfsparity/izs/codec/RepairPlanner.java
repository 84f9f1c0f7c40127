/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** Finds the cheapest {@link RepairPlan}: fewest rows, then fewest runs. Pure. */
final class RepairPlanner {
  /** All rows come from parity 0. */
  private static final int NO_HYPERPLANE = 0;

  private final ZigzagCode code;

  RepairPlanner(ZigzagCode code) {
    this.code = code;
  }

  RepairPlan plan(int lostColumn) {
    return lostColumn < code.dataColumns() ? planData(lostColumn) : planParity(lostColumn);
  }

  private RepairPlan planData(int lost) {
    List<RepairPlan> plans = new ArrayList<>();
    int hyperplanes = code.parityColumns() > IzsFamily.SHIFTED_PARITY ? code.rows() : 1;
    for (int hyperplane = NO_HYPERPLANE; hyperplane < hyperplanes; hyperplane++) {
      plans.add(planData(lost, hyperplane));
    }
    // The first of equals, so that a plan is the same on every machine.
    return plans.stream()
        .min(
            Comparator.comparingLong((RepairPlan plan) -> plan.bytesRead(code.rows()))
                .thenComparingInt(RepairPlanner::runs))
        .orElseThrow();
  }

  private static int runs(RepairPlan plan) {
    return plan.helpers().stream().mapToInt(RepairPlan.Helper::rowRuns).sum();
  }

  private RepairPlan planData(int lost, int hyperplane) {
    Map<Element, Map<Element, Integer>> sums = new LinkedHashMap<>();
    for (int row = 0; row < code.rows(); row++) {
      int parity = Integer.bitCount(hyperplane & row) & 1;
      sums.put(new Element(lost, row), DecodePlanner.termsOfOne(code, lost, row, parity));
    }
    RowProgram.Builder tail = RowProgram.builder(code.tailCode());
    Map<Element, Integer> tailTerms = DecodePlanner.termsOfOne(code.tailCode(), lost, 0, 0);
    tail.add(new Element(lost, 0), tailTerms);
    return plan(lost, sums, tailTerms, tail.build());
  }

  private RepairPlan planParity(int lost) {
    int parity = lost - code.dataColumns();
    Map<Element, Map<Element, Integer>> sums = new LinkedHashMap<>();
    for (int row = 0; row < code.rows(); row++) {
      sums.put(new Element(lost, row), parityTerms(code, parity, row));
    }
    RowProgram.Builder tail = RowProgram.builder(code.tailCode());
    Map<Element, Integer> tailTerms = parityTerms(code.tailCode(), parity, 0);
    tail.add(new Element(lost, 0), tailTerms);
    return plan(lost, sums, tailTerms, tail.build());
  }

  /** One row of a parity column as a sum of data. */
  private static Map<Element, Integer> parityTerms(ZigzagCode code, int parity, int row) {
    Map<Element, Integer> terms = new LinkedHashMap<>();
    for (int data = 0; data < code.dataColumns(); data++) {
      int dataRow = code.dataRow(parity, data, row);
      terms.put(new Element(data, dataRow), code.coefficient(parity, data, dataRow));
    }
    return terms;
  }

  private RepairPlan plan(
      int lost,
      Map<Element, Map<Element, Integer>> sums,
      Map<Element, Integer> tailTerms,
      RowProgram tail) {
    Map<Integer, TreeSet<Integer>> rowsRead = new TreeMap<>();
    for (Map<Element, Integer> terms : sums.values()) {
      for (Element source : terms.keySet()) {
        rowsRead.computeIfAbsent(source.column(), column -> new TreeSet<>()).add(source.row());
      }
    }
    List<RepairPlan.Helper> helpers = new ArrayList<>();
    rowsRead.forEach(
        (column, rows) ->
            helpers.add(
                new RepairPlan.Helper(
                    column, List.copyOf(rows), tailTerms.containsKey(new Element(column, 0)))));
    RowProgram.Builder program = RowProgram.builder(code);
    sums.forEach((target, terms) -> program.add(target, packed(terms, rowsRead)));
    return new RepairPlan(code, lost, helpers, program.build(), tail);
  }

  /** Numbers rows by their place among those read, since that is how they come in. */
  private static Map<Element, Integer> packed(
      Map<Element, Integer> terms, Map<Integer, TreeSet<Integer>> rowsRead) {
    Map<Element, Integer> packed = new LinkedHashMap<>();
    terms.forEach(
        (source, coefficient) -> {
          TreeSet<Integer> read = rowsRead.getOrDefault(source.column(), new TreeSet<>());
          packed.put(new Element(source.column(), read.headSet(source.row()).size()), coefficient);
        });
    return packed;
  }
}
