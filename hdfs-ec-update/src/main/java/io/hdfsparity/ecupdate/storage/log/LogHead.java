/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.HeaderFormat;
import io.hdfsparity.core.framing.NotOursException;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The start of the file: whose log it is, and where the records begin that count. Immutable.
 *
 * <pre>
 * FILE
 * +------+------+------------------------------------------------------------------+
 * |    0 | 4096 | head, copy of even generations                                   |
 * | 4096 | 4096 | head, copy of odd generations                                    |
 * | 8192 |      | ring of ringBytes, a multiple of 64                              |
 * +------+------+------------------------------------------------------------------+
 *
 * HEAD: a header of parity-core (magic "ECUPDLOG", owner: id of the storage), and this payload
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   8 | salt: drawn when the log was made; never changes                  |
 * |    8 |   8 | ringBytes; never changes                                          |
 * |   16 |   8 | generation: one more with every head that is written              |
 * |   24 |   8 | run: one more with every opening                                  |
 * |   32 |   8 | headPosition: of the first record that counts                     |
 * |   40 |   8 | headSequence: its sequence                                        |
 * |   48 |   8 | forced: all sequences up to this are durable                      |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>A new head goes to the place of the older copy and is forced before the bytes that it releases
 * are written again. So a crash tears at most that copy, and the other one still finds its records.
 */
record LogHead(
    String owner,
    long salt,
    long ringBytes,
    long generation,
    long run,
    long headPosition,
    long headSequence,
    long forced) {
  static final HeaderFormat FORMAT = new HeaderFormat("ECUPDLOG", 1, 1);
  static final int COPY_BYTES = 4096;
  static final int RING_OFFSET = 2 * COPY_BYTES;
  private static final int PAYLOAD_BYTES = 7 * Long.BYTES;

  /**
   * What was found.
   *
   * @param flaw what is wrong with the other copy; empty if nothing is
   */
  record Found(LogHead head, String flaw) {}

  /** The next head. */
  LogHead next(long newRun, long position, long sequence, long newForced) {
    return new LogHead(
        owner, salt, ringBytes, generation + 1, newRun, position, sequence, newForced);
  }

  /** Writes it to its place and forces it. */
  void write(ByteStore store) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(PAYLOAD_BYTES);
    payload.putLong(salt).putLong(ringBytes).putLong(generation).putLong(run);
    payload.putLong(headPosition).putLong(headSequence).putLong(forced).flip();
    ByteBuffer copy = ByteBuffer.allocate(COPY_BYTES);
    copy.put(FORMAT.encode(owner, payload)).clear();
    long offset = generation % 2 * COPY_BYTES;
    store.write(offset, copy);
    store.sync(offset, COPY_BYTES);
  }

  /**
   * The newer of the copies that are whole.
   *
   * @throws FormatException if there is none, or it is another's, too old or too new
   */
  static Found read(ByteStore store, String owner) throws IOException {
    if (store.sizeBytes() < RING_OFFSET + RecordHeader.ALIGNMENT) {
      throw new CorruptFormatException(
          ErrorMessage.to("open an update log")
              .value("sizeBytes", store.sizeBytes())
              .expected(">= " + (RING_OFFSET + RecordHeader.ALIGNMENT))
              .where("file", store)
              .message());
    }
    LogHead best = null;
    FormatException flaw = null;
    for (int copy = 0; copy < 2; copy++) {
      try {
        LogHead head = readCopy(store, owner, copy);
        best = best == null || head.generation > best.generation ? head : best;
      } catch (NotOursException | CorruptFormatException e) {
        // Not even a magic says less than a damaged copy does.
        flaw = flaw instanceof CorruptFormatException ? flaw : e;
      }
    }
    if (best == null) {
      throw notNull(flaw);
    }
    return new Found(best, flaw == null ? "" : String.valueOf(flaw.getMessage()));
  }

  private static FormatException notNull(@Nullable FormatException flaw) {
    return flaw == null ? new CorruptFormatException("Cannot open an update log: no head") : flaw;
  }

  private static LogHead readCopy(ByteStore store, String owner, int copy) throws IOException {
    long offset = (long) copy * COPY_BYTES;
    String place = store + " offset=" + offset;
    ByteBuffer bytes = ByteBuffer.allocate(COPY_BYTES);
    store.read(offset, bytes);
    ByteBuffer payload = FORMAT.decode(bytes.flip(), owner, place).payload();
    if (payload.remaining() != PAYLOAD_BYTES) {
      throw corrupt(place, "payloadBytes", payload.remaining(), "" + PAYLOAD_BYTES);
    }
    LogHead head =
        new LogHead(
            owner,
            payload.getLong(),
            payload.getLong(),
            payload.getLong(),
            payload.getLong(),
            payload.getLong(),
            payload.getLong(),
            payload.getLong());
    head.check(store, place, copy);
    return head;
  }

  private void check(ByteStore store, String place, int copy) throws CorruptFormatException {
    if (ringBytes < RecordHeader.ALIGNMENT
        || ringBytes % RecordHeader.ALIGNMENT != 0
        || ringBytes > store.sizeBytes() - RING_OFFSET) {
      throw corrupt(
          place,
          "ringBytes",
          ringBytes,
          "a multiple of 64, <= sizeBytes - "
              + RING_OFFSET
              + "="
              + (store.sizeBytes() - RING_OFFSET));
    }
    if (generation < 0 || generation % 2 != copy) {
      throw corrupt(place, "generation", generation, "of copy " + copy);
    }
    if (headPosition < 0 || headPosition % RecordHeader.ALIGNMENT != 0) {
      throw corrupt(place, "headPosition", headPosition, ">= 0 and a multiple of 64");
    }
    if (headSequence < 1 || forced < headSequence - 1) {
      throw corrupt(place, "headSequence", headSequence, "1 <= it <= forced + 1=" + (forced + 1));
    }
  }

  private static CorruptFormatException corrupt(
      String place, String name, long value, String rule) {
    return new CorruptFormatException(
        ErrorMessage.to("read the head of an update log")
            .value(name, value)
            .expected(rule)
            .where("file", place)
            .message());
  }
}
