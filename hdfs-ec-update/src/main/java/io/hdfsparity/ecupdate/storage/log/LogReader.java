/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.core.framing.TooNewException;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the chain of records from the head to its end, and judges the end. Reads only. Not
 * thread-safe.
 *
 * <p>A record belongs to the chain if it is whole and lies where the one before it ended, with the
 * next sequence and no older run. Nor is its run older than that of the head, unless the head says
 * that it was durable: an opening writes a head with a new run before it appends. So remains are
 * found also where the record before them is not in the log any more. Let {@code e} be the sequence
 * that is missing at the end.
 *
 * <ul>
 *   <li><em>Torn tail</em>: nothing says that e was durable. A group is begun only when the one
 *       before it is durable, so e belongs to the group under way at the crash, or was never
 *       written; nobody has learned of it. Records of that group behind e may be whole; they do not
 *       count, and their run is older than that of whatever is written in their stead. The parts of
 *       a fold are of one group: if the chain ends before the last one, it ends before the first.
 *   <li><em>Damage</em>: the head, or a header anywhere in the ring, says that all sequences up to
 *       e or above were durable. So e was lost afterwards, and opening fails.
 *   <li><em>Not distinguished</em>: damage in the very last group, when there was a crash before
 *       the next group and the next head. {@link UpdateLog#seal} and close leave no such group.
 * </ul>
 *
 * <p>Headers bear the log's random salt, so bytes that a user stores never pose as one.
 */
final class LogReader {
  private static final int WINDOW_BYTES = 1 << 20;

  /** Is given each record that counts, in order. */
  interface Visitor {
    void record(RecordHeader header, @Nullable LogEntry entry) throws IOException;
  }

  /**
   * Where the chain ends.
   *
   * @param position of the end
   * @param sequence that is missing there
   * @param confirmed sequence up to which the head or a header says that all are durable
   * @param maxRun newest run of any record in the ring, whether it counts or not
   * @param isTorn whether remains of records that were never durable lie there
   */
  record End(long position, long sequence, long confirmed, long maxRun, boolean isTorn) {}

  private final ByteStore store;
  private final LogHead head;
  private final String headFlaw;
  private final ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.HEADER_BYTES);
  private String flaw = "";

  LogReader(ByteStore store, LogHead.Found found) {
    this.store = store;
    head = found.head();
    headFlaw = found.flaw();
  }

  /**
   * Reads all.
   *
   * @throws FormatException if records that were durable are missing, or cannot be understood
   */
  End read(Visitor visitor) throws IOException {
    long position = head.headPosition();
    long sequence = head.headSequence();
    long run = 0;
    WholeFolds folds = new WholeFolds(visitor);
    while (position - head.headPosition() < head.ringBytes()) {
      RecordHeader header = headerAt(position, sequence, run);
      byte[] payload = header == null ? null : payload(header);
      if (header == null || payload == null) {
        break;
      }
      folds.record(header, entry(header, payload));
      position += header.recordBytes();
      sequence = header.at().sequence() + 1;
      run = header.at().run();
    }
    End end = judge(position, sequence);
    RecordHeader cut = folds.torn();
    return cut == null
        ? end
        : new End(cut.at().position(), cut.at().sequence(), end.confirmed(), end.maxRun(), true);
  }

  private @Nullable RecordHeader headerAt(long position, long sequence, long run)
      throws IOException {
    store.read(offset(position), bytes.clear());
    flaw = RecordHeader.flaw(bytes, 0, head.salt());
    if (!flaw.isEmpty()) {
      return null;
    }
    RecordHeader header = RecordHeader.decode(bytes, 0);
    long left = head.ringBytes() - position % head.ringBytes();
    long minRun = sequence > head.forced() ? Math.max(run, head.run()) : run;
    if (header.at().sequence() != sequence) {
      flaw = "sequence=" + header.at().sequence();
    } else if (header.at().position() != position) {
      flaw = "position=" + header.at().position() + " instead of " + position;
    } else if (header.at().run() < minRun) {
      flaw = "run=" + header.at().run() + " behind run=" + minRun;
    } else if (header.recordBytes() < RecordHeader.HEADER_BYTES
        || header.recordBytes() % RecordHeader.ALIGNMENT != 0
        || header.recordBytes() > left
        || position + header.recordBytes() > head.headPosition() + head.ringBytes()) {
      flaw = "recordBytes=" + header.recordBytes();
    } else if (header.payloadBytes() < 0
        || header.payloadBytes() > header.recordBytes() - RecordHeader.HEADER_BYTES) {
      flaw = "payloadBytes=" + header.payloadBytes();
    }
    return flaw.isEmpty() ? header : null;
  }

  private byte @Nullable [] payload(RecordHeader header) throws IOException {
    ByteBuffer payload = ByteBuffer.allocate(header.payloadBytes());
    store.read(offset(header.at().position()) + RecordHeader.HEADER_BYTES, payload);
    int crc = RecordHeader.crc(payload, 0, payload.capacity());
    if (crc != header.payloadCrc()) {
      flaw =
          "payloadCrc=0x"
              + Integer.toHexString(header.payloadCrc())
              + " instead of 0x"
              + Integer.toHexString(crc);
      return null;
    }
    return payload.array();
  }

  private @Nullable LogEntry entry(RecordHeader header, byte[] payload) throws FormatException {
    String place = store + " offset=" + offset(header.at().position());
    if (header.version() > RecordHeader.VERSION) {
      throw new TooNewException(
          ErrorMessage.to("read a record of an update log")
              .value("version", header.version())
              .expected("1.." + RecordHeader.VERSION)
              .where("file", place)
              .message());
    }
    return header.kind() == RecordHeader.PADDING
        ? null
        : EntryCodec.decode(header.kind(), payload, place);
  }

  /** Searches the whole ring for a witness that the missing record was durable. */
  private End judge(long position, long missing) throws IOException {
    if (head.forced() >= missing) {
      throw damage(position, missing, "the head", head.forced());
    }
    long confirmed = head.forced();
    long maxRun = head.run();
    boolean isTorn = false;
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, head.ringBytes()));
    for (long at = 0; at < head.ringBytes(); at += window.capacity()) {
      int count = (int) Math.min(window.capacity(), head.ringBytes() - at);
      store.read(LogHead.RING_OFFSET + at, window.clear().limit(count));
      for (int i = 0; i < count; i += RecordHeader.ALIGNMENT) {
        if (RecordHeader.isLikely(window, i, head.salt())
            && RecordHeader.flaw(window, i, head.salt()).isEmpty()) {
          RecordHeader header = RecordHeader.decode(window, i);
          if (header.at().forced() >= missing) {
            String witness = "a record at offset=" + (LogHead.RING_OFFSET + at + i);
            throw damage(position, missing, witness, header.at().forced());
          }
          confirmed = Math.max(confirmed, header.at().forced());
          maxRun = Math.max(maxRun, header.at().run());
          isTorn |= header.at().sequence() >= missing;
        }
      }
    }
    return new End(position, missing, confirmed, maxRun, isTorn);
  }

  private CorruptFormatException damage(long position, long missing, String witness, long forced) {
    return new CorruptFormatException(
        ErrorMessage.to("read an update log")
            .value("missing sequence", missing)
            .value("found there", flaw.isEmpty() ? "the end of the ring" : flaw)
            .expected(
                "a whole record: "
                    + witness
                    + " says that all up to "
                    + forced
                    + " were durable"
                    + (headFlaw.isEmpty() ? "" : "; one copy of the head is damaged: " + headFlaw))
            .where("file", store)
            .offset(offset(position))
            .message());
  }

  private long offset(long position) {
    return LogHead.RING_OFFSET + position % head.ringBytes();
  }
}
