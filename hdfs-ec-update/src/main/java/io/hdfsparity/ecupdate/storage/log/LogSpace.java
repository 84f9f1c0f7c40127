/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.check.ErrorMessage;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Where records lie in the ring, and how much is free. Not thread-safe: guarded by the log's lock.
 * Positions count bytes since the log was made; a place in the ring is a position modulo its size.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>{@code head <= tail <= head + ringBytes};
 *   <li>at most one padding lies between head and tail, and it is shorter than the longest record:
 *       a second one would end a whole ring behind the first;
 *   <li>a change gets its room only while the records between head and tail, the rooms given, what
 *       is kept for folds and drops to come, and the reserve all fit in with a padding. Whether
 *       that lies there already or not, it counts once. So a fold and a drop always find their
 *       room, and a full log gets empty again.
 * </ul>
 */
final class LogSpace {
  private record Mark(long sequence, long position, int paddingBytes) {}

  private final long ringBytes;
  private final UpdateLogOptions options;
  private final Deque<Mark> marks = new ArrayDeque<>();
  private long head;
  private long tail;
  private long paddingBytes;
  private long roomBytes;

  LogSpace(long ringBytes, UpdateLogOptions options, long head) {
    Checks.argument(
        ringBytes >= 4L * options.maxRecordBytes() + options.reserveBytes(),
        "open an update log",
        "ringBytes",
        ringBytes,
        ">= 4 * maxRecordBytes + reserveBytes="
            + (4L * options.maxRecordBytes() + options.reserveBytes())
            + "; a log keeps its size: lower dfs.parity.ecupdate.storage.record.max.bytes again");
    this.ringBytes = ringBytes;
    this.options = options;
    this.head = head;
    tail = head;
  }

  long head() {
    return head;
  }

  long usedBytes() {
    return tail - head;
  }

  /** Of the ring that records lie in. */
  long ringBytes() {
    return ringBytes;
  }

  /** What may be taken beside the padding, there or to come. */
  private long capacityBytes() {
    return ringBytes - options.maxRecordBytes();
  }

  private long takenBytes() {
    return usedBytes() - paddingBytes + roomBytes;
  }

  /** Refuses what would wait for ever. */
  void checkCanEverFit(long bytes, long recordBytes) {
    Checks.argument(
        recordBytes <= options.maxRecordBytes(),
        "log a change",
        "recordBytes",
        recordBytes,
        "<= maxRecordBytes=" + options.maxRecordBytes());
    Checks.argument(
        bytes <= capacityBytes() - options.reserveBytes(),
        "log a change",
        "bytes with its fold",
        bytes,
        "<= room of an empty log=" + (capacityBytes() - options.reserveBytes()));
  }

  boolean fitsChange(long bytes, long keptBytes) {
    return takenBytes() + keptBytes + bytes <= capacityBytes() - options.reserveBytes();
  }

  void giveRoom(long bytes) {
    roomBytes += bytes;
  }

  void takeBackRoom(long bytes) {
    roomBytes -= bytes;
  }

  /** For snapshots: all that is not promised to changes, folds and drops. */
  void checkFitsReserve(long bytes, long keptBytes) throws LogReserveException {
    long freeBytes = capacityBytes() - takenBytes() - keptBytes;
    if (bytes > freeBytes) {
      throw new LogReserveException(
          ErrorMessage.to("append to an update log")
              .value("bytes", bytes)
              .expected(
                  "<= free bytes=" + freeBytes + ": apply folds, keep slots elsewhere, truncate")
              .message());
    }
  }

  /** For folds and drops, whose room was kept free. */
  void checkFitsKept(long bytes) {
    Checks.state(
        takenBytes() + bytes <= capacityBytes(),
        "append to an update log",
        "bytes",
        bytes,
        "<= what was kept free=" + (capacityBytes() - takenBytes()));
  }

  /** Bytes from the tail to the end of the ring if a record does not fit there, else 0. */
  int paddingBefore(int recordBytes) {
    long left = ringBytes - tail % ringBytes;
    return recordBytes <= left ? 0 : (int) left;
  }

  /** Puts a record at the tail. */
  long place(long sequence, int recordBytes) {
    return place(sequence, recordBytes, 0);
  }

  /** Puts a padding at the tail. */
  long pad(long sequence, int recordBytes) {
    return place(sequence, recordBytes, recordBytes);
  }

  private long place(long sequence, int recordBytes, int ofPadding) {
    long position = tail;
    Checks.state(
        position + recordBytes <= head + ringBytes,
        "place a record",
        "position",
        position,
        "room up to " + (head + ringBytes));
    marks.add(new Mark(sequence, position, ofPadding));
    tail += recordBytes;
    paddingBytes += ofPadding;
    return position;
  }

  /** Position of a record; the tail if there is none of that sequence or above. */
  long positionOf(long sequence) {
    for (Mark mark : marks) {
      if (mark.sequence() >= sequence) {
        return mark.position();
      }
    }
    return tail;
  }

  /** Sequence of the last record that begins before a position; 0 if there is none. */
  long lastBefore(long position) {
    long last = 0;
    for (Mark mark : marks) {
      if (mark.position() >= position) {
        break;
      }
      last = mark.sequence();
    }
    return last;
  }

  /** Releases what lies before a position. */
  void moveHead(long position) {
    while (!marks.isEmpty() && marks.getFirst().position() < position) {
      paddingBytes -= marks.removeFirst().paddingBytes();
    }
    head = position;
  }
}
