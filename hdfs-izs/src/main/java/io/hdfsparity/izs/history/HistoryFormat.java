/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.RecordFormat;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of a history file: a header, then records, each a batch of items. Big-endian; also in
 * docs/formats/access-history.md.
 *
 * <pre>
 * header (HeaderFormat): magic "IZSACCES", version 1, owner = id of the HDFS cluster, payload:
 *   offset  bytes  field
 *   0       8      periodMs
 * record (RecordFormat): magic 0x495a5348, sequence from 1 without gaps, payload: items, one after
 * the other, each of
 *   1 byte   kind
 *   kind 1, COUNTS:  text path, int64 newestPeriod, uint16 n, n x int32 count, oldest first
 *   kind 2, RENAME:  text from, text to
 *   kind 3, DELETE:  text path
 *   kind 4, WATCHED: int64 period, int32 observedMs, int32 missed
 *   text: uint16 length in bytes, then that many bytes of UTF-8
 * </pre>
 *
 * <p>Immutable, thread-safe.
 */
public final class HistoryFormat {
  /** Longest payload of a record; a longer batch becomes several records. */
  public static final int MAX_RECORD_PAYLOAD_BYTES = 1 << 20;

  /** Longest text. */
  public static final int MAX_TEXT_BYTES = 0xffff;

  static final HeaderFormat HEADER = new HeaderFormat("IZSACCES", 1, 1);
  static final int RECORD_MAGIC = 0x495a5348;
  static final RecordFormat RECORD = new RecordFormat(RECORD_MAGIC, MAX_RECORD_PAYLOAD_BYTES);

  private static final int COUNTS = 1;
  private static final int RENAME = 2;
  private static final int DELETE = 3;
  private static final int WATCHED = 4;

  private HistoryFormat() {}

  /** Whether a path is short enough to be kept. */
  public static boolean fits(String path) {
    // A char is at most three bytes of UTF-8; the exact length matters to long paths only.
    return path.length() <= MAX_TEXT_BYTES / 3
        || path.getBytes(StandardCharsets.UTF_8).length <= MAX_TEXT_BYTES;
  }

  static ByteBuffer header(String owner, long periodMs) {
    return HEADER.encode(owner, ByteBuffer.allocate(Long.BYTES).putLong(0, periodMs));
  }

  static long periodMs(HeaderFormat.Header header, String place) throws CorruptFormatException {
    if (header.payload().remaining() != Long.BYTES) {
      throw new CorruptFormatException(
          "Cannot read a history: payloadBytes="
              + header.payload().remaining()
              + ", expected "
              + Long.BYTES
              + ", at="
              + place);
    }
    return header.payload().getLong(0);
  }

  /** Takes payloads one by one. */
  @FunctionalInterface
  interface PayloadWriter {
    void write(ByteBuffer payload) throws IOException;
  }

  /** Payloads of as many records as the items need, of which one at a time is in memory. */
  static void payloads(List<HistoryItem> items, PayloadWriter to) throws IOException {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    for (HistoryItem item : items) {
      byte[] bytes = encoded(item);
      if (payload.size() + bytes.length > MAX_RECORD_PAYLOAD_BYTES) {
        to.write(ByteBuffer.wrap(payload.toByteArray()));
        payload.reset();
      }
      payload.writeBytes(bytes);
    }
    if (payload.size() > 0) {
      to.write(ByteBuffer.wrap(payload.toByteArray()));
    }
  }

  private static byte[] encoded(HistoryItem item) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      if (item instanceof HistoryItem.Counts counts) {
        out.writeByte(COUNTS);
        writeText(out, counts.path());
        out.writeLong(counts.newestPeriod());
        out.writeShort(counts.counts().size());
        for (int count : counts.counts()) {
          out.writeInt(count);
        }
      } else if (item instanceof HistoryItem.Rename rename) {
        out.writeByte(RENAME);
        writeText(out, rename.from());
        writeText(out, rename.to());
      } else if (item instanceof HistoryItem.Delete delete) {
        out.writeByte(DELETE);
        writeText(out, delete.path());
      } else if (item instanceof HistoryItem.Watched watched) {
        out.writeByte(WATCHED);
        out.writeLong(watched.period());
        out.writeInt(watched.observedMs());
        out.writeInt(watched.missed());
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write to memory", e);
    }
    return bytes.toByteArray();
  }

  private static void writeText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MAX_TEXT_BYTES) {
      throw new IllegalArgumentException(
          "Cannot write a history: pathBytes=" + bytes.length + ", expected <= " + MAX_TEXT_BYTES);
    }
    out.writeShort(bytes.length);
    out.write(bytes);
  }

  /**
   * Items of a record's payload, whose CRC was right.
   *
   * @throws CorruptFormatException if it is none of ours all the same
   */
  static List<HistoryItem> items(ByteBuffer payload, String place) throws CorruptFormatException {
    List<HistoryItem> items = new ArrayList<>();
    ByteBuffer in = payload.duplicate();
    try {
      while (in.hasRemaining()) {
        items.add(item(in, place));
      }
    } catch (BufferUnderflowException e) {
      throw corrupt("itemBytes", in.position(), "a whole item", place);
    }
    return items;
  }

  private static HistoryItem item(ByteBuffer in, String place) throws CorruptFormatException {
    int kind = in.get();
    return switch (kind) {
      case COUNTS -> {
        String path = text(in);
        long newestPeriod = in.getLong();
        int n = Short.toUnsignedInt(in.getShort());
        List<Integer> counts = new ArrayList<>(Math.min(n, in.remaining()));
        for (int i = 0; i < n; i++) {
          int count = in.getInt();
          if (count < 0) {
            throw corrupt("count", count, "0 or more", place);
          }
          counts.add(count);
        }
        yield new HistoryItem.Counts(path, newestPeriod, counts);
      }
      case RENAME -> new HistoryItem.Rename(text(in), text(in));
      case DELETE -> new HistoryItem.Delete(text(in));
      case WATCHED -> new HistoryItem.Watched(in.getLong(), in.getInt(), in.getInt());
      default -> throw corrupt("kind", kind, "1 to 4", place);
    };
  }

  private static String text(ByteBuffer in) {
    byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
    in.get(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static CorruptFormatException corrupt(
      String name, long value, String rule, String place) {
    return new CorruptFormatException(
        "Cannot read a history: " + name + "=" + value + ", expected " + rule + ", at=" + place);
  }
}
