/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import java.util.ArrayList;
import java.util.List;

/**
 * Which cells of a striped file are updated: at both ends, and in groups at the same offset of all
 * data units of a block group. The cells of one offset share their parity bytes, so updates of one
 * meet updates, recoveries and decodes of another one. Pure.
 */
final class UsedCells {
  private static final int OFFSETS = 4;

  private UsedCells() {}

  /**
   * Draws nothing: always the same cells for the same file.
   *
   * @param cells of the file; at least one block group
   * @param dataUnits of a block group
   * @param cellsPerUnit of a block; at least 4
   * @return numbers of cells, ascending, from 0 to {@code cells} - 1
   */
  static List<Integer> of(int cells, int dataUnits, int cellsPerUnit) {
    int cellsPerGroup = dataUnits * cellsPerUnit;
    List<Integer> used = new ArrayList<>();
    for (int group = 0; group * cellsPerGroup < cells; group++) {
      for (int unit = 0; unit < dataUnits; unit++) {
        for (int i = 0; i < OFFSETS; i++) {
          int offset = i * (cellsPerUnit - 1) / (OFFSETS - 1);
          int cell = group * cellsPerGroup + unit * cellsPerUnit + offset;
          if (cell < cells - 1) {
            used.add(cell);
          }
        }
      }
    }
    used.add(cells - 1);
    return List.copyOf(used);
  }
}
