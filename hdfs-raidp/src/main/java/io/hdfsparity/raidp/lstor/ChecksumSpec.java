/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.lstor;

/**
 * Form of a block's checksum file: a header of {@value #HEADER_BYTES} bytes, then one CRC a chunk
 * (org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader).
 *
 * @param typeId Hadoop {@code DataChecksum.Type} id: 0 NULL (no CRCs), 1 CRC32, 2 CRC32C
 * @param bytesPerChecksum data bytes of a chunk, 1 to {@value #MAX_BYTES_PER_CHECKSUM}
 */
public record ChecksumSpec(int typeId, int bytesPerChecksum) {
  /** Version and type and chunk size. */
  public static final int HEADER_BYTES = 7;

  /** Bytes of a CRC32 or CRC32C. */
  public static final int CRC_BYTES = 4;

  /** Largest chunk: a coverage step must be able to end at a chunk's end. */
  public static final int MAX_BYTES_PER_CHECKSUM = 262144;

  public ChecksumSpec {
    if (typeId < 0
        || typeId > 2
        || bytesPerChecksum < 1
        || bytesPerChecksum > MAX_BYTES_PER_CHECKSUM) {
      throw new IllegalArgumentException(
          "Cannot use checksum: typeId="
              + typeId
              + " bytesPerChecksum="
              + bytesPerChecksum
              + ", expected typeId 0..2 and bytesPerChecksum 1.."
              + MAX_BYTES_PER_CHECKSUM);
    }
  }

  /** Bytes of one CRC; 0 for type NULL. */
  public int crcBytes() {
    return typeId == 0 ? 0 : CRC_BYTES;
  }

  /** Length in bytes of the checksum file of a replica of {@code prefixBytes}. */
  public long metaLength(long prefixBytes) {
    return HEADER_BYTES + (prefixBytes + bytesPerChecksum - 1) / bytesPerChecksum * crcBytes();
  }

  /**
   * Length of the part of the checksum file that any longer replica with the same first bytes
   * shares.
   */
  public long stableMetaLength(long prefixBytes) {
    return HEADER_BYTES + prefixBytes / bytesPerChecksum * crcBytes();
  }
}
