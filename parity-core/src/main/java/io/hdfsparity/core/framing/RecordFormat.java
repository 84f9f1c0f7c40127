/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.framing;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A record of a log: framed, numbered and checked. Big-endian.
 *
 * <pre>
 * offset   bytes  field
 * 0        4      magic
 * 4        4      payloadBytes   p
 * 8        8      sequence
 * 16       p      payload
 * 16 + p   4      crc32c         of all bytes before it
 * </pre>
 *
 * <p>A torn record, an overwritten one and stale bytes behind the end of a log all fail the CRC;
 * who reads a log tells a clean end from damage by the sequence and by what follows. Immutable,
 * thread-safe.
 */
public final class RecordFormat {
  private static final int PAYLOAD_BYTES_OFFSET = Integer.BYTES;
  private static final int SEQUENCE_OFFSET = PAYLOAD_BYTES_OFFSET + Integer.BYTES;
  private static final int PAYLOAD_OFFSET = SEQUENCE_OFFSET + Long.BYTES;
  private static final int CRC_BYTES = Integer.BYTES;

  /** What a record needs beside its payload. */
  public static final int OVERHEAD_BYTES = PAYLOAD_OFFSET + CRC_BYTES;

  private final int magic;
  private final int maxPayloadBytes;

  /**
   * A format.
   *
   * @param magic differs between logs and from 0
   * @param maxPayloadBytes longest payload; a larger length is damage
   */
  public RecordFormat(int magic, int maxPayloadBytes) {
    Checks.argument(magic != 0, "define a record format", "magic", magic, "!= 0");
    Checks.argument(
        maxPayloadBytes >= 0 && maxPayloadBytes <= Integer.MAX_VALUE - OVERHEAD_BYTES,
        "define a record format",
        "maxPayloadBytes",
        maxPayloadBytes,
        "0.." + (Integer.MAX_VALUE - OVERHEAD_BYTES));
    this.magic = magic;
    this.maxPayloadBytes = maxPayloadBytes;
  }

  /**
   * A record that was read and found good.
   *
   * @param sequence its number
   * @param payload read-only, big-endian, from 0 to its limit; a window on the bytes read, not a
   *     copy
   */
  public record Record(long sequence, ByteBuffer payload) {}

  /** Bytes that a record with such a payload takes. */
  public static int recordBytes(int payloadBytes) {
    return Math.addExact(payloadBytes, OVERHEAD_BYTES);
  }

  /**
   * Appends a record at the position of {@code dst}, which moves behind it.
   *
   * @param payload used from position to limit, which stay
   */
  public void encode(long sequence, ByteBuffer payload, ByteBuffer dst) {
    int payloadBytes = payload.remaining();
    Checks.argument(
        payloadBytes <= maxPayloadBytes,
        "write a record",
        "payloadBytes",
        payloadBytes,
        "<= " + maxPayloadBytes);
    int recordBytes = recordBytes(payloadBytes);
    Checks.argument(
        dst.remaining() >= recordBytes,
        "write a record",
        "remaining",
        dst.remaining(),
        ">= " + recordBytes);
    ByteBuffer record = dst.slice(dst.position(), recordBytes).order(ByteOrder.BIG_ENDIAN);
    record.putInt(magic).putInt(payloadBytes).putLong(sequence).put(payload.duplicate());
    record.putInt(HeaderFormat.crc(record, 0, record.position()));
    dst.position(dst.position() + recordBytes);
  }

  /**
   * Reads and checks the record at the position of {@code src}, which moves behind it.
   *
   * @param place for messages: file and offset
   * @throws NotOursException if no record starts here
   * @throws CorruptFormatException if one starts here but is damaged or cut; {@code src} is
   *     unchanged in both cases
   */
  public Record decode(ByteBuffer src, String place) throws FormatException {
    ByteBuffer record = src.slice().order(ByteOrder.BIG_ENDIAN);
    if (record.limit() < OVERHEAD_BYTES) {
      throw corrupt(place, "bytes", record.limit(), ">= " + OVERHEAD_BYTES);
    }
    if (record.getInt(0) != magic) {
      throw new NotOursException(
          ErrorMessage.to("read a record")
              .value("magic", HeaderFormat.hex(record.getInt(0)))
              .expected(HeaderFormat.hex(magic))
              .where("at", place)
              .message());
    }
    int payloadBytes = record.getInt(PAYLOAD_BYTES_OFFSET);
    int limit = Math.min(maxPayloadBytes, record.limit() - OVERHEAD_BYTES);
    if (payloadBytes < 0 || payloadBytes > limit) {
      throw corrupt(place, "payloadBytes", payloadBytes, "0.." + limit);
    }
    int crcOffset = PAYLOAD_OFFSET + payloadBytes;
    int crc = HeaderFormat.crc(record, 0, crcOffset);
    if (record.getInt(crcOffset) != crc) {
      throw corrupt(
          place, "crc32c", HeaderFormat.hex(record.getInt(crcOffset)), HeaderFormat.hex(crc));
    }
    long sequence = record.getLong(SEQUENCE_OFFSET);
    src.position(src.position() + crcOffset + CRC_BYTES);
    return new Record(sequence, record.slice(PAYLOAD_OFFSET, payloadBytes).asReadOnlyBuffer());
  }

  private static CorruptFormatException corrupt(
      String place, String name, Object value, Object rule) {
    return new CorruptFormatException(
        ErrorMessage.to("read a record")
            .value(name, value)
            .expected(rule)
            .where("at", place)
            .message());
  }
}
