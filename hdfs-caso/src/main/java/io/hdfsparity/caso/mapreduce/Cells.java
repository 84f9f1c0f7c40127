/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** The distinct cells of a window, ascending. Mutable, as Hadoop reuses it; not thread-safe. */
public final class Cells implements Writable {
  private long[] cells = new long[64];
  private int count;

  /** For Hadoop. */
  public Cells() {}

  void clear() {
    count = 0;
  }

  void add(Span span) {
    reserve(Math.addExact(count, span.cellCount()));
    for (int i = 0; i < span.cellCount(); i++) {
      cells[count++] = span.firstCell() + i;
    }
  }

  /** Sorts, and leaves each cell there once. */
  void makeDistinct() {
    Arrays.sort(cells, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (kept == 0 || cells[kept - 1] != cells[i]) {
        cells[kept++] = cells[i];
      }
    }
    count = kept;
  }

  int count() {
    return count;
  }

  long cell(int index) {
    return cells[index];
  }

  private void reserve(int capacity) {
    if (capacity > cells.length) {
      cells = Arrays.copyOf(cells, (int) Math.min(Integer.MAX_VALUE - 8, 2L * capacity));
    }
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVInt(out, count);
    long last = 0;
    for (int i = 0; i < count; i++) {
      WritableUtils.writeVLong(out, cells[i] - last);
      last = cells[i];
    }
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    count = WritableUtils.readVInt(in);
    reserve(count);
    long last = 0;
    for (int i = 0; i < count; i++) {
      last += WritableUtils.readVLong(in);
      cells[i] = last;
    }
  }
}
