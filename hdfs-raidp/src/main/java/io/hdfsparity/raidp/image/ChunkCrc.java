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

  int of(byte[] data, int offset, int length) {
    checksum.reset();
    checksum.update(data, offset, length);
    return (int) checksum.getValue();
  }

  /** Index of the first chunk that does not match, or -1. */
  int firstMismatch(byte[] data, int length, byte[] crcs) {
    ByteBuffer stored = ByteBuffer.wrap(crcs);
    for (int at = 0, chunk = 0; at < length; at += bytesPerChecksum, chunk++) {
      if (stored.getInt(chunk * ChecksumSpec.CRC_BYTES)
          != of(data, at, Math.min(bytesPerChecksum, length - at))) {
        return chunk;
      }
    }
    return -1;
  }

  /**
   * The length at which the bytes have this CRC, longest first found from the end; -1 when there is
   * none.
   */
  int lengthWithCrc(byte[] data, int offset, int length, int crc) {
    checksum.reset();
    int found = -1;
    for (int n = 1; n <= length; n++) {
      checksum.update(data[offset + n - 1]);
      if ((int) checksum.getValue() == crc) {
        found = n;
      }
    }
    return found;
  }
}
