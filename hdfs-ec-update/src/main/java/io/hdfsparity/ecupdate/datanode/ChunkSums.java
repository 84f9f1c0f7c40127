/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.server.datanode.BlockMetadataHeader;
import org.apache.hadoop.util.DataChecksum;
import org.apache.hadoop.util.InvalidChecksumSizeException;

/**
 * The checksums of a replica: kind, chunks, and where they lie in the checksum file. Immutable,
 * thread-safe.
 */
final class ChunkSums {
  static final int HEADER_BYTES = BlockMetadataHeader.getHeaderSize();
  private final byte[] header;
  private final DataChecksum.Type type;
  private final int chunkBytes;
  private final int lengthBytes;
  private final String name;

  private ChunkSums(byte[] header, DataChecksum kind, int lengthBytes, String name) {
    this.header = header;
    type = kind.getChecksumType();
    chunkBytes = kind.getBytesPerChecksum();
    this.lengthBytes = lengthBytes;
    this.name = name;
  }

  /**
   * Reads the header of a checksum file.
   *
   * @param lengthBytes of the block file
   * @throws ChecksumException if it is not as long as its header and the checksums are, or its
   *     header is none of a file that can be kept in step with changes: one that is admitted had
   *     such a header
   */
  static ChunkSums read(ByteStore meta, int lengthBytes) throws IOException {
    if (meta.sizeBytes() < HEADER_BYTES) {
      throw notAsLong(meta, "a header of " + HEADER_BYTES);
    }
    byte[] header = new byte[HEADER_BYTES];
    meta.read(0, ByteBuffer.wrap(header));
    ChunkSums sums = new ChunkSums(header, kind(header, meta), lengthBytes, meta.toString());
    if (meta.sizeBytes() != sums.metaBytes()) {
      throw notAsLong(meta, String.valueOf(sums.metaBytes()));
    }
    return sums;
  }

  private static DataChecksum kind(byte[] header, ByteStore meta) throws IOException {
    short version = ByteBuffer.wrap(header).getShort();
    String found;
    try {
      DataChecksum kind = DataChecksum.newDataChecksum(header, Short.BYTES);
      if (version == BlockMetadataHeader.VERSION && kind.getChecksumSize() > 0) {
        return kind;
      }
      found = kind.toString();
    } catch (InvalidChecksumSizeException e) {
      found = String.valueOf(e.getMessage());
    }
    throw new ChecksumException(
        ErrorMessage.to("change a replica in place")
            .value("version", version)
            .value("checksum", found)
            .expected("version " + BlockMetadataHeader.VERSION + ", with checksums")
            .where("file", meta)
            .message(),
        0);
  }

  private static ChecksumException notAsLong(ByteStore meta, String rule) {
    return new ChecksumException(
        ErrorMessage.to("change a replica in place")
            .value("metaBytes", meta.sizeBytes())
            .expected(rule)
            .where("file", meta)
            .message(),
        0);
  }

  int chunkBytes() {
    return chunkBytes;
  }

  int sumBytes() {
    return type.size;
  }

  byte[] header() {
    return header.clone();
  }

  /** Of the checksum file. */
  long metaBytes() {
    return HEADER_BYTES + (long) sumsBytes(lengthBytes);
  }

  /** Of the checksums of so many bytes from the begin of a chunk. */
  int sumsBytes(int dataBytes) {
    return (int) ((dataBytes + (long) chunkBytes - 1) / chunkBytes) * type.size;
  }

  /** Where the checksum of the chunk at an offset of the block file lies. */
  long position(int chunkOffset) {
    return HEADER_BYTES + (long) chunkOffset / chunkBytes * type.size;
  }

  /** The begin of a chunk. */
  int floor(int offset) {
    return offset / chunkBytes * chunkBytes;
  }

  /** The end of a chunk, or of the file. */
  int ceiling(int offset) {
    long end = ((long) offset + chunkBytes - 1) / chunkBytes * chunkBytes;
    return (int) Math.min(lengthBytes, end);
  }

  byte[] of(byte[] chunks) {
    byte[] sums = new byte[sumsBytes(chunks.length)];
    checksum().calculateChunkedSums(chunks, 0, chunks.length, sums, 0);
    return sums;
  }

  /**
   * Compares chunks with their checksums.
   *
   * @throws ChecksumException if they are damaged
   */
  void verify(byte[] chunks, byte[] sums, int offset) throws ChecksumException {
    checksum().verifyChunkedSums(ByteBuffer.wrap(chunks), ByteBuffer.wrap(sums), name, offset);
  }

  // Has a state of its own.
  private DataChecksum checksum() {
    return DataChecksum.newDataChecksum(type, chunkBytes);
  }
}
