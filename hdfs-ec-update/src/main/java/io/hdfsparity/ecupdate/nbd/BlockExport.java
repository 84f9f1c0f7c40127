/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A block device that a server offers. Any range inside the device can be read and written; nothing
 * needs to be aligned. Thread-safe: several calls run at a time. The caller keeps writes of
 * overlapping ranges apart ({@link RangeOrder}).
 */
public interface BlockExport {
  /**
   * Memory that a call of {@link #writeZeroes} takes at most, whatever its range, beside that of
   * the device's operations under way.
   */
  int MAX_ZEROES_BYTES = 2 << 20;

  /** When a write is durable. */
  enum Durability {
    /** After the next {@link BlockExport#flush}, at the latest. */
    DEFERRED,
    /** When the call returns. */
    IMMEDIATE
  }

  /** In bytes; it does not change. */
  long sizeBytes();

  /**
   * Reads bytes.
   *
   * @param offset of the first one; the range is inside the device
   * @param target is filled
   */
  void read(long offset, byte[] target) throws IOException;

  /**
   * Writes bytes; a read that begins after this has returned sees them.
   *
   * @param offset of the first one; the range is inside the device
   * @param source what remains of it; not used after the call
   * @throws IOException if it is not known whether they were written
   */
  void write(long offset, ByteBuffer source, Durability durability) throws IOException;

  /** As {@link #write}, of zeros; takes {@link #MAX_ZEROES_BYTES} of memory at most. */
  void writeZeroes(long offset, long lengthBytes, Durability durability) throws IOException;

  /**
   * Returns when all writes are durable that had returned before the call, whoever made them.
   *
   * @throws IOException if some are not
   */
  void flush() throws IOException;
}
