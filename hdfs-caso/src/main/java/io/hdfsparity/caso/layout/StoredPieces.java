/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.layout;

import io.hdfsparity.core.check.Checks;

/**
 * Which bytes of a file, by offsets of its own order, are stored in a range: in the order in which
 * they are stored, in pieces that follow each other in both. Immutable, thread-safe.
 *
 * @param order of the whole file, without padding
 * @param cellSizeBytes > 0
 * @param lengthBytes of the file; its last cell may be a part of one
 */
public record StoredPieces(StoredOrder order, int cellSizeBytes, long lengthBytes) {
  /** Takes a piece. */
  @FunctionalInterface
  public interface Taker<E extends Exception> {
    /**
     * @param from offset in the file's own order
     * @param to behind the last one
     */
    void take(long from, long to) throws E;
  }

  public StoredPieces {
    Checks.argument(
        order.storedCellCount() == order.cellCount()
            && order.cellCount() == LayoutIndex.cells(lengthBytes, cellSizeBytes),
        "cut a file",
        "cells",
        order,
        "those of lengthBytes=" + lengthBytes + ", cellSizeBytes=" + cellSizeBytes);
  }

  /**
   * Gives each piece of a range.
   *
   * @param from offset in the stored file, where a cell begins
   * @param to behind the last one: where a cell begins, or the end of the file
   */
  public <E extends Exception> void forEach(long from, long to, Taker<E> taker) throws E {
    Checks.argument(
        from >= 0 && from % cellSizeBytes == 0, "cut a file", "from", from, "where a cell begins");
    Checks.argument(
        to >= from && to <= lengthBytes && (to % cellSizeBytes == 0 || to == lengthBytes),
        "cut a file",
        "to",
        to,
        "where a cell begins, or the end");
    long end = LayoutIndex.cells(to, cellSizeBytes);
    long stored = from / cellSizeBytes;
    while (stored < end) {
      long logical = order.logicalCell(stored);
      int run = order.run(logical);
      long inRun = order.logicalStart(run) + order.count(run) - logical;
      long cells = Math.min(inRun, end - stored);
      long begin = logical * cellSizeBytes;
      taker.take(begin, Math.min(begin + cells * cellSizeBytes, lengthBytes));
      stored += cells;
    }
  }
}
