/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import java.util.Arrays;

/**
 * Counts by key: a hash table with open addressing over primitive arrays, 12 bytes a slot, at most
 * half full. Not thread-safe.
 */
public final class LongCounts {
  /** Marks a free slot; no key. */
  private static final long FREE = -1;

  private static final int FIRST_SLOTS = 1 << 10;
  private static final int MAX_SLOTS = 1 << 30;

  private long[] keys = free(FIRST_SLOTS);
  private int[] counts = new int[FIRST_SLOTS];
  private int size;

  /** Takes a key and its count. */
  @FunctionalInterface
  public interface Entry {
    void entry(long key, int count);
  }

  private static long[] free(int slots) {
    long[] keys = new long[slots];
    Arrays.fill(keys, FREE);
    return keys;
  }

  /** How many keys. */
  public int size() {
    return size;
  }

  /** Adds one to the count of a key, which is not negative. */
  public void increment(long key) {
    int slot = slot(key);
    if (keys[slot] == FREE) {
      if (2L * (size + 1) > keys.length) {
        grow();
        slot = slot(key);
      }
      keys[slot] = key;
      size++;
    }
    counts[slot] = Math.incrementExact(counts[slot]);
  }

  /** The count of a key; 0 if it was never incremented. */
  public int count(long key) {
    int slot = slot(key);
    return keys[slot] == FREE ? 0 : counts[slot];
  }

  /** Shows the entries with at least some count, in ascending order; 8 bytes for each of them. */
  public void forEachAscending(int minCount, Entry visitor) {
    int shown = 0;
    for (int slot = 0; slot < keys.length; slot++) {
      shown += isShown(slot, minCount) ? 1 : 0;
    }
    long[] ascending = new long[shown];
    for (int slot = 0; slot < keys.length; slot++) {
      if (isShown(slot, minCount)) {
        ascending[--shown] = keys[slot];
      }
    }
    Arrays.sort(ascending);
    for (long key : ascending) {
      visitor.entry(key, count(key));
    }
  }

  private boolean isShown(int slot, int minCount) {
    return keys[slot] != FREE && counts[slot] >= minCount;
  }

  /** Forgets all; keeps the memory. */
  public void clear() {
    Arrays.fill(keys, FREE);
    Arrays.fill(counts, 0);
    size = 0;
  }

  private int slot(long key) {
    // Two rounds: pairs differ in high and in low bits only, and linear probing needs both mixed.
    long once = key * 0x9E3779B97F4A7C15L;
    long mixed = (once ^ once >>> 32) * 0x9E3779B97F4A7C15L;
    int mask = keys.length - 1;
    int slot = (int) (mixed >>> 34) & mask;
    while (keys[slot] != FREE && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  private void grow() {
    if (keys.length == MAX_SLOTS) {
      throw new IllegalStateException(
          "Cannot count: keys=" + size + ", expected at most " + MAX_SLOTS / 2);
    }
    long[] oldKeys = keys;
    int[] oldCounts = counts;
    keys = free(2 * oldKeys.length);
    counts = new int[keys.length];
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != FREE) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        counts[slot] = oldCounts[i];
      }
    }
  }
}
