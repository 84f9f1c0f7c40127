/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.trace;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.trace.Access;

/**
 * One request of a trace, in cells of the size that its source was given. A request that touches a
 * byte of a cell touches the cell.
 *
 * @param timeTicks when it was made, in ticks of 100 ns from any fixed point
 * @param access read or write
 * @param firstCell address of its first cell, from 0
 * @param cellCount how many consecutive cells, at least 1
 */
public record CellRequest(long timeTicks, Access access, long firstCell, int cellCount) {
  /** Longer requests are refused, so that the cells of one request always fit in memory. */
  public static final int MAX_CELL_COUNT = 1 << 22;

  public CellRequest {
    Checks.argument(firstCell >= 0, "take a request", "firstCell", firstCell, ">= 0");
    Checks.argument(
        cellCount >= 1 && cellCount <= MAX_CELL_COUNT,
        "take a request",
        "cellCount",
        cellCount,
        "1 to " + MAX_CELL_COUNT);
    Checks.argument(
        firstCell <= Long.MAX_VALUE - cellCount,
        "take a request",
        "firstCell",
        firstCell,
        "an end below 2^63, cellCount=" + cellCount);
  }
}
