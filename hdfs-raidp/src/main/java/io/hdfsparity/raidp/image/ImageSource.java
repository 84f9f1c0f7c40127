/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Something that holds bytes {@code [fromBytes, toBytes)} of a block as its replica was at a
 * generation stamp.
 *
 * <p>Thread-safety: used by one thread at a time.
 */
interface ImageSource extends Closeable {
  /** Stands in {@link #cutBytes} for "never cut". */
  long UNCUT = Long.MAX_VALUE;

  /** Newest generation stamp that the replica had while it held these bytes. */
  long generationStamp();

  /** First byte held; start of a chunk. */
  long fromBytes();

  /** End of what is held. */
  long toBytes();

  /**
   * Length to which the replica was cut, or that it had, when this source was saved: younger
   * sources may hold other bytes from there on.
   */
  long cutBytes();

  ChecksumSpec checksum();

  /**
   * Reads whole chunks (the last one may end at {@link #toBytes}) and verifies them.
   *
   * @param from start of a chunk
   * @param to end of a chunk, or {@code toBytes}
   * @param data takes the bytes, from its position on; position and limit stay. What is in it when
   *     this throws means nothing
   * @param crcs takes their CRCs, from index 0 on, and belongs to the result
   * @throws ImageException.Corrupt when they do not match
   */
  Proof readVerified(long from, long to, ByteBuffer data, ByteBuffer crcs) throws IOException;

  /**
   * Stored CRCs that have proved their chunks.
   *
   * @param from first byte, start of a chunk
   * @param to end; may be less than was asked for when the replica is being written
   * @param crcs one CRC a chunk by index, as in the checksum file
   * @param isLastStored whether the last CRC was compared with the bytes up to {@code to}, and not
   *     with more of them
   */
  record Proof(long from, long to, ByteBuffer crcs, boolean isLastStored) {
    boolean holds(long start, long end) {
      return start >= from && end <= to;
    }
  }
}
