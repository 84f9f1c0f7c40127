/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.CellPosition;
import io.hdfsparity.core.geometry.StripeGeometry;
import java.util.ArrayList;
import java.util.List;

/**
 * The part of a range of a file that lies in one stripe. Immutable.
 *
 * @param key of the stripe
 * @param cells its parts in cells, at most one a data block, in the order of the file
 */
record StripeRange(StripeKey key, List<Cell> cells) {
  /**
   * Bytes of one cell.
   *
   * @param block data block that has the cell
   * @param offset in the cell
   * @param lengthBytes at least 1
   * @param from where they are in the range that was asked for
   */
  record Cell(int block, int offset, int lengthBytes, int from) {}

  StripeRange {
    cells = List.copyOf(cells);
  }

  int lengthBytes() {
    return cells.stream().mapToInt(Cell::lengthBytes).sum();
  }

  /**
   * Maps a range.
   *
   * @return by stripe, in the order of the file; empty if the range is
   * @throws IndexOutOfBoundsException if it is not inside the file
   */
  static List<StripeRange> of(FileLayout layout, long position, int lengthBytes) {
    Checks.range("map a range", position, lengthBytes, layout.lengthBytes());
    StripeGeometry geometry = layout.geometry();
    List<StripeRange> ranges = new ArrayList<>();
    int done = 0;
    while (done < lengthBytes) {
      int group = layout.groupAt(position + done);
      FileLayout.Group extent = layout.groups().get(group);
      long inGroup = position + done - extent.offsetBytes();
      CellPosition first = geometry.cellOf(inGroup);
      long stripeEnd = (first.stripeIndex() + 1) * geometry.stripeDataBytes();
      long end = Math.min(Math.min(stripeEnd, extent.lengthBytes()), inGroup + lengthBytes - done);
      List<Cell> cells = new ArrayList<>();
      long at = inGroup;
      while (at < end) {
        CellPosition cell = geometry.cellOf(at);
        int here = (int) Math.min(end - at, geometry.cellBytes() - cell.offsetInCellBytes());
        cells.add(new Cell(cell.unitIndex(), cell.offsetInCellBytes(), here, done));
        done += here;
        at += here;
      }
      ranges.add(
          new StripeRange(new StripeKey(group, Math.toIntExact(first.stripeIndex())), cells));
    }
    return ranges;
  }
}
