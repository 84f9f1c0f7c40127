/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The first 64 bytes of a record in the ring. Big-endian; all CRCs are CRC32C.
 *
 * <pre>
 * RECORD, starts on a multiple of 64 bytes of the ring and does not wrap around
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   4 | magic "ECUW"                                                      |
 * |    4 |   2 | version                                                           |
 * |    6 |   2 | kind: 0 padding, 1 change, 2 snapshot, 3 fold, 4 dropped          |
 * |    8 |   4 | recordBytes: from here to the next record, a multiple of 64       |
 * |   12 |   4 | payloadBytes                                                      |
 * |   16 |   8 | salt of the log                                                   |
 * |   24 |   8 | sequence: one more than that of the record before                 |
 * |   32 |   8 | run: which opening of the log wrote it                            |
 * |   40 |   8 | forced: all sequences up to this were durable before it was begun |
 * |   48 |   8 | position: bytes of the log before it, since the log was made      |
 * |   56 |   4 | payloadCrc: of the payload                                        |
 * |   60 |   4 | headerCrc: of bytes 0 to 59                                       |
 * |   64 |     | payload, then zeros; padding: whatever was there                  |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>Immutable, thread-safe.
 */
record RecordHeader(
    int version, int kind, int recordBytes, int payloadBytes, LogPosition at, int payloadCrc) {
  static final int MAGIC = 0x45435557;
  static final int VERSION = 1;
  static final int ALIGNMENT = 64;
  static final int HEADER_BYTES = 64;

  static final int PADDING = 0;

  private static final int KIND = 6;
  private static final int RECORD_BYTES = 8;
  private static final int PAYLOAD_BYTES = 12;
  static final int SALT = 16;
  private static final int SEQUENCE = 24;
  private static final int RUN = 32;
  private static final int FORCED = 40;
  private static final int POSITION = 48;
  private static final int PAYLOAD_CRC = 56;
  private static final int HEADER_CRC = 60;

  /** Bytes that a record with such a payload takes. */
  static int recordBytes(long payloadBytes) {
    long bytes = (HEADER_BYTES + payloadBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    return Math.toIntExact(bytes);
  }

  /** Writes the header at the buffer's position, which moves behind it. */
  void encode(ByteBuffer dst) {
    ByteBuffer header = dst.slice(dst.position(), HEADER_BYTES);
    header.putInt(MAGIC).putShort((short) version).putShort((short) kind);
    header.putInt(recordBytes).putInt(payloadBytes);
    header.putLong(at.salt()).putLong(at.sequence()).putLong(at.run());
    header.putLong(at.forced()).putLong(at.position());
    header.putInt(payloadCrc).putInt(crc(header, 0, HEADER_CRC));
    dst.position(dst.position() + HEADER_BYTES);
  }

  /** Whether the bytes at an offset can be a header at all: the cheap test of a scan. */
  static boolean isLikely(ByteBuffer src, int offset, long salt) {
    return src.getInt(offset) == MAGIC && src.getLong(offset + SALT) == salt;
  }

  /** Why the bytes at an offset are no header of this log; empty if they are one. */
  static String flaw(ByteBuffer src, int offset, long salt) {
    if (src.getInt(offset) != MAGIC) {
      return "magic=0x" + Integer.toHexString(src.getInt(offset));
    }
    int crc = crc(src, offset, HEADER_CRC);
    if (src.getInt(offset + HEADER_CRC) != crc) {
      return "headerCrc=0x"
          + Integer.toHexString(src.getInt(offset + HEADER_CRC))
          + " instead of 0x"
          + Integer.toHexString(crc);
    }
    return src.getLong(offset + SALT) == salt ? "" : "salt=" + src.getLong(offset + SALT);
  }

  /** The header at an offset, which has no {@link #flaw}. */
  static RecordHeader decode(ByteBuffer src, int offset) {
    return new RecordHeader(
        Short.toUnsignedInt(src.getShort(offset + Integer.BYTES)),
        Short.toUnsignedInt(src.getShort(offset + KIND)),
        src.getInt(offset + RECORD_BYTES),
        src.getInt(offset + PAYLOAD_BYTES),
        new LogPosition(
            src.getLong(offset + SALT),
            src.getLong(offset + SEQUENCE),
            src.getLong(offset + RUN),
            src.getLong(offset + FORCED),
            src.getLong(offset + POSITION)),
        src.getInt(offset + PAYLOAD_CRC));
  }

  static int crc(ByteBuffer bytes, int offset, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes.slice(offset, lengthBytes));
    return (int) crc.getValue();
  }
}
