/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import io.hdfsparity.core.gf.Gf256;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How many superchunks cannot be decoded after failures: each superchunk with both disks among the
 * failed ones is an unknown, each failed disk whose Lstor lives is an equation. Pure.
 */
final class LostSuperchunkCount {
  private final int[][] rows;
  private final int unknowns;

  private LostSuperchunkCount(int[][] rows, int unknowns) {
    this.rows = rows;
    this.unknowns = unknowns;
  }

  /**
   * Counts.
   *
   * @param failed disks
   * @param lostLstors disks whose Lstor is lost
   * @param coefficient of the side of the higher disk: 2, or 1 for plain XOR
   */
  static int of(PairTable table, int[] failed, Set<Integer> lostLstors, int coefficient) {
    int[] sorted = Arrays.stream(failed).sorted().distinct().toArray();
    Map<Long, Integer> unknowns = new HashMap<>();
    for (int a = 0; a < sorted.length; a++) {
      for (int b = a + 1; b < sorted.length; b++) {
        if (table.shares(sorted[a], sorted[b])) {
          unknowns.put((long) a * sorted.length + b, unknowns.size());
        }
      }
    }
    int[][] rows = new int[sorted.length][unknowns.size()];
    unknowns.forEach(
        (pair, unknown) -> {
          int a = (int) (pair / sorted.length);
          int b = (int) (pair % sorted.length);
          rows[a][unknown] = lostLstors.contains(sorted[a]) ? 0 : 1;
          rows[b][unknown] = lostLstors.contains(sorted[b]) ? 0 : coefficient;
        });
    return new LostSuperchunkCount(rows, unknowns.size()).unsolved();
  }

  private int unsolved() {
    int pivots = 0;
    int solved = 0;
    for (int column = 0; column < unknowns && pivots < rows.length; column++) {
      if (bringUp(pivots, column)) {
        eliminate(pivots, column);
        pivots++;
      }
    }
    for (int row = 0; row < pivots; row++) {
      solved += Arrays.stream(rows[row]).filter(value -> value != 0).count() == 1 ? 1 : 0;
    }
    return unknowns - solved;
  }

  private boolean bringUp(int row, int column) {
    for (int r = row; r < rows.length; r++) {
      if (rows[r][column] != 0) {
        int[] swapped = rows[row];
        rows[row] = rows[r];
        rows[r] = swapped;
        return true;
      }
    }
    return false;
  }

  private void eliminate(int pivot, int column) {
    int inverse = Gf256.inverse(rows[pivot][column]);
    for (int c = 0; c < unknowns; c++) {
      rows[pivot][c] = Gf256.multiply(rows[pivot][c], inverse);
    }
    for (int r = 0; r < rows.length; r++) {
      int factor = rows[r][column];
      if (r != pivot && factor != 0) {
        for (int c = 0; c < unknowns; c++) {
          rows[r][c] ^= Gf256.multiply(factor, rows[pivot][c]);
        }
      }
    }
  }
}
