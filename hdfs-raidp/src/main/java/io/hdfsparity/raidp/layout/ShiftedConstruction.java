/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.layout;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The paper's layout (section 3.1, Fig. 3): columns are disks, rows are frames. Rows come in pairs;
 * the superchunks of the upper row, numbered from left to right, come again in the lower row,
 * shifted by as many columns as the pair's number. Shifts {@code k} and {@code N - k} meet the same
 * disks, so shifts below {@code N / 2} keep 1-sharing.
 *
 * <p>Two extensions. Columns may alternate between groups (racks, or nodes of several disks):
 * column {@code c} is of group {@code c mod groups}, and a shift that is a multiple of {@code
 * groups} is left out, because it would pair a group with itself. And an odd last row may pair with
 * itself by a shift of {@code N / 2}.
 *
 * <p>Immutable and thread-safe.
 */
public final class ShiftedConstruction {
  private final int columns;
  private final int[] shifts;
  private final int rows;

  private ShiftedConstruction(int columns, int rows, int[] shifts) {
    this.columns = columns;
    this.rows = rows;
    this.shifts = shifts;
  }

  /**
   * The construction for disks that may all pair with one another, as in Fig. 3.
   *
   * @param columns number of disks
   * @param rows superchunks of each disk
   * @return empty when there is none with exactly so many rows
   */
  public static Optional<ShiftedConstruction> of(int columns, int rows) {
    return of(columns, rows, columns);
  }

  /**
   * The construction for disks in groups of equal size, one group after the other in the columns.
   *
   * @param columns number of disks
   * @param rows superchunks of each disk
   * @param groups number of groups, of which no two disks may pair
   * @return empty when there is none with exactly so many rows
   */
  public static Optional<ShiftedConstruction> of(int columns, int rows, int groups) {
    if (columns < 2 || rows < 1 || groups < 2 || columns % groups != 0) {
      return Optional.empty();
    }
    int[] shifts = new int[(rows + 1) / 2];
    int found = 0;
    for (int k = 1; 2 * k < columns && found < rows / 2; k++) {
      if (k % groups != 0) {
        shifts[found++] = k;
      }
    }
    if (found < rows / 2) {
      return Optional.empty();
    }
    if (rows % 2 == 1) {
      if (columns % 2 == 1 || columns / 2 % groups == 0) {
        return Optional.empty();
      }
      shifts[found] = columns / 2;
    }
    return Optional.of(new ShiftedConstruction(columns, rows, shifts));
  }

  public int columns() {
    return columns;
  }

  public int rows() {
    return rows;
  }

  /** Number of superchunks. */
  public int superchunks() {
    return columns * rows / 2;
  }

  /** The table of Fig. 3: {@code table()[row][column]} is the number of the superchunk, from 1. */
  public int[][] table() {
    int[][] table = new int[rows][columns];
    for (Cell cell : cells()) {
      table[cell.rowA()][cell.columnA()] = cell.superchunk();
      table[cell.rowB()][cell.columnB()] = cell.superchunk();
    }
    return table;
  }

  /** The superchunks in the order of their numbers. */
  public List<Cell> cells() {
    List<Cell> cells = new ArrayList<>(superchunks());
    int number = 1;
    for (int i = 0; i < shifts.length; i++) {
      boolean alone = 2 * i + 1 == rows;
      for (int c = 0; c < (alone ? columns / 2 : columns); c++) {
        cells.add(
            new Cell(number++, 2 * i, c, alone ? 2 * i : 2 * i + 1, (c + shifts[i]) % columns));
      }
    }
    return cells;
  }

  /**
   * A superchunk's two places in the table.
   *
   * @param superchunk number, from 1
   * @param rowA row of the upper replica, from 0
   * @param columnA its column
   * @param rowB row of the shifted replica
   * @param columnB its column
   */
  public record Cell(int superchunk, int rowA, int columnA, int rowB, int columnB) {}
}
