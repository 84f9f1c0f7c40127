/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.izscodec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/**
 * The buffers of one coder: direct memory, aligned to 64 bytes and the same for all coders, as
 * alignment decides about the speed of vector loads. Not thread-safe.
 */
final class Cells {
  /** A cache line; and no two cells a multiple of 4 KiB apart, which would make them compete. */
  private static final int ALIGNMENT_BYTES = 64;

  final Shape shape;
  final ByteBuffer[] data;
  final ByteBuffer[] parity;
  final ByteBuffer[] recovered;
  final ByteBuffer delta;

  Cells(Shape shape, long seed) {
    this.shape = shape;
    Random random = new Random(seed);
    data = cells(shape.dataUnits(), shape.cellBytes(), random);
    parity = cells(shape.parityUnits(), shape.cellBytes(), random);
    recovered = cells(shape.parityUnits(), shape.cellBytes(), random);
    delta = cells(1, shape.changedBytes(), random)[0];
  }

  /** Cells of random bytes. */
  static ByteBuffer[] cells(int count, int cellBytes, Random random) {
    int strideBytes =
        (cellBytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES + 3 * ALIGNMENT_BYTES;
    ByteBuffer memory =
        ByteBuffer.allocateDirect(count * strideBytes + ALIGNMENT_BYTES)
            .alignedSlice(ALIGNMENT_BYTES)
            .order(ByteOrder.nativeOrder());
    ByteBuffer[] cells = new ByteBuffer[count];
    byte[] bytes = new byte[cellBytes];
    for (int i = 0; i < count; i++) {
      random.nextBytes(bytes);
      cells[i] = memory.slice(i * strideBytes, cellBytes);
      cells[i].put(bytes).flip();
    }
    return cells;
  }

  /** All units by number. */
  ByteBuffer[] units() {
    ByteBuffer[] units = new ByteBuffer[shape.units()];
    System.arraycopy(data, 0, units, 0, data.length);
    System.arraycopy(parity, 0, units, data.length, parity.length);
    return units;
  }

  /** The part of the parity units that an update of the same place writes. */
  ByteBuffer[] changedParity() {
    ByteBuffer[] parts = new ByteBuffer[parity.length];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = parity[i].slice(shape.changedOffset(), shape.changedBytes());
    }
    return parts;
  }

  /** Whether the first lost units have been recovered. */
  boolean isRecovered(int losses) {
    for (int i = 0; i < losses; i++) {
      if (!recovered[i].equals(data[i])) {
        return false;
      }
    }
    return true;
  }

  /** Overwrites what is to be recovered. */
  void spoilRecovered() {
    for (ByteBuffer cell : recovered) {
      for (int i = 0; i < cell.capacity(); i++) {
        cell.put(i, (byte) 0x55);
      }
    }
  }

  /** What encoding and updates have written, for the comparison of coders. */
  byte[] parityBytes() {
    ByteBuffer all = ByteBuffer.allocate(parity.length * shape.cellBytes());
    for (ByteBuffer cell : parity) {
      all.put(cell.duplicate());
    }
    return all.array();
  }
}
