/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.gf;

/** Where the columns of a program lie during one run. Not thread-safe. */
final class IsalFrame {
  /** Address of row 0 of each column, scratch columns last. */
  final long[] bases;

  /** Bytes of a row that are worked on at a time. */
  final int pieceBytes;

  /**
   * Bytes before the first 32-byte boundary in each row of each column, a multiple of 8; -1 where
   * they are not equally many.
   */
  int headBytes = -1;

  private final IsalPlan plan;
  private final int rowBytes;

  IsalFrame(IsalPlan plan, int rowBytes, int pieceBytes) {
    bases = new long[plan.columns + plan.scratchColumns];
    this.plan = plan;
    this.rowBytes = rowBytes;
    this.pieceBytes = pieceBytes;
  }

  /** Computes {@link #headBytes}, once all columns have their places. */
  void align() {
    int mask = IsalKernel.XOR_ALIGNMENT - 1;
    if (plan.rows > 1 && ((rowBytes & mask) != 0 || (pieceBytes & mask) != 0)) {
      return;
    }
    int common = -1;
    for (int column = 0; column < bases.length; column++) {
      if (plan.rowsUsed[column] > 0) {
        int head = (int) (-bases[column] & mask);
        if (head % Long.BYTES != 0 || (common >= 0 && head != common)) {
          return;
        }
        common = head;
      }
    }
    headBytes = common;
  }

  /** Address of what is worked on of an element. */
  long address(int element) {
    int column = plan.columnOf[element];
    int row = element - column * plan.rows;
    return bases[column] + (long) row * (column < plan.columns ? rowBytes : pieceBytes);
  }

  /** Goes to the next piece of each row; scratch holds that of all. */
  void moveOn(int bytes) {
    for (int column = 0; column < plan.columns; column++) {
      bases[column] += bytes;
    }
  }
}
