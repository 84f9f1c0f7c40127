/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where a file lies. Immutable.
 *
 * @param parts by offset; those that continue are one
 */
record Extents(List<Extent> parts) {
  Extents {
    parts = joined(parts);
  }

  private static List<Extent> joined(List<Extent> parts) {
    List<Extent> joined = new ArrayList<>();
    List<Extent> sorted = new ArrayList<>(parts);
    sorted.sort(Comparator.comparingLong(Extent::offset));
    for (Extent next : sorted) {
      int last = joined.size() - 1;
      if (last >= 0 && joined.get(last).goesOnWith(next)) {
        Extent before = joined.get(last);
        joined.set(
            last,
            new Extent(before.offset(), before.place(), before.lengthBytes() + next.lengthBytes()));
      } else {
        joined.add(next);
      }
    }
    return List.copyOf(joined);
  }

  /** Jumps that reading the whole file takes: the paper's fragments that are not contiguous. */
  int jumps() {
    return Math.max(0, parts.size() - 1);
  }

  /** Where a byte lies; nothing where the file has none. */
  OptionalLong place(long offset) {
    for (Extent part : parts) {
      if (part.offset() <= offset && offset < part.end()) {
        return OptionalLong.of(part.place() + offset - part.offset());
      }
    }
    return OptionalLong.empty();
  }
}
