/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;

/**
 * Two cells, the lower one first; ordered by that, then by the other. Mutable, as Hadoop reuses it;
 * not thread-safe.
 */
public final class Pair implements WritableComparable<Pair> {
  private long low;
  private long high;

  /** Cells are not negative, so that the order of bytes is theirs. */
  public static final class BytesComparator extends WritableComparator {
    /** For Hadoop. */
    public BytesComparator() {
      super(Pair.class, /* createInstances= */ true);
    }

    @Override
    public int compare(byte[] b1, int s1, int l1, byte[] b2, int s2, int l2) {
      return compareBytes(b1, s1, l1, b2, s2, l2);
    }
  }

  static {
    WritableComparator.define(Pair.class, new BytesComparator());
  }

  /** For Hadoop. */
  public Pair() {}

  void set(long low, long high) {
    this.low = low;
    this.high = high;
  }

  long low() {
    return low;
  }

  long high() {
    return high;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(low);
    out.writeLong(high);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    low = in.readLong();
    high = in.readLong();
  }

  @Override
  public int compareTo(Pair other) {
    int byLow = Long.compare(low, other.low);
    return byLow != 0 ? byLow : Long.compare(high, other.high);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Pair pair && low == pair.low && high == pair.high;
  }

  /** Tells the reduce: must be the same in every JVM. */
  @Override
  public int hashCode() {
    return 31 * Long.hashCode(low * 0x9E3779B97F4A7C15L) + Long.hashCode(high);
  }
}
