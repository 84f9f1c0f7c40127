/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import java.util.Arrays;
import java.util.List;

/**
 * A step of a {@link RowProgram}: some rows are set to sums of other rows times coefficients. Holds
 * {@code matrix[t * sources + s]} for target t and source s. Immutable; the array is not handed out
 * of this package and not written.
 */
final class RowStep {
  private final List<Element> sources;
  private final List<Element> targets;
  private final byte[] matrix;

  RowStep(List<Element> sources, List<Element> targets, byte[] matrix) {
    this.sources = List.copyOf(sources);
    this.targets = List.copyOf(targets);
    this.matrix = matrix.clone();
  }

  List<Element> sources() {
    return sources;
  }

  List<Element> targets() {
    return targets;
  }

  /** Whether this is {@code oneRow} with its row 0 replaced by {@code row}. */
  boolean equalsInRow(int row, RowStep oneRow) {
    return moved(oneRow.sources, row).equals(sources)
        && moved(oneRow.targets, row).equals(targets)
        && Arrays.equals(matrix, oneRow.matrix);
  }

  private static List<Element> moved(List<Element> elements, int row) {
    return elements.stream().map(element -> new Element(element.column(), row)).toList();
  }

  /** As {@link io.hdfsparity.core.gf.Kernel#encode} wants it; not to be written. */
  byte[] matrix() {
    return matrix;
  }
}
