/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.ajx;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Maps for tests. */
public final class MovedRows {
  private MovedRows() {}

  /**
   * Row x goes to {@code x XOR shift}, any shift for any pair of blocks. Such a code decodes
   * whatever its coefficients alone decode (ADR 0007).
   *
   * @param rows a power of 2
   */
  public static RowMap shifted(Shape shape, int rows, Random random) {
    byte[] targets = new byte[shape.parityBlocks() * shape.dataBlocks() * rows];
    for (int at = 0; at < targets.length; at += rows) {
      int shift = random.nextInt(rows);
      for (int row = 0; row < rows; row++) {
        targets[at + row] = (byte) (row ^ shift);
      }
    }
    return RowMap.of(shape.parityBlocks(), shape.dataBlocks(), rows, targets);
  }

  /** Rows go anywhere. */
  static RowMap shuffled(Shape shape, int rows, Random random) {
    byte[] targets = new byte[shape.parityBlocks() * shape.dataBlocks() * rows];
    List<Integer> order = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      order.add(row);
    }
    for (int at = 0; at < targets.length; at += rows) {
      Collections.shuffle(order, random);
      for (int row = 0; row < rows; row++) {
        targets[at + row] = order.get(row).byteValue();
      }
    }
    return RowMap.of(shape.parityBlocks(), shape.dataBlocks(), rows, targets);
  }
}
