/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.codec;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Buffers of every kind for tests, and the sets of columns that can be lost. */
final class Columns {
  private static final int GUARD_BYTES = 5;

  private Columns() {}

  /** Bytes in a buffer that starts somewhere; direct or heap. */
  static ByteBuffer buffer(byte[] bytes, boolean isDirect, Random random) {
    int capacity = bytes.length + 2 * GUARD_BYTES;
    ByteBuffer whole =
        isDirect ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
    int offset = random.nextInt(GUARD_BYTES);
    ByteBuffer slice = whole.slice(offset, capacity - offset);
    int position = random.nextInt(GUARD_BYTES);
    slice.put(position, bytes);
    slice.position(position).limit(position + bytes.length);
    return slice;
  }

  /** A buffer whose bytes nobody should see. */
  static ByteBuffer poisoned(int length, boolean isDirect, Random random) {
    byte[] poison = new byte[length];
    random.nextBytes(poison);
    return buffer(poison, isDirect, random);
  }

  static ByteBuffer[] buffers(byte[][] columns, int from, int to, boolean isDirect, Random random) {
    ByteBuffer[] buffers = new ByteBuffer[to - from];
    for (int i = from; i < to; i++) {
      buffers[i - from] = buffer(columns[i], isDirect, random);
    }
    return buffers;
  }

  static ByteBuffer[] poisoned(int count, int length, boolean isDirect, Random random) {
    ByteBuffer[] buffers = new ByteBuffer[count];
    for (int i = 0; i < count; i++) {
      buffers[i] = poisoned(length, isDirect, random);
    }
    return buffers;
  }

  /** What lies between position and limit. */
  static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    return bytes;
  }

  /** Every set of 1..most of so many columns. */
  static List<List<Integer>> erasures(int columns, int most) {
    List<List<Integer>> sets = new ArrayList<>();
    for (int bits = 1; bits < 1 << columns; bits++) {
      if (Integer.bitCount(bits) <= most) {
        List<Integer> set = new ArrayList<>();
        for (int column = 0; column < columns; column++) {
          if ((bits >> column & 1) != 0) {
            set.add(column);
          }
        }
        sets.add(set);
      }
    }
    return sets;
  }
}
