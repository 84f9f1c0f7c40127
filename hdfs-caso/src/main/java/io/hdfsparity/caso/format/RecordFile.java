/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.format;

import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.RecordFormat;
import java.nio.ByteBuffer;

/**
 * A file of a header and records, numbered from 1 without gaps.
 *
 * @param header what the file is
 * @param record one of its records
 * @param maxPayloadBytes longest payload of a record
 */
public record RecordFile(HeaderFormat header, RecordFormat record, int maxPayloadBytes) {
  /** Bytes of a header up to its length: magic, version, headerBytes. */
  static final int HEADER_LENGTH_END = 16;

  static final int HEADER_LENGTH_OFFSET = 12;

  /** Bytes of a record up to its payload: magic, payloadBytes, sequence. */
  static final int RECORD_PAYLOAD_OFFSET = 16;

  static final int RECORD_LENGTH_OFFSET = 4;

  /**
   * A format.
   *
   * @param headerMagic of the file
   * @param recordMagic of its records
   */
  public static RecordFile of(String headerMagic, int recordMagic, int maxPayloadBytes) {
    return new RecordFile(
        new HeaderFormat(headerMagic, 1, 1),
        new RecordFormat(recordMagic, maxPayloadBytes),
        maxPayloadBytes);
  }

  /** A header, however few bytes of it are there. */
  HeaderFormat.Header decodeHeader(byte[] bytes, String place) throws FormatException {
    return header.decode(ByteBuffer.wrap(bytes), place);
  }
}
