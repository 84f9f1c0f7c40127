/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.correlation;

import java.util.Arrays;

/** A list of longs. Not thread-safe. */
final class LongList {
  private long[] values = new long[64];
  private int size;

  void add(long value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(2, size));
    }
    values[size++] = value;
  }

  int size() {
    return size;
  }

  long get(int index) {
    return values[index];
  }

  long[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
