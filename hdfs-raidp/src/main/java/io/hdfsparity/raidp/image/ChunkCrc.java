/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;

/** CRCs of chunks as org.apache.hadoop.util.DataChecksum computes them. Not thread-safe. */
final class ChunkCrc {
  private final Checksum checksum;
  private final int bytesPerChecksum;

  ChunkCrc(ChecksumSpec spec) throws ImageException {
    this.bytesPerChecksum = spec.bytesPerChecksum();
    this.checksum =
        switch (spec.typeId()) {
          case 1 -> new CRC32();
          case 2 -> new CRC32C();
          default ->
              throw new ImageException(
                  "Cannot verify replica: checksumType="
                      + spec.typeId()
                      + ", expected 1 (CRC32) or 2 (CRC32C)");
        };
  }

  /** CRC of bytes by index; the buffer's position and limit do not matter and stay. */
  int of(ByteBuffer data, int offset, int length) {
    return crcOf(data.duplicate().clear(), offset, length);
  }

  /**
   * Index of the first chunk that does not match, or -1.
   *
   * @param data chunks by index from {@code offset} on, {@code length} bytes
   * @param crcs one CRC a chunk, by index from 0
   */
  int firstMismatch(ByteBuffer data, int offset, int length, ByteBuffer crcs) {
    ByteBuffer view = data.duplicate().clear();
    for (int at = 0, chunk = 0; at < length; at += bytesPerChecksum, chunk++) {
      if (crcs.getInt(chunk * ChecksumSpec.CRC_BYTES)
          != crcOf(view, offset + at, Math.min(bytesPerChecksum, length - at))) {
        return chunk;
      }
    }
    return -1;
  }

  private int crcOf(ByteBuffer view, int offset, int length) {
    checksum.reset();
    checksum.update(view.limit(offset + length).position(offset));
    return (int) checksum.getValue();
  }

  /**
   * The length at which the bytes have this CRC, longest first found from the end; -1 when there is
   * none.
   */
  int lengthWithCrc(ByteBuffer data, int offset, int length, int crc) {
    checksum.reset();
    int found = -1;
    for (int n = 1; n <= length; n++) {
      checksum.update(data.get(offset + n - 1));
      if ((int) checksum.getValue() == crc) {
        found = n;
      }
    }
    return found;
  }
}
