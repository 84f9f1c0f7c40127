/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.framing.CorruptFormatException;
import io.hdfsparity.core.framing.FormatException;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Parity deltas in reserved space: to be added to the file's bytes whenever those are read, until
 * they are merged.
 *
 * <pre>
 * RECORD, on a multiple of 8 bytes, directly behind the one before
 * +------+-----+-------------------------------------------------------------------+
 * |    0 |   4 | magic "ECUR"                                                      |
 * |    4 |   4 | lengthBytes of the delta                                          |
 * |    8 |   8 | salt of the log                                                   |
 * |   16 |   8 | sequence of the change in the log; rises from record to record    |
 * |   24 |   4 | offset in the replica                                             |
 * |   28 |   4 | deltaCrc: CRC32C of the delta                                     |
 * |   32 |   4 | headerCrc: CRC32C of bytes 0 to 31                                |
 * |   36 |   4 | zero                                                              |
 * |   40 |     | delta, then zeros                                                 |
 * +------+-----+-------------------------------------------------------------------+
 * </pre>
 *
 * <p>A delta is in the log, durably, before it is written here, and leaves the log when it is
 * durable here. So a torn end is no loss: its changes are in the log still. The chain of records
 * ends at the first that is not whole, or whose sequence does not rise or is void. If it ends
 * before the sequence that the head names, that is damage: the head is written when the records are
 * durable, and the log is notified when the head is.
 *
 * <p>Merging is all or nothing: when the file has all of it, both copies of the head say so, one
 * forced after the other, since a single one may be damaged later.
 *
 * <p>{@link #publish}, {@link #publishVoid} and the reading methods need a lock that keeps the
 * former away from the latter; the writing methods are for one thread at a time.
 */
final class ReservedDeltas {
  private static final int MAGIC = 0x45435552;
  private static final int HEADER_BYTES = 40;
  private static final int HEADER_CRC = 32;
  private static final int ALIGNMENT = 8;
  private static final int WINDOW_BYTES = 1 << 20;

  /** A record: its delta begins at {@code position} of the area. */
  record Entry(long sequence, int offset, int lengthBytes, long position, int deltaCrc) {}

  /** What is to be written. */
  record Delta(long sequence, int offset, byte[] bytes) {}

  private final ReplicaKey key;
  private final long salt;
  private @Nullable ReservedArea area;
  private @Nullable ReservedHead head;

  /** When it was made, found or shrunk; the area itself may be lost by now. */
  private long sizeBytes;

  private List<Entry> entries = new ArrayList<>();
  private long endBytes;

  /** Of a replica that has none yet. */
  ReservedDeltas(ReplicaKey key, long salt) {
    this.key = key;
    this.salt = salt;
  }

  /** Bytes that a delta takes. */
  static long recordBytes(int deltaBytes) {
    return (HEADER_BYTES + (long) deltaBytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** Bytes of an area for so many bytes of records. */
  static long areaBytes(long reservedBytes) {
    return ReservedHead.RECORDS_OFFSET + reservedBytes;
  }

  /**
   * Takes an area that is not in use yet: whatever is in it does not count. There may be records in
   * it of an earlier copy of the block, with the salt of the same log.
   *
   * @param firstSequence of the first delta that will lie there: all before it are void
   */
  void format(ReservedArea fresh, long firstSequence) throws IOException {
    takeArea(fresh);
    long voidUpTo = firstSequence - 1;
    ReservedHead first = new ReservedHead(key.toString(), salt, 0, voidUpTo, voidUpTo);
    first.write(fresh);
    head = first.next(voidUpTo, voidUpTo);
    head.write(fresh);
    fresh.force();
  }

  /**
   * Takes an area that was formatted, and reads what is in it. Records that count are durable on
   * return: a process that was killed between writing and forcing, or whose force has failed, may
   * have left them in the page cache only.
   *
   * @param foldedUpTo sequence up to which the file has everything, by the log
   * @throws FormatException if durable records cannot be read
   */
  void open(ReservedArea found, long foldedUpTo) throws IOException {
    takeArea(found);
    ReservedHead newest = ReservedHead.read(found, key.toString());
    head = newest;
    if (newest.salt() != salt) {
      throw new CorruptFormatException(
          refusal().value("salt", newest.salt()).expected("that of the log, " + salt).message());
    }
    long voidUpTo = Math.max(newest.voidUpTo(), foldedUpTo);
    long last = voidUpTo;
    long position = ReservedHead.RECORDS_OFFSET;
    for (Entry entry = entryAt(position, last); entry != null; entry = entryAt(position, last)) {
      entries.add(entry);
      last = entry.sequence();
      position += recordBytes(entry.lengthBytes());
    }
    endBytes = position - ReservedHead.RECORDS_OFFSET;
    if (newest.last() > last) {
      throw new CorruptFormatException(
          refusal()
              .value("last sequence", last)
              .expected("records up to " + newest.last() + ", which were durable")
              .offset(position)
              .message());
    }
    for (Entry entry : entries) {
      if (entry.sequence() > newest.last()) {
        writeAgain(entry);
      }
    }
    found.force();
    if (last > newest.last() && !entries.isEmpty()) {
      head = newest.next(newest.voidUpTo(), last);
      head.write(found);
      found.force();
    }
  }

  /** No force would write it if that of another process had failed. */
  private void writeAgain(Entry entry) throws IOException {
    long start = entry.position() - HEADER_BYTES;
    ByteBuffer record = ByteBuffer.allocate((int) recordBytes(entry.lengthBytes()));
    area().read(start, record);
    area().write(start, record.flip());
  }

  private ErrorMessage refusal() {
    return ErrorMessage.to("read reserved space").where("replica", key);
  }

  private @Nullable Entry entryAt(long position, long before) throws IOException {
    ReservedArea from = area();
    if (position + HEADER_BYTES > sizeBytes) {
      return null;
    }
    ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    from.read(position, header);
    header.flip();
    int crc = header.getInt(HEADER_CRC);
    if (header.getInt() != MAGIC || crc != crc(header.array(), 0, HEADER_CRC)) {
      return null;
    }
    int lengthBytes = header.getInt();
    boolean isOfLog = header.getLong() == salt;
    long sequence = header.getLong();
    int offset = header.getInt();
    int deltaCrc = header.getInt();
    if (!isOfLog
        || sequence <= before
        || lengthBytes <= 0
        || position + recordBytes(lengthBytes) > sizeBytes) {
      return null;
    }
    byte[] delta = new byte[lengthBytes];
    from.read(position + HEADER_BYTES, ByteBuffer.wrap(delta));
    return crc(delta, 0, lengthBytes) == deltaCrc
        ? new Entry(sequence, offset, lengthBytes, position + HEADER_BYTES, deltaCrc)
        : null;
  }

  /** Takes an area, or the one that it has when that was made larger. */
  void takeArea(ReservedArea there) throws IOException {
    sizeBytes = there.sizeBytes();
    area = there;
  }

  boolean hasArea() {
    return area != null;
  }

  private ReservedArea area() {
    ReservedArea there = area;
    if (there == null) {
      throw new IllegalStateException("Cannot use reserved space: none is there, replica=" + key);
    }
    return there;
  }

  private ReservedHead head() {
    ReservedHead there = head;
    if (there == null) {
      throw new IllegalStateException("Cannot use reserved space: no head, replica=" + key);
    }
    return there;
  }

  /** Whether no delta lies there. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Sequence of the last delta that lies there; 0 without any. */
  long last() {
    return entries.isEmpty() ? 0 : entries.get(entries.size() - 1).sequence();
  }

  /** Bytes of records. */
  long usedBytes() {
    return endBytes;
  }

  /** Bytes for records. */
  long reservedBytes() {
    return area == null ? 0 : sizeBytes - ReservedHead.RECORDS_OFFSET;
  }

  /** Lengths of the deltas by their sequence. */
  SortedMap<Long, Integer> lengths() {
    SortedMap<Long, Integer> lengths = new TreeMap<>();
    entries.forEach(entry -> lengths.put(entry.sequence(), entry.lengthBytes()));
    return lengths;
  }

  /**
   * Adds the deltas to bytes of the file.
   *
   * @throws IOException if one does not fit its checksum: damage of the replica
   */
  void addTo(int offset, byte[] bytes) throws IOException {
    for (Entry entry : entries) {
      int from = Math.max(offset, entry.offset());
      int to = Math.min(offset + bytes.length, entry.offset() + entry.lengthBytes());
      if (from < to) {
        // All of it, for its checksum.
        byte[] delta = new byte[entry.lengthBytes()];
        area().read(entry.position(), ByteBuffer.wrap(delta));
        requireAsWritten(entry, delta, 0);
        add(delta, from - entry.offset(), bytes, from - offset, to - from);
      }
    }
  }

  /**
   * Adds the deltas to pieces of the file, none of which overlaps another. Reads the area from its
   * begin to its end, a window at a time.
   *
   * @param pieces by their place
   * @throws IOException as {@link #addTo(int, byte[])}
   */
  void addTo(NavigableMap<Integer, byte[]> pieces) throws IOException {
    byte[] window = new byte[0];
    long start = 0;
    for (Entry entry : entries) {
      boolean isChecked = false;
      Integer first = pieces.floorKey(entry.offset());
      int last = entry.offset() + entry.lengthBytes();
      for (Map.Entry<Integer, byte[]> piece :
          pieces.subMap(first == null ? entry.offset() : first, true, last, false).entrySet()) {
        int from = Math.max(piece.getKey(), entry.offset());
        int to = Math.min(piece.getKey() + piece.getValue().length, last);
        if (from < to) {
          long end = entry.position() + entry.lengthBytes();
          if (end > start + window.length) {
            start = entry.position();
            window = window(start, entry.lengthBytes());
          }
          int begin = (int) (entry.position() - start);
          if (!isChecked) {
            requireAsWritten(entry, window, begin);
            isChecked = true;
          }
          int at = begin + from - entry.offset();
          add(window, at, piece.getValue(), from - piece.getKey(), to - from);
        }
      }
    }
  }

  /** What lies from a place on, at least so many bytes of it. */
  private byte[] window(long start, int minBytes) throws IOException {
    long left = ReservedHead.RECORDS_OFFSET + endBytes - start;
    byte[] window = new byte[(int) Math.min(Math.max(minBytes, WINDOW_BYTES), left)];
    area().read(start, ByteBuffer.wrap(window));
    return window;
  }

  private void requireAsWritten(Entry entry, byte[] read, int at) throws IOException {
    int found = crc(read, at, entry.lengthBytes());
    if (found != entry.deltaCrc()) {
      throw area()
          .damaged(
              new CorruptFormatException(
                  refusal()
                      .value("deltaCrc", found)
                      .expected("that of what was written, " + entry.deltaCrc())
                      .offset(entry.position())
                      .message()));
    }
  }

  private static void add(byte[] deltas, int at, byte[] bytes, int to, int lengthBytes) {
    for (int i = 0; i < lengthBytes; i++) {
      bytes[to + i] ^= deltas[at + i];
    }
  }

  /** As {@link ReservedArea#prepareWrite}, if there is an area. */
  void prepareWrite() throws IOException {
    ReservedArea there = area;
    if (there != null) {
      there.prepareWrite();
    }
  }

  /** As {@link ReservedArea#endWrite}. */
  void endWrite() throws IOException {
    ReservedArea there = area;
    if (there != null) {
      there.endWrite();
    }
  }

  /**
   * Writes deltas behind the others, durably on return; they do not count before {@link #publish}.
   */
  List<Entry> write(List<Delta> deltas) throws IOException {
    long bytes = deltas.stream().mapToLong(delta -> recordBytes(delta.bytes().length)).sum();
    Checks.state(
        bytes > 0 && endBytes + bytes <= reservedBytes(),
        "append deltas of " + key,
        "bytes",
        bytes,
        "0 < bytes <= free bytes=" + (reservedBytes() - endBytes));
    ByteBuffer records = ByteBuffer.allocate(Math.toIntExact(bytes));
    List<Entry> written = new ArrayList<>();
    long start = ReservedHead.RECORDS_OFFSET + endBytes;
    for (Delta delta : deltas) {
      int at = records.position();
      int deltaCrc = crc(delta.bytes(), 0, delta.bytes().length);
      written.add(
          new Entry(
              delta.sequence(),
              delta.offset(),
              delta.bytes().length,
              start + at + HEADER_BYTES,
              deltaCrc));
      encode(delta, deltaCrc, records);
      records.position(at + (int) recordBytes(delta.bytes().length));
    }
    area().write(start, records.flip());
    area().force();
    // In a force of its own: a head must not outlive records that it says are durable.
    ReservedHead before = head();
    ReservedHead next = before.next(before.voidUpTo(), deltas.get(deltas.size() - 1).sequence());
    next.write(area());
    area().force();
    head = next;
    return written;
  }

  private void encode(Delta delta, int deltaCrc, ByteBuffer records) {
    int at = records.position();
    records.putInt(MAGIC).putInt(delta.bytes().length).putLong(salt).putLong(delta.sequence());
    records.putInt(delta.offset()).putInt(deltaCrc);
    byte[] header = new byte[HEADER_CRC];
    records.get(at, header);
    records.putInt(crc(header, 0, HEADER_CRC)).putInt(0).put(delta.bytes());
  }

  /** What was written counts from now on. */
  void publish(List<Entry> written) {
    entries.addAll(written);
    Entry last = written.get(written.size() - 1);
    endBytes =
        last.position()
            - HEADER_BYTES
            + recordBytes(last.lengthBytes())
            - ReservedHead.RECORDS_OFFSET;
  }

  /** The file has everything up to a sequence, durably: nothing here counts after a crash. */
  void writeVoid(long upTo) throws IOException {
    if (entries.isEmpty()) {
      return;
    }
    Checks.state(upTo >= last(), "merge deltas of " + key, "upTo", upTo, ">= last=" + last());
    voidBoth(head(), upTo);
  }

  /**
   * As {@link #writeVoid}, for a fold that a crash may have interrupted: {@link #open} has left out
   * what it has. What is there came later, after the fold was over; then nothing is left to do.
   * Else a head that is void up to there may have been read of the page cache, which alone has it.
   */
  void writeVoidAfterCrash(long upTo) throws IOException {
    ReservedHead before = head;
    if (before != null && entries.isEmpty()) {
      voidBoth(before, Math.max(upTo, before.voidUpTo()));
    }
  }

  private void voidBoth(ReservedHead before, long upTo) throws IOException {
    ReservedHead next = before;
    for (int copy = 0; copy < 2; copy++) {
      next = next.next(upTo, upTo);
      next.write(area());
      area().force();
    }
    head = next;
  }

  /** After {@link #writeVoid}. */
  void publishVoid() {
    entries = new ArrayList<>();
    endBytes = 0;
  }

  /** Gives the end of the area back. */
  void shrink(long reservedBytes) throws IOException {
    Checks.state(
        reservedBytes >= endBytes,
        "shrink reserved space of " + key,
        "reservedBytes",
        reservedBytes,
        ">= used=" + endBytes);
    area().shrink(areaBytes(reservedBytes));
    sizeBytes = Math.min(sizeBytes, areaBytes(reservedBytes));
  }

  /** Gives up an area in which nothing was written since {@link #format}. */
  void abandon() throws IOException {
    Checks.state(entries.isEmpty(), "abandon reserved space of " + key, "empty", false, "true");
    area().shrink(areaBytes(0));
    area().endWrite();
    area = null;
    head = null;
  }

  private static int crc(byte[] bytes, int offset, int lengthBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, lengthBytes);
    return (int) crc.getValue();
  }

  /** Adds what the deltas touch to ranges of an overlay. */
  void addRanges(Overlay overlay, NavigableMap<Integer, Integer> ranges) {
    entries.forEach(entry -> overlay.addRange(ranges, entry.offset(), entry.lengthBytes()));
  }
}
