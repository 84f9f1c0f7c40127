/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Pages of a file that are in memory, in a model. Not thread-safe. */
final class Pages {
  static final int PAGE_BYTES = 4096;

  /** What Linux reads ahead. */
  static final int AHEAD_BYTES = 128 << 10;

  private final BitSet there = new BitSet();
  private long lastEnd = -1;

  /** What has to come from the disk. */
  record Run(long offset, long lengthBytes) {}

  /** Reads a range. */
  List<Run> read(long offset, long lengthBytes) {
    long wanted = offset == lastEnd ? Math.max(lengthBytes, AHEAD_BYTES) : lengthBytes;
    lastEnd = offset + lengthBytes;
    int asked = page(offset + lengthBytes - 1);
    int last = page(offset + wanted - 1);
    List<Run> runs = new ArrayList<>();
    for (int from = there.nextClearBit(page(offset)); lengthBytes > 0 && from <= asked; ) {
      int to = there.nextSetBit(from);
      int end = to < 0 ? last + 1 : Math.min(to, last + 1);
      runs.add(new Run((long) from * PAGE_BYTES, (long) (end - from) * PAGE_BYTES));
      there.set(from, end);
      from = there.nextClearBit(end);
    }
    return runs;
  }

  /** Writes a range: whoever writes a part of a page has read it. */
  void written(long offset, long lengthBytes) {
    there.set(page(offset), page(offset + Math.max(1, lengthBytes) - 1) + 1);
  }

  private static int page(long offset) {
    return Math.toIntExact(offset / PAGE_BYTES);
  }
}
