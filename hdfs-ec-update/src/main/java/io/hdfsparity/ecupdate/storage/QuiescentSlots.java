/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.StreamCorruptedException;
import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;

/**
 * Epochs of quiescent slots, by runs of stripes that have the same: 16 bytes a run in memory and on
 * disk, so at most 16 a cell, and next to none where cells are recovered together. Immutable.
 *
 * <p>The epoch is all that AJX needs of such a slot (see {@link
 * io.hdfsparity.ecupdate.ajx.DurableSlot#isQuiescent}).
 *
 * <p>Invariants: runs ascend and do not overlap; each has at least one stripe; neighbours that
 * touch differ in their epoch; no epoch is negative.
 */
final class QuiescentSlots {
  static final int RUN_BYTES = 2 * Integer.BYTES + Long.BYTES;

  static final QuiescentSlots NONE = new QuiescentSlots(new int[0], new int[0], new long[0]);

  /** Value in the changes of {@link #with}: a slot that is not listed from now on. */
  static final long NOT_LISTED = -1;

  private final int[] firsts;
  private final int[] ends;
  private final long[] epochs;

  private QuiescentSlots(int[] firsts, int[] ends, long[] epochs) {
    this.firsts = firsts;
    this.ends = ends;
    this.epochs = epochs;
  }

  /** Epoch of a slot; {@link #NOT_LISTED} if it is not listed. */
  long epoch(int stripe) {
    int run = runAt(stripe);
    return run < firsts.length && firsts[run] <= stripe ? epochs[run] : NOT_LISTED;
  }

  /** The first run that ends behind a stripe. */
  private int runAt(int stripe) {
    int low = 0;
    int high = ends.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ends[middle] > stripe) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  int runs() {
    return firsts.length;
  }

  /** Slots that are listed. */
  int slots() {
    int slots = 0;
    for (int run = 0; run < firsts.length; run++) {
      slots += ends[run] - firsts[run];
    }
    return slots;
  }

  /** The same after changes: the epoch of each stripe, or {@link #NOT_LISTED}. */
  QuiescentSlots with(SortedMap<Integer, Long> changes) {
    // A change in the middle of a run makes three of it.
    Builder builder = new Builder(runs() + 2 * changes.size());
    int next = 0;
    for (Map.Entry<Integer, Long> change : changes.entrySet()) {
      copy(next, change.getKey(), builder);
      if (change.getValue() != NOT_LISTED) {
        builder.add(change.getKey(), change.getKey() + 1, change.getValue());
      }
      next = change.getKey() + 1;
    }
    copy(next, Integer.MAX_VALUE, builder);
    return builder.build();
  }

  private void copy(int from, int to, Builder builder) {
    for (int run = runAt(from); run < firsts.length && firsts[run] < to; run++) {
      int first = Math.max(firsts[run], from);
      int end = Math.min(ends[run], to);
      if (first < end) {
        builder.add(first, end, epochs[run]);
      }
    }
  }

  private static final class Builder {
    private final int[] firsts;
    private final int[] ends;
    private final long[] epochs;
    private int runs;

    Builder(int maxRuns) {
      firsts = new int[maxRuns];
      ends = new int[maxRuns];
      epochs = new long[maxRuns];
    }

    void add(int first, int end, long epoch) {
      if (runs > 0 && ends[runs - 1] == first && epochs[runs - 1] == epoch) {
        ends[runs - 1] = end;
        return;
      }
      firsts[runs] = first;
      ends[runs] = end;
      epochs[runs] = epoch;
      runs++;
    }

    QuiescentSlots build() {
      return new QuiescentSlots(
          Arrays.copyOf(firsts, runs), Arrays.copyOf(ends, runs), Arrays.copyOf(epochs, runs));
    }
  }

  /** Runs: count (4), then of each the first stripe (4), how many stripes (4), epoch (8). */
  void write(DataOutputStream out) throws IOException {
    out.writeInt(firsts.length);
    for (int run = 0; run < firsts.length; run++) {
      out.writeInt(firsts[run]);
      out.writeInt(ends[run] - firsts[run]);
      out.writeLong(epochs[run]);
    }
  }

  /**
   * The other way. Takes no more memory than there are bytes.
   *
   * @throws StreamCorruptedException if the bytes are no such runs
   */
  static QuiescentSlots read(DataInputStream in) throws IOException {
    int runs = in.readInt();
    if (runs < 0 || runs > in.available() / RUN_BYTES) {
      throw new StreamCorruptedException(
          "runs=" + runs + ", expected 0.." + in.available() / RUN_BYTES + " by the bytes left");
    }
    Builder builder = new Builder(runs);
    int end = 0;
    for (int run = 0; run < runs; run++) {
      int first = in.readInt();
      int stripes = in.readInt();
      long epoch = in.readLong();
      if (first < end || stripes < 1 || stripes > Integer.MAX_VALUE - first || epoch < 0) {
        throw new StreamCorruptedException(
            "run=" + first + "+" + stripes + " epoch=" + epoch + ", expected one behind " + end);
      }
      end = first + stripes;
      builder.add(first, end, epoch);
    }
    return builder.build();
  }

  /** Of the arrays, without the objects' heads: for tests. */
  int heapBytes() {
    return RUN_BYTES * runs();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QuiescentSlots that
        && Arrays.equals(firsts, that.firsts)
        && Arrays.equals(ends, that.ends)
        && Arrays.equals(epochs, that.epochs);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(firsts) + 31 * (Arrays.hashCode(ends) + 31 * Arrays.hashCode(epochs));
  }

  @Override
  public String toString() {
    return Arrays.toString(firsts) + ".." + Arrays.toString(ends) + "=" + Arrays.toString(epochs);
  }
}
