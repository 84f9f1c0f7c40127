/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.verify;

import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Ids of block groups that are being written, as one bit each: anybody can have very many, and none
 * of them may be forgotten. Neighbours share an entry. In the worst case an id has an entry of its
 * own, about 100 bytes, while the NameNode keeps about 1 KB for a group that is being written.
 *
 * <p>Ids are multiples of {@link VerifyProgress#ID_STEP}. Guarded by who owns it.
 */
final class WrittenGroups {
  /** Distance of the first ids of two entries. */
  private static final long ENTRY_IDS = (long) Long.SIZE * VerifyProgress.ID_STEP;

  /** Bits by the number of the entry; none is 0. */
  private final NavigableMap<Long, Long> entries = new TreeMap<>();

  private int size;

  /** Where {@link #next} continues. */
  private long nextId = VerifyProgress.FIRST_ID;

  /** Adds an id, if it is not in here. */
  void add(long id) {
    long before = bitsOf(id);
    if ((before & bit(id)) == 0) {
      entries.put(entry(id), before | bit(id));
      size++;
    }
  }

  /** Removes an id, if it is in here. */
  void remove(long id) {
    if (contains(id)) {
      long after = bitsOf(id) & ~bit(id);
      if (after == 0) {
        entries.remove(entry(id));
      } else {
        entries.put(entry(id), after);
      }
      size--;
    }
  }

  boolean contains(long id) {
    return (bitsOf(id) & bit(id)) != 0;
  }

  void clear() {
    entries.clear();
    size = 0;
    nextId = VerifyProgress.FIRST_ID;
  }

  int size() {
    return size;
  }

  /** All ids, ascending; lazy. */
  Stream<Long> all() {
    return ids(entries);
  }

  /** Ids, going round: those that were named longest ago first. */
  List<Long> next(int max) {
    List<Long> next =
        Stream.concat(
                ids(entries.tailMap(entry(nextId), /* inclusive= */ true))
                    .filter(id -> id >= nextId),
                ids(entries.headMap(entry(nextId), /* inclusive= */ true))
                    .filter(id -> id < nextId))
            .limit(max)
            .toList();
    if (!next.isEmpty()) {
      nextId = next.get(next.size() - 1) + VerifyProgress.ID_STEP;
    }
    return next;
  }

  private static Stream<Long> ids(NavigableMap<Long, Long> from) {
    return from.entrySet().stream()
        .flatMap(
            each ->
                BitSet.valueOf(new long[] {each.getValue()}).stream()
                    .mapToObj(
                        bit -> each.getKey() * ENTRY_IDS + (long) bit * VerifyProgress.ID_STEP));
  }

  private long bitsOf(long id) {
    return entries.getOrDefault(entry(id), 0L);
  }

  private static long entry(long id) {
    return Math.floorDiv(id, ENTRY_IDS);
  }

  private static long bit(long id) {
    long number = Math.floorMod(id, ENTRY_IDS) / VerifyProgress.ID_STEP;
    return 1L << number;
  }
}
