/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.nio.ByteBuffer;

/** A reserved area in memory, which cannot be shrunk. */
final class MemoryArea implements ReservedArea {
  private final byte[] bytes;

  /**
   * An area.
   *
   * @param bytes of the area, written through
   */
  MemoryArea(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public long sizeBytes() {
    return bytes.length;
  }

  @Override
  public void read(long offset, ByteBuffer into) {
    into.put(bytes, (int) offset, into.remaining());
  }

  @Override
  public void write(long offset, ByteBuffer from) {
    from.get(bytes, (int) offset, from.remaining());
  }

  @Override
  public void force() {
    // Memory.
  }

  @Override
  public void shrink(long toBytes) {
    throw new UnsupportedOperationException("nobody shrinks it");
  }
}
