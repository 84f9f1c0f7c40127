/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.client;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.io.ByteBufferPool;

/** Buffers borrowed from a pool, all given back at once. Not thread-safe. */
final class ScratchCells implements AutoCloseable {
  private static final int MIN_BYTES = 4096;

  private final ByteBufferPool pool;
  private final boolean isDirect;
  private final List<ByteBuffer> borrowed = new ArrayList<>();

  /**
   * Borrows nothing yet.
   *
   * @param isDirect kind of buffers; kernels are fastest when all are of one kind
   */
  ScratchCells(ByteBufferPool pool, boolean isDirect) {
    this.pool = pool;
    this.isDirect = isDirect;
  }

  /** A buffer of exactly so many bytes, with anything in it. */
  ByteBuffer take(int lengthBytes) {
    // Powers of two, so that the pool comes to few sizes.
    int size = Math.max(MIN_BYTES, Integer.highestOneBit(lengthBytes));
    ByteBuffer buffer = pool.getBuffer(isDirect, size < lengthBytes ? size * 2 : size);
    borrowed.add(buffer);
    return buffer.slice(0, lengthBytes);
  }

  /** A buffer of zeros. */
  ByteBuffer takeZeros(int lengthBytes) {
    ByteBuffer zeros = take(lengthBytes);
    clear(zeros, 0);
    return zeros;
  }

  /** Fills a buffer with zeros from an index to its limit. */
  static void clear(ByteBuffer buffer, int from) {
    ByteBuffer rest = buffer.duplicate().position(from);
    byte[] zeros = new byte[Math.min(MIN_BYTES, rest.remaining())];
    while (rest.hasRemaining()) {
      rest.put(zeros, 0, Math.min(zeros.length, rest.remaining()));
    }
  }

  @Override
  public void close() {
    borrowed.forEach(pool::putBuffer);
    borrowed.clear();
  }
}
