/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

import io.hdfsparity.core.check.Checks;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What {@link IsalProgram} runs: sums as calls, and which bytes of the caller's columns they touch.
 * A plain XOR is a call of its own. Immutable once made; arrays are not written.
 */
final class IsalPlan {
  /** Bounds that keep products of sizes within an int; codes have up to 31 columns of 16 rows. */
  static final int MAX_ROWS = 256;

  private static final int MAX_COLUMNS = 256;

  final int rows;

  /** Columns that the caller brings. */
  final int columns;

  final int scratchColumns;

  /** By column: rows that the program names, from row 0 on; 0 where it names none. */
  final int[] rowsUsed;

  final boolean[] isWritten;

  /** By element; a division for each pointer of each call would be noticed. */
  final int[] columnOf;

  /** In order; those that do the same to neighbouring rows are one. */
  final List<IsalCall> calls = new ArrayList<>();

  private final IsalKernel kernel;
  private final Map<Coefficients, IsalMatrix> matrices = new HashMap<>();

  /** Each matrix is expanded once. */
  private record Coefficients(int inputs, ByteBuffer bytes) {}

  IsalPlan(IsalKernel kernel, int rows, int columns, int scratchColumns, List<ElementSum> sums) {
    requireRange("rows", rows, 1, MAX_ROWS);
    requireRange("columns", columns, 1, MAX_COLUMNS);
    requireRange("scratchColumns", scratchColumns, 0, MAX_COLUMNS);
    this.kernel = kernel;
    this.rows = rows;
    this.columns = columns;
    this.scratchColumns = scratchColumns;
    rowsUsed = new int[columns + scratchColumns];
    isWritten = new boolean[columns + scratchColumns];
    columnOf = new int[rows * rowsUsed.length];
    for (int element = 0; element < columnOf.length; element++) {
      columnOf[element] = element / rows;
    }
    for (ElementSum sum : sums) {
      note(sum);
      addCalls(sum);
    }
  }

  private static void requireRange(String name, int value, int min, int max) {
    Checks.argument(
        value >= min && value <= max, "prepare a program", name, value, min + ".." + max);
  }

  private void note(ElementSum sum) {
    for (int i = 0; i < sum.sourceCount(); i++) {
      note(sum.source(i));
    }
    for (int i = 0; i < sum.targetCount(); i++) {
      note(sum.target(i));
      isWritten[sum.target(i) / rows] = true;
    }
  }

  private void note(int element) {
    Checks.index("prepare a program", "element", element, rows * rowsUsed.length);
    int column = element / rows;
    rowsUsed[column] = Math.max(rowsUsed[column], element % rows + 1);
  }

  private void addCalls(ElementSum sum) {
    int[] sources = new int[sum.sourceCount()];
    for (int i = 0; i < sources.length; i++) {
      sources[i] = sum.source(i);
    }
    List<Integer> products = new ArrayList<>();
    for (int target = 0; target < sum.targetCount(); target++) {
      if (sum.isPlain(target)) {
        IsalMatrix ones = matrix(sum, List.of(target), /* isPlainSum= */ true);
        add(new IsalCall(ones, sources, new int[] {sum.target(target)}, 1));
      } else {
        products.add(target);
      }
    }
    if (!products.isEmpty()) {
      int[] targets = products.stream().mapToInt(sum::target).toArray();
      add(new IsalCall(matrix(sum, products, /* isPlainSum= */ false), sources, targets, 1));
    }
  }

  private IsalMatrix matrix(ElementSum sum, List<Integer> targets, boolean isPlainSum) {
    byte[] bytes = new byte[targets.size() * sum.sourceCount()];
    int at = 0;
    for (int target : targets) {
      for (int source = 0; source < sum.sourceCount(); source++) {
        bytes[at++] = (byte) sum.coefficient(target, source);
      }
    }
    return matrices.computeIfAbsent(
        new Coefficients(sum.sourceCount(), ByteBuffer.wrap(bytes)),
        fresh -> new IsalMatrix(kernel, fresh.inputs(), bytes, isPlainSum));
  }

  private void add(IsalCall call) {
    for (int at = calls.size() - 1; at >= 0; at--) {
      IsalCall earlier = calls.get(at);
      if (earlier.isContinuedBy(call, rows)) {
        calls.set(at, earlier.extendedBy(call));
        return;
      }
      if (call.dependsOn(earlier)) {
        break;
      }
    }
    calls.add(call);
  }

  /** Most pointers that a call takes on either side; an XOR takes them on one. */
  int pointers() {
    int pointers = 1;
    for (IsalCall call : calls) {
      pointers = Math.max(pointers, call.sources.length + 1);
      pointers = Math.max(pointers, call.targets.length);
    }
    return pointers;
  }
}
