/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.kernel;

import io.hdfsparity.core.gf.GfMatrix;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;

/**
 * The buffers of one contender: RS(6,3) cells in direct memory, aligned to 64 bytes and the same
 * for all contenders, as alignment decides about the speed of vector loads. Not thread-safe.
 */
final class Stripe {
  static final int DATA_UNITS = 6;
  static final int PARITY_UNITS = 3;

  /**
   * A cache line; and no two cells a multiple of 4 KiB apart, which would make them compete for
   * cache sets.
   */
  private static final int ALIGNMENT_BYTES = 64;

  final int cellBytes;
  final GfMatrix parityRows = GfMatrix.cauchyParity(DATA_UNITS, PARITY_UNITS);
  final ByteBuffer[] data = new ByteBuffer[DATA_UNITS];
  final ByteBuffer[] parity = new ByteBuffer[PARITY_UNITS];
  final ByteBuffer[] recovered = new ByteBuffer[PARITY_UNITS];

  Stripe(int cellBytes, long seed) {
    this.cellBytes = cellBytes;
    int cells = DATA_UNITS + 2 * PARITY_UNITS;
    int strideBytes = cellBytes + 3 * ALIGNMENT_BYTES;
    ByteBuffer memory =
        ByteBuffer.allocateDirect(cells * strideBytes + ALIGNMENT_BYTES)
            .alignedSlice(ALIGNMENT_BYTES)
            .order(ByteOrder.nativeOrder());
    Random random = new Random(seed);
    byte[] bytes = new byte[cellBytes];
    for (int i = 0; i < cells; i++) {
      random.nextBytes(bytes);
      ByteBuffer cell = memory.slice(i * strideBytes, cellBytes);
      cell.put(bytes).flip();
      place(i, cell);
    }
  }

  private void place(int index, ByteBuffer cell) {
    if (index < DATA_UNITS) {
      data[index] = cell;
    } else if (index < DATA_UNITS + PARITY_UNITS) {
      parity[index - DATA_UNITS] = cell;
    } else {
      recovered[index - DATA_UNITS - PARITY_UNITS] = cell;
    }
  }

  /** Bytes read by one operation: what throughput is counted in. */
  long bytesPerCall(Operation operation) {
    return switch (operation) {
      case ENCODE, DECODE -> (long) DATA_UNITS * cellBytes;
      case UPDATE, XOR, ADD_TWICE -> cellBytes;
    };
  }

  /** What operations have written, for the comparison of contenders. */
  byte[] results() {
    ByteBuffer all = ByteBuffer.allocate(2 * PARITY_UNITS * cellBytes);
    for (ByteBuffer cell : parity) {
      all.put(cell.duplicate());
    }
    for (ByteBuffer cell : recovered) {
      all.put(cell.duplicate());
    }
    return all.array();
  }
}
