/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.ecupdate.storage.PinnedReader;
import java.io.IOException;

/**
 * A version that the engine has pinned. Its checksums are computed from its bytes: those come from
 * chunks of the file that were compared with their own, changes of the log and of reserved space,
 * which are under sums as well.
 */
final class PinnedSource implements SnapshotSource {
  /** Of one read, so that a small read of a replica reads little that is not sent. */
  private static final int MAX_BYTES = 1 << 16;

  private final PinnedReader reader;
  private final ChunkSums sums;
  private final int lengthBytes;
  private final ReadAhead bytes;

  PinnedSource(PinnedReader reader, ChunkSums sums, int lengthBytes) {
    this.reader = reader;
    this.sums = sums;
    this.lengthBytes = lengthBytes;
    this.bytes = new ReadAhead(reader::read, lengthBytes);
  }

  @Override
  public int readData(long position, byte[] into, int offset, int length) throws IOException {
    if (position >= lengthBytes) {
      return -1;
    }
    int count = (int) Math.min(Math.min(length, MAX_BYTES), lengthBytes - position);
    bytes.read((int) position, count, into, offset);
    return count;
  }

  @Override
  public int readMeta(long position, byte[] into, int offset, int length) throws IOException {
    if (position >= sums.metaBytes()) {
      return -1;
    }
    if (position < ChunkSums.HEADER_BYTES) {
      int count = (int) Math.min(length, ChunkSums.HEADER_BYTES - position);
      System.arraycopy(sums.header(), (int) position, into, offset, count);
      return count;
    }
    long first = (position - ChunkSums.HEADER_BYTES) / sums.sumBytes();
    int skip = (int) ((position - ChunkSums.HEADER_BYTES) % sums.sumBytes());
    int chunks =
        Math.min(
            (skip + length + sums.sumBytes() - 1) / sums.sumBytes(),
            Math.max(1, MAX_BYTES / sums.chunkBytes()));
    int from = (int) (first * sums.chunkBytes());
    byte[] covered =
        new byte[(int) Math.min((long) chunks * sums.chunkBytes(), lengthBytes - from)];
    bytes.read(from, covered.length, covered, 0);
    byte[] computed = sums.of(covered);
    int count = Math.min(length, computed.length - skip);
    System.arraycopy(computed, skip, into, offset, count);
    return count;
  }

  @Override
  public void close() {
    reader.close();
  }
}
