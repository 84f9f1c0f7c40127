/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parity units of block groups that were compared with each other and fit, of the groups read
 * lately. The full stripes of a group are of one writer, and one of them that is telling tells of
 * all; the last stripe, where it is shorter, is looked at by itself. A group that is written anew
 * or appended to has another name. Thread-safe.
 */
final class ComparedParities {
  /** A few megabytes; what is forgotten is compared again. */
  private static final int MOST = 20_000;

  private final Map<Stripes, Integer> fitting =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Stripes, Integer> eldest) {
          return size() > MOST;
        }
      };

  private record Stripes(String block, boolean isFull) {}

  /** Whether all of these units are known to fit. */
  synchronized boolean holds(BlockGroup group, boolean isFull, Collection<Integer> parities) {
    int wanted = bits(parities);
    int known = fitting.getOrDefault(new Stripes(group.block(), isFull), 0);
    return (known & wanted) == wanted;
  }

  /** These units were compared, and fit. */
  synchronized void fit(BlockGroup group, boolean isFull, Collection<Integer> parities) {
    fitting.merge(new Stripes(group.block(), isFull), bits(parities), (a, b) -> a | b);
  }

  private static int bits(Collection<Integer> units) {
    int bits = 0;
    for (int unit : units) {
      bits |= 1 << unit;
    }
    return bits;
  }
}
