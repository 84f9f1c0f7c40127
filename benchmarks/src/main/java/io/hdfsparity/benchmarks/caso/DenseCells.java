/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.caso.trace.CellRequest;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.trace.Access;
import java.util.Map;
import java.util.TreeMap;

/**
 * Moves the cells that a trace accesses together, so that a file of them is not larger than it must
 * be: in extents, in their order, so that neighbours stay neighbours and stripes of the order of
 * addresses stay whole. Immutable.
 */
final class DenseCells {
  /** A multiple of 4, 6 and 8: whole stripes of the paper's codes. */
  static final int EXTENT_CELLS = 24;

  private final TreeMap<Long, Long> extents = new TreeMap<>();

  /** For all requests of a trace. */
  DenseCells(CasoTrace trace) {
    for (RequestTable requests : new RequestTable[] {trace.writes(), trace.reads()}) {
      for (int i = 0; i < requests.size(); i++) {
        long last = requests.firstCell(i) + requests.cellCount(i) - 1;
        for (long at = requests.firstCell(i) / EXTENT_CELLS; at <= last / EXTENT_CELLS; at++) {
          extents.put(at, 0L);
        }
      }
    }
    long next = 0;
    for (Map.Entry<Long, Long> extent : extents.entrySet()) {
      extent.setValue(next++);
    }
  }

  /** How many cells the file has. */
  long cellCount() {
    return (long) EXTENT_CELLS * extents.size();
  }

  /** The same requests where their cells are now. */
  RequestTable moved(RequestTable requests, Access access) {
    RequestTable.Builder moved = new RequestTable.Builder();
    for (int i = 0; i < requests.size(); i++) {
      long cell = requests.firstCell(i);
      Long extent = extents.get(cell / EXTENT_CELLS);
      if (extent == null) {
        throw new IllegalArgumentException("Cannot move a request: cell=" + cell + " is unknown");
      }
      moved.add(
          new CellRequest(
              requests.timeTicks(i),
              access,
              extent * EXTENT_CELLS + cell % EXTENT_CELLS,
              requests.cellCount(i)));
    }
    return moved.build();
  }
}
