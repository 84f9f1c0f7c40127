/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

/**
 * One call of ISA-L: {@code runs} consecutive rows of elements in one go. Elements are numbered as
 * {@link ProgramKernel#prepare} says; the arrays hold the first of each source and target.
 * Immutable; arrays are not written.
 *
 * <p><b>Invariant</b>: no target is a source, in any of the rows.
 */
final class IsalCall {
  final IsalMatrix matrix;
  final int[] sources;
  final int[] targets;

  /** Rows in one go, each element followed by the next ones of its column; at least 1. */
  final int runs;

  /**
   * A call.
   *
   * @param sources as many as the matrix has inputs
   */
  IsalCall(IsalMatrix matrix, int[] sources, int[] targets, int runs) {
    this.matrix = matrix;
    this.sources = sources;
    this.targets = targets;
    this.runs = runs;
  }

  /** Whether {@code next} does the same to the elements behind those of this, at the same time. */
  boolean isContinuedBy(IsalCall next, int rows) {
    return matrix == next.matrix
        && areContinued(sources, next.sources, rows)
        && areContinued(targets, next.targets, rows)
        && !overlap(sources, runs, next.targets, next.runs)
        && !overlap(targets, runs, next.sources, next.runs);
  }

  private boolean areContinued(int[] elements, int[] next, int rows) {
    if (elements.length != next.length) {
      return false;
    }
    for (int i = 0; i < elements.length; i++) {
      if (next[i] != elements[i] + runs || next[i] / rows != elements[i] / rows) {
        return false;
      }
    }
    return true;
  }

  IsalCall extendedBy(IsalCall next) {
    return new IsalCall(matrix, sources, targets, runs + next.runs);
  }

  /** Whether the two may not change places. */
  boolean dependsOn(IsalCall other) {
    return overlap(sources, runs, other.targets, other.runs)
        || overlap(targets, runs, other.sources, other.runs)
        || overlap(targets, runs, other.targets, other.runs);
  }

  private static boolean overlap(int[] some, int someRuns, int[] others, int otherRuns) {
    for (int one : some) {
      for (int other : others) {
        if (one < other + otherRuns && other < one + someRuns) {
          return true;
        }
      }
    }
    return false;
  }
}
