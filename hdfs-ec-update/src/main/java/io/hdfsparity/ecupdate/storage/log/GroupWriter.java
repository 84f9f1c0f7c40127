/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Writes the records of a group and makes them durable with one force. Not thread-safe.
 *
 * <p>Every record says up to where the log was durable when its group was begun. After a crash that
 * tells a torn group, of which any part may be there, from damage: see {@link LogReader}.
 */
final class GroupWriter {
  private static final int BUFFER_BYTES = 1 << 20;

  /** A record whose place is settled. */
  record Pending(long sequence, long position, int recordBytes, int kind, byte[] payload) {}

  private final ByteStore store;
  private final LogHead identity;
  private final ByteBuffer buffer;
  private long from;

  GroupWriter(ByteStore store, LogHead identity, int maxRecordBytes) {
    this.store = store;
    this.identity = identity;
    long bytes = Math.max(Math.min(BUFFER_BYTES, identity.ringBytes()), maxRecordBytes);
    buffer = ByteBuffer.allocateDirect((int) bytes);
  }

  long salt() {
    return identity.salt();
  }

  void write(List<Pending> group, long forced) throws IOException {
    long first = Long.MAX_VALUE;
    long end = 0;
    buffer.clear();
    for (Pending record : group) {
      long at = LogHead.RING_OFFSET + record.position() % identity.ringBytes();
      int bytes =
          record.kind() == RecordHeader.PADDING ? RecordHeader.HEADER_BYTES : record.recordBytes();
      if (from + buffer.position() != at || buffer.remaining() < bytes) {
        flush();
        from = at;
      }
      encode(record, forced, bytes);
      first = Math.min(first, at);
      end = Math.max(end, at + bytes);
    }
    flush();
    store.sync(first, end - first);
  }

  private void encode(Pending record, long forced, int bytes) {
    ByteBuffer payload = ByteBuffer.wrap(record.payload());
    int end = buffer.position() + bytes;
    new RecordHeader(
            RecordHeader.VERSION,
            record.kind(),
            record.recordBytes(),
            payload.remaining(),
            new LogPosition(
                identity.salt(), record.sequence(), identity.run(), forced, record.position()),
            RecordHeader.crc(payload, 0, payload.remaining()))
        .encode(buffer);
    buffer.put(payload);
    while (buffer.position() < end) {
      buffer.put((byte) 0);
    }
  }

  private void flush() throws IOException {
    buffer.flip();
    if (buffer.hasRemaining()) {
      store.write(from, buffer);
    }
    buffer.clear();
  }
}
