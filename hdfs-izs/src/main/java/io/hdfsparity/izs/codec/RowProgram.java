/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import io.hdfsparity.core.gf.ElementSum;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Planned arithmetic on rows: what is computed from what, in order. Columns from {@code
 * scratchFrom} on hold what is computed on the way and kept nowhere. Immutable, thread-safe; run by
 * {@link ProgramRunner}.
 */
final class RowProgram {
  private final List<RowStep> steps;
  private final int rows;
  private final int scratchFrom;
  private final int scratchColumns;

  private RowProgram(List<RowStep> steps, int rows, int scratchFrom, int scratchColumns) {
    this.steps = List.copyOf(steps);
    this.rows = rows;
    this.scratchFrom = scratchFrom;
    this.scratchColumns = scratchColumns;
  }

  List<RowStep> steps() {
    return steps;
  }

  int rows() {
    return rows;
  }

  /** First column that is not one of the code's. */
  int scratchFrom() {
    return scratchFrom;
  }

  int scratchColumns() {
    return scratchColumns;
  }

  /** Elements that a block of this program holds at a time; at least 1. */
  int elements() {
    return rows * (scratchFrom + scratchColumns);
  }

  /** The steps as a kernel wants them. */
  List<ElementSum> sums() {
    return steps.stream()
        .map(
            step -> new ElementSum(step.matrix(), numbers(step.sources()), numbers(step.targets())))
        .toList();
  }

  private int[] numbers(List<Element> elements) {
    return elements.stream().mapToInt(element -> element.column() * rows + element.row()).toArray();
  }

  /**
   * Whether this does to each row what {@code oneRow} does to its only one. Then rows do not
   * matter, and {@code oneRow} may run on whole columns instead, in fewer and longer runs.
   */
  boolean repeats(RowProgram oneRow) {
    if (steps.size() != rows * oneRow.steps.size()) {
      return false;
    }
    for (RowStep step : steps) {
      int row = step.targets().get(0).row();
      if (oneRow.steps.stream().noneMatch(other -> step.equalsInRow(row, other))) {
        return false;
      }
    }
    return true;
  }

  static Builder builder(ZigzagCode code) {
    return new Builder(code.rows(), code.columns());
  }

  /**
   * Collects sums. Those of the same sources become one step, which reads the sources once: parity
   * 0 and 2 of {@link IzsFamily} do. That never moves a sum before what it is made of, since its
   * sources were there for the earlier sum already.
   */
  static final class Builder {
    private final int rows;
    private final int columns;
    private int scratchColumns;
    private final Map<List<Element>, List<Sum>> sums = new LinkedHashMap<>();

    private record Sum(Element target, List<Integer> coefficients) {}

    private Builder(int rows, int columns) {
      this.rows = rows;
      this.columns = columns;
    }

    /** A column for what is computed on the way. */
    int addScratchColumn() {
      return columns + scratchColumns++;
    }

    /** {@code target = sum of source * coefficient}. */
    void add(Element target, Map<Element, Integer> terms) {
      sums.computeIfAbsent(List.copyOf(terms.keySet()), sources -> new ArrayList<>())
          .add(new Sum(target, List.copyOf(terms.values())));
    }

    RowProgram build() {
      List<RowStep> steps = new ArrayList<>();
      sums.forEach((sources, group) -> steps.add(step(sources, group)));
      return new RowProgram(steps, rows, columns, scratchColumns);
    }

    private static RowStep step(List<Element> sources, List<Sum> group) {
      byte[] matrix = new byte[group.size() * sources.size()];
      int at = 0;
      for (Sum sum : group) {
        for (int coefficient : sum.coefficients()) {
          matrix[at++] = (byte) coefficient;
        }
      }
      return new RowStep(sources, group.stream().map(Sum::target).toList(), matrix);
    }
  }
}
