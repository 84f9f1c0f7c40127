/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.organize;

/**
 * Which stripe each cell belongs to. A stripe has k data cells; an organization is a one-to-one map
 * of logical cells 0, 1, 2, ... to stored cells, stored cell p being cell p mod k of stripe p / k.
 *
 * <p>Implementations are immutable and thread-safe.
 */
public interface Organization {
  /** What {@link #logicalCell} returns for a stored cell that no logical cell is mapped to. */
  long PADDING = -1;

  /** Data cells of a stripe: the paper's k. */
  int dataCells();

  /**
   * Where a logical cell is stored.
   *
   * @param logicalCell >= 0
   */
  long storedCell(long logicalCell);

  /**
   * The logical cell that is stored in a place, or {@link #PADDING}.
   *
   * @param storedCell >= 0
   */
  long logicalCell(long storedCell);

  /**
   * Logical cells, ascending, without which the order is simple: each run of other cells between
   * two of them is stored in one run.
   */
  long[] displacedCells();

  /** The stripe of a logical cell. */
  default long stripe(long logicalCell) {
    return storedCell(logicalCell) / dataCells();
  }
}
