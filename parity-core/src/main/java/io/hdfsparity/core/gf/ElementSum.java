/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;

/**
 * Elements as sums of products of others. Immutable, thread-safe.
 *
 * <p>Elements are numbered as {@link ProgramKernel#prepare} says; the matrix is that of {@link
 * Kernel#encode}.
 */
public final class ElementSum {
  private final byte[] matrix;
  private final int[] sources;
  private final int[] targets;

  /**
   * A sum.
   *
   * @param matrix one row a target, one column a source
   */
  public ElementSum(byte[] matrix, int[] sources, int[] targets) {
    Checks.argument(
        sources.length > 0 && matrix.length == sources.length * targets.length,
        "make a sum of elements",
        "matrix.length",
        matrix.length,
        "= sources * targets, both > 0");
    for (int target : targets) {
      for (int source : sources) {
        Checks.argument(
            source != target, "make a sum of elements", "target", target, "none of the sources");
      }
    }
    this.matrix = matrix.clone();
    this.sources = sources.clone();
    this.targets = targets.clone();
  }

  int sourceCount() {
    return sources.length;
  }

  int targetCount() {
    return targets.length;
  }

  int source(int index) {
    return sources[index];
  }

  int target(int index) {
    return targets[index];
  }

  int coefficient(int target, int source) {
    return matrix[target * sources.length + source] & 0xff;
  }

  /** Whether a target is the plain XOR of two sources or more. */
  boolean isPlain(int target) {
    for (int source = 0; source < sources.length; source++) {
      if (coefficient(target, source) != 1) {
        return false;
      }
    }
    return sources.length > 1;
  }
}
