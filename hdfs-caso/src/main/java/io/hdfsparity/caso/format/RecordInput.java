/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.format;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.RecordFormat;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link RecordFile}, a record at a time. What is not whole and right is refused. A file
 * that was cut after a record is found out by what its header says of the contents, so the reader
 * of a format checks that. Not thread-safe.
 */
public final class RecordInput implements Closeable {
  private final RecordFile format;
  private final InputStream in;
  private final String name;
  private final HeaderFormat.Header header;
  private long offset;
  private long sequence;

  /**
   * Reads the header.
   *
   * @param in is closed with this, also if the header is refused
   * @param name of the file, for messages
   * @throws FormatException if this is not a good header of the format
   */
  public RecordInput(RecordFile format, InputStream in, String name) throws IOException {
    this.format = format;
    this.in = in;
    this.name = name;
    try {
      this.header = readHeader();
    } catch (IOException | RuntimeException e) {
      closeAfter(e);
      throw e;
    }
  }

  private HeaderFormat.Header readHeader() throws IOException {
    byte[] bytes = in.readNBytes(RecordFile.HEADER_LENGTH_END);
    if (bytes.length == RecordFile.HEADER_LENGTH_END) {
      int headerBytes = ByteBuffer.wrap(bytes).getInt(RecordFile.HEADER_LENGTH_OFFSET);
      if (headerBytes > bytes.length && headerBytes <= HeaderFormat.MAX_HEADER_BYTES) {
        bytes = more(bytes, headerBytes);
      }
    }
    offset = bytes.length;
    return format.decodeHeader(bytes, name + " offset=0");
  }

  private byte[] more(byte[] bytes, int length) throws IOException {
    byte[] rest = in.readNBytes(length - bytes.length);
    byte[] all = Arrays.copyOf(bytes, bytes.length + rest.length);
    System.arraycopy(rest, 0, all, bytes.length, rest.length);
    return all;
  }

  /** The header. */
  public HeaderFormat.Header header() {
    return header;
  }

  /** Where the next record begins, for messages. */
  public String place() {
    return name + " offset=" + offset;
  }

  /**
   * The payload of the next record, or null after the last one.
   *
   * @throws FormatException if what is there is no good record, or not the next one
   */
  public @Nullable ByteBuffer next() throws IOException {
    byte[] bytes = in.readNBytes(RecordFile.RECORD_PAYLOAD_OFFSET);
    if (bytes.length == 0) {
      return null;
    }
    if (bytes.length == RecordFile.RECORD_PAYLOAD_OFFSET) {
      int payloadBytes = ByteBuffer.wrap(bytes).getInt(RecordFile.RECORD_LENGTH_OFFSET);
      if (payloadBytes >= 0 && payloadBytes <= format.maxPayloadBytes()) {
        bytes = more(bytes, RecordFormat.recordBytes(payloadBytes));
      }
    }
    RecordFormat.Record record = format.record().decode(ByteBuffer.wrap(bytes), place());
    sequence++;
    if (record.sequence() != sequence) {
      throw corrupt("sequence", record.sequence(), Long.toString(sequence));
    }
    offset += bytes.length;
    return record.payload();
  }

  /** A refusal at the place of the next record. */
  public CorruptFormatException corrupt(String what, long value, String rule) {
    return new CorruptFormatException(
        ErrorMessage.to("read a record")
            .value(what, value)
            .expected(rule)
            .where("at", place())
            .message());
  }

  private void closeAfter(Throwable failure) {
    try {
      in.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
