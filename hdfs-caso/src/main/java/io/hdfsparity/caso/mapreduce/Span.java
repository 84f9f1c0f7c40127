/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.io.WritableUtils;

/** Consecutive cells of one write. Mutable, as Hadoop reuses it; not thread-safe. */
public final class Span implements Writable {
  private long firstCell;
  private int cellCount;

  /** For Hadoop. */
  public Span() {}

  void set(long firstCell, int cellCount) {
    this.firstCell = firstCell;
    this.cellCount = cellCount;
  }

  long firstCell() {
    return firstCell;
  }

  int cellCount() {
    return cellCount;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    WritableUtils.writeVLong(out, firstCell);
    WritableUtils.writeVInt(out, cellCount);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    firstCell = WritableUtils.readVLong(in);
    cellCount = WritableUtils.readVInt(in);
  }
}
