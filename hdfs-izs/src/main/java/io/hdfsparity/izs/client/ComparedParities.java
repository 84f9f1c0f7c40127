/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import io.hdfsparity.bridge.client.BlockGroup;
import io.hdfsparity.izs.codec.Overlap;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Parity units of block groups that were compared with each other and fit, of the groups read
 * lately. The full stripes of a group are of one writer: all of them are known when comparisons
 * have vouched for each of its columns, in one stripe or in several. Until then, as in sparse
 * files, a stripe is known that was compared itself. The last stripe, where it is shorter, is
 * looked at by itself. A group that is rewritten or appended to has another name. Thread-safe.
 */
final class ComparedParities {
  /** A few megabytes; what is forgotten is compared again. */
  private static final int MAX_ENTRIES = 20_000;

  private static final long ALL = -1;

  private final Map<Stripes, Integer> fitting = new Lately<>();

  /** Columns of full stripes that comparisons of the same parity units have vouched for. */
  private final Map<Compared, Integer> vouchedFor = new Lately<>();

  /**
   * @param stripe {@link #ALL}, or one of the full ones
   */
  private record Stripes(String block, boolean isFull, long stripe) {}

  private record Compared(String block, int parities) {}

  /** The entries that were used last. */
  private static final class Lately<K, V> extends LinkedHashMap<K, V> {
    private static final long serialVersionUID = 1L;

    Lately() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
      return size() > MAX_ENTRIES;
    }
  }

  /** Whether all of these units are known to fit in a stripe. */
  synchronized boolean holds(
      BlockGroup group, boolean isFull, long stripe, Collection<Integer> parities) {
    int wanted = bits(parities);
    int known =
        fitting.getOrDefault(new Stripes(group.block(), isFull, ALL), 0)
            | fitting.getOrDefault(new Stripes(group.block(), isFull, stripe), 0);
    return (known & wanted) == wanted;
  }

  /** These units were compared in a stripe, and fit. */
  synchronized void fit(
      BlockGroup group,
      boolean isFull,
      long stripe,
      Collection<Integer> parities,
      Overlap.Outcome outcome) {
    int compared = bits(parities);
    int columns = outcome.vouchedFor();
    if (isFull) {
      columns = vouchedFor.merge(new Compared(group.block(), compared), columns, (a, b) -> a | b);
    }
    boolean isAll = !isFull || (outcome.present() & ~columns) == 0;
    fitting.merge(
        new Stripes(group.block(), isFull, isAll ? ALL : stripe), compared, (a, b) -> a | b);
  }

  private static int bits(Collection<Integer> units) {
    int bits = 0;
    for (int unit : units) {
      bits |= 1 << unit;
    }
    return bits;
  }
}
