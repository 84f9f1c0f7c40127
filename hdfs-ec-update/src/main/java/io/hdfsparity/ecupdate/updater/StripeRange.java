/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.geometry.ByteOrder;
import io.hdfsparity.core.geometry.CellPosition;
import io.hdfsparity.core.geometry.StripeGeometry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a range of a file that lies in one stripe. Immutable.
 *
 * @param key of the stripe
 * @param cells its parts in cells, at most one a data block, in the file's own order
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
   * @param order that the file is stored in
   * @return each stripe once; or more often where an order puts a piece of the range into one cell
   *     more than once, as it may in files whose groups do not end at the end of a cell. Empty if
   *     the range is
   * @throws IndexOutOfBoundsException if it is not inside the file
   */
  static List<StripeRange> of(FileLayout layout, ByteOrder order, long position, int lengthBytes) {
    Checks.range("map a range", position, lengthBytes, layout.lengthBytes());
    Stripes stripes = new Stripes(layout);
    int done = 0;
    while (done < lengthBytes) {
      int run = (int) Math.min(lengthBytes - done, order.run(position + done));
      long stored = order.stored(position + done);
      // An order that leads out of the file is of another file.
      Checks.range("map a range", stored, run, layout.lengthBytes());
      stripes.add(stored, run, done);
      done += run;
    }
    return stripes.ranges();
  }

  /** Collects runs by stripe. */
  private static final class Stripes {
    private final FileLayout layout;
    private final StripeGeometry geometry;
    private final List<StripeRange> full = new ArrayList<>();
    private final Map<StripeKey, List<Cell>> cells = new LinkedHashMap<>();

    Stripes(FileLayout layout) {
      this.layout = layout;
      this.geometry = layout.geometry();
    }

    /** Bytes that follow each other in the stored file. */
    void add(long stored, int lengthBytes, int from) {
      int done = 0;
      while (done < lengthBytes) {
        int group = layout.groupAt(stored + done);
        FileLayout.Group extent = layout.groups().get(group);
        long inGroup = stored + done - extent.offsetBytes();
        CellPosition at = geometry.cellOf(inGroup);
        long end = Math.min(extent.lengthBytes(), inGroup + lengthBytes - done);
        int here = (int) Math.min(end - inGroup, geometry.cellBytes() - at.offsetInCellBytes());
        StripeKey key = new StripeKey(group, Math.toIntExact(at.stripeIndex()));
        add(key, new Cell(at.unitIndex(), at.offsetInCellBytes(), here, from + done));
        done += here;
      }
    }

    private void add(StripeKey key, Cell cell) {
      List<Cell> others = cells.computeIfAbsent(key, k -> new ArrayList<>());
      if (others.stream().anyMatch(other -> other.block() == cell.block())) {
        full.add(new StripeRange(key, others));
        others.clear();
      }
      others.add(cell);
    }

    List<StripeRange> ranges() {
      cells.forEach((key, each) -> full.add(new StripeRange(key, each)));
      return full;
    }
  }
}
