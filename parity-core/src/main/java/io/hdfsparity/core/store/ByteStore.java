/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A fixed-size, randomly addressable region of bytes with an explicit durability point.
 *
 * <p>A write is visible to later reads of the same store at once; it survives a crash only after a
 * {@link #sync} whose range covers it has returned. Until then any subset of unsynced bytes may
 * survive, in any order.
 *
 * <p>Thread-safety: concurrent calls on disjoint ranges are safe; callers order calls on
 * overlapping ranges.
 */
public interface ByteStore extends Closeable {
  /** Size in bytes; constant for the life of the store. */
  long sizeBytes();

  /**
   * Fills {@code dst} from its position to its limit.
   *
   * @throws IOException if the range is outside the store or the device fails
   */
  void read(long offset, ByteBuffer dst) throws IOException;

  /** Writes {@code src} from its position to its limit. */
  void write(long offset, ByteBuffer src) throws IOException;

  /** Makes all earlier writes inside {@code [offset, offset + lengthBytes)} durable. */
  void sync(long offset, long lengthBytes) throws IOException;

  /**
   * Read-only bytes of a range: a window on the mapping where there is one (later writes show
   * through), a fresh copy elsewhere.
   */
  default ByteBuffer view(long offset, int lengthBytes) throws IOException {
    ByteBuffer copy = ByteBuffer.allocateDirect(lengthBytes);
    read(offset, copy);
    return copy.flip().asReadOnlyBuffer();
  }
}
