/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.image;

import io.hdfsparity.raidp.lstor.ChecksumSpec;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A replica with its two files, live or in limbo. The files stay open, so that renames do not
 * matter.
 *
 * <p>A replica being written has data and CRC of its last chunk change under the reader: there the
 * longest prefix that matches the stored CRC counts, and a few attempts are made.
 */
public final class ReplicaSource implements ImageSource {
  private static final int FLUX_ATTEMPTS = 5;
  private static final int META_VERSION = 1;

  private final ReplicaFiles files;
  private final FileChannel data;
  private final FileChannel meta;
  private final ChecksumSpec checksum;
  private final ChunkCrc crc;
  private final long toBytes;

  private ReplicaSource(ReplicaFiles files, FileChannel data, FileChannel meta) throws IOException {
    this.files = files;
    this.data = data;
    this.meta = meta;
    this.checksum = readHeader(meta, files.meta());
    this.crc = new ChunkCrc(checksum);
    long crcs = (meta.size() - ChecksumSpec.HEADER_BYTES) / ChecksumSpec.CRC_BYTES;
    this.toBytes = Math.min(data.size(), crcs * checksum.bytesPerChecksum());
  }

  /**
   * Opens both files.
   *
   * @throws ImageException when the checksum file's header is not one of HDFS
   */
  public static ReplicaSource open(ReplicaFiles files) throws IOException {
    FileChannel data = FileChannel.open(files.data(), StandardOpenOption.READ);
    FileChannel meta = null;
    try {
      meta = FileChannel.open(files.meta(), StandardOpenOption.READ);
      return new ReplicaSource(files, data, meta);
    } catch (IOException | RuntimeException e) {
      data.close();
      if (meta != null) {
        meta.close();
      }
      throw e;
    }
  }

  /** Reads the header of a checksum file. */
  public static ChecksumSpec readChecksum(Path metaFile) throws IOException {
    try (FileChannel meta = FileChannel.open(metaFile, StandardOpenOption.READ)) {
      return readHeader(meta, metaFile);
    }
  }

  private static ChecksumSpec readHeader(FileChannel meta, Path file) throws IOException {
    byte[] header = new byte[ChecksumSpec.HEADER_BYTES];
    readFully(meta, 0, ByteBuffer.wrap(header), file);
    ByteBuffer in = ByteBuffer.wrap(header);
    int version = in.getShort();
    int type = in.get();
    int bytesPerChecksum = in.getInt();
    if (version != META_VERSION
        || (type != 1 && type != 2)
        || bytesPerChecksum < 1
        || bytesPerChecksum > ChecksumSpec.MAX_BYTES_PER_CHECKSUM) {
      throw new ImageException(
          "Cannot use checksum file: version="
              + version
              + " type="
              + type
              + " bytesPerChecksum="
              + bytesPerChecksum
              + ", expected version 1, type 1 (CRC32) or 2 (CRC32C), bytesPerChecksum 1.."
              + ChecksumSpec.MAX_BYTES_PER_CHECKSUM
              + ", file="
              + file
              + " offset=0");
    }
    return new ChecksumSpec(type, bytesPerChecksum);
  }

  @Override
  public long generationStamp() {
    return files.generationStamp();
  }

  @Override
  public long fromBytes() {
    return 0;
  }

  @Override
  public long toBytes() {
    return toBytes;
  }

  @Override
  public long cutBytes() {
    return UNCUT;
  }

  @Override
  public ChecksumSpec checksum() {
    return checksum;
  }

  @Override
  public Proof readVerified(long from, long to, ByteBuffer into, ByteBuffer crcs)
      throws IOException {
    int bpc = checksum.bytesPerChecksum();
    int start = into.position();
    int length = (int) (to - from);
    ImageException.Corrupt failure = null;
    for (int attempt = 0; attempt < (files.inFlux() ? FLUX_ATTEMPTS : 1); attempt++) {
      readFully(data, from, into.slice(start, length), files.data());
      readFully(
          meta,
          ChecksumSpec.HEADER_BYTES + from / bpc * ChecksumSpec.CRC_BYTES,
          crcs.slice(0, (length + bpc - 1) / bpc * ChecksumSpec.CRC_BYTES),
          files.meta());
      int bad = crc.firstMismatch(into, start, length, crcs);
      if (bad < 0) {
        return new Proof(from, to, crcs, true);
      }
      int badAt = bad * bpc;
      if (files.inFlux() && badAt + bpc >= length) {
        int matching =
            crc.lengthWithCrc(
                into, start + badAt, length - badAt, crcs.getInt(bad * ChecksumSpec.CRC_BYTES));
        if (matching > 0) {
          return new Proof(from, from + badAt + matching, crcs, false);
        }
      }
      failure =
          new ImageException.Corrupt(
              "Cannot verify replica: block="
                  + files.blockId()
                  + " chunk="
                  + (from + badAt) / bpc
                  + ", expected its CRC, file="
                  + files.data()
                  + " offset="
                  + (from + badAt));
    }
    throw failure;
  }

  @Override
  public void close() throws IOException {
    try {
      data.close();
    } finally {
      meta.close();
    }
  }

  /** Fills a buffer, whose position is 0, up to its limit. */
  static void readFully(FileChannel channel, long position, ByteBuffer into, Path file)
      throws IOException {
    while (into.hasRemaining()) {
      int n = channel.read(into, position + into.position());
      if (n < 0) {
        throw new EOFException(
            "Cannot read replica: fileBytes="
                + channel.size()
                + ", expected at least "
                + (position + into.limit())
                + ", file="
                + file
                + " offset="
                + (position + into.position()));
      }
    }
  }
}
