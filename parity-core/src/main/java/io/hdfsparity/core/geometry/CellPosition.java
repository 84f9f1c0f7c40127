/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.geometry;

import io.hdfsparity.core.check.Checks;

/**
 * A byte inside a cell of a stripe. Immutable.
 *
 * @param stripeIndex which stripe, from 0
 * @param unitIndex which unit of the stripe, from 0; data units first, then parity units
 * @param offsetInCellBytes which byte of the cell, from 0
 */
public record CellPosition(long stripeIndex, int unitIndex, int offsetInCellBytes) {
  public CellPosition {
    Checks.argument(stripeIndex >= 0, "make a cell position", "stripeIndex", stripeIndex, ">= 0");
    Checks.argument(unitIndex >= 0, "make a cell position", "unitIndex", unitIndex, ">= 0");
    Checks.argument(
        offsetInCellBytes >= 0,
        "make a cell position",
        "offsetInCellBytes",
        offsetInCellBytes,
        ">= 0");
  }
}
