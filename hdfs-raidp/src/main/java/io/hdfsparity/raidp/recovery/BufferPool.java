/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.recovery;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * Direct buffers of one size, made on demand and kept. The callers' concurrency bounds their
 * number. Thread-safe.
 */
final class BufferPool {
  private final int sizeBytes;
  private final ConcurrentLinkedDeque<ByteBuffer> free = new ConcurrentLinkedDeque<>();

  BufferPool(int sizeBytes) {
    this.sizeBytes = sizeBytes;
  }

  /** A buffer with position 0 and that limit; its content is undefined. */
  ByteBuffer take(int limitBytes) {
    ByteBuffer buffer = free.pollFirst();
    return (buffer == null ? ByteBuffer.allocateDirect(sizeBytes) : buffer.clear())
        .limit(limitBytes);
  }

  void give(ByteBuffer buffer) {
    free.addFirst(buffer);
  }
}
