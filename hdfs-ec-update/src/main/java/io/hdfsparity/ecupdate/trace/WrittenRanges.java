/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.trace;

import io.hdfsparity.core.check.Checks;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which write has left the bytes of each place of a file. Memory is that of the ranges that are
 * left, about 100 bytes each. Not thread-safe.
 *
 * <p><b>Invariant</b>: ranges do not overlap, and none is empty.
 */
final class WrittenRanges {
  private final TreeMap<Long, Range> byStart = new TreeMap<>();

  /**
   * Bytes that one write has left.
   *
   * @param end behind the last
   */
  record Range(long start, long end, long write) {}

  /** A write that comes after all others. */
  void put(long start, long end, long write) {
    Checks.argument(start >= 0 && start < end, "note a write", "end", end, "> start=" + start);
    Map.Entry<Long, Range> below = byStart.lowerEntry(start);
    if (below != null && below.getValue().end > start) {
      Range cut = below.getValue();
      byStart.put(cut.start, new Range(cut.start, start, cut.write));
      if (cut.end > end) {
        byStart.put(end, new Range(end, cut.end, cut.write));
      }
    }
    for (Map.Entry<Long, Range> above = byStart.ceilingEntry(start);
        above != null && above.getKey() < end;
        above = byStart.ceilingEntry(start)) {
      Range cut = above.getValue();
      byStart.remove(cut.start);
      if (cut.end > end) {
        byStart.put(end, new Range(end, cut.end, cut.write));
      }
    }
    byStart.put(start, new Range(start, end, write));
  }

  /** In the order of the file. */
  Iterable<Range> ranges() {
    return byStart.values();
  }
}
