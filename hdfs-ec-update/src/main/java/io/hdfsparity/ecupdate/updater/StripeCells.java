/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import io.hdfsparity.ecupdate.ajx.Bytes;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Data cells of a decoded stripe that have not been read yet, in order. Not thread-safe. */
final class StripeCells {
  private final int cellBytes;
  private final Deque<ByteBuffer> cells = new ArrayDeque<>();

  StripeCells(int cellBytes) {
    this.cellBytes = cellBytes;
  }

  /**
   * Adds a stripe.
   *
   * @param blocks of the stripe, data units first
   * @param lengthBytes of its data
   */
  void put(List<Bytes> blocks, long lengthBytes) {
    long left = lengthBytes;
    for (int unit = 0; left > 0; unit++) {
      int length = (int) Math.min(left, cellBytes);
      cells.add(blocks.get(unit).buffer().limit(length));
      left -= length;
    }
  }

  boolean isEmpty() {
    return cells.isEmpty();
  }

  /** Moves as much of the first cell as there is room for; returns how many bytes. */
  int copyTo(ByteBuffer target) {
    ByteBuffer cell = cells.element();
    int length = Math.min(cell.remaining(), target.remaining());
    target.put(cell.slice(cell.position(), length));
    cell.position(cell.position() + length);
    if (!cell.hasRemaining()) {
      cells.remove();
    }
    return length;
  }

  void clear() {
    cells.clear();
  }
}
