/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.core.store.ByteStore;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Makes logs, and brings them to where they were. Stateless, thread-safe. */
final class LogOpener {
  private static final int WINDOW_BYTES = 1 << 20;

  private LogOpener() {}

  /** As {@link UpdateLog#format}. */
  static void format(ByteStore store, String owner, long salt) throws IOException {
    long ringBytes =
        (store.sizeBytes() - LogHead.RING_OFFSET) / RecordHeader.ALIGNMENT * RecordHeader.ALIGNMENT;
    Checks.argument(
        ringBytes > 0,
        "make an update log",
        "sizeBytes",
        store.sizeBytes(),
        "> " + LogHead.RING_OFFSET);
    LogHead first = new LogHead(owner, salt, ringBytes, 0, 0, 0, 1, 0);
    first.write(store);
    first.next(0, 0, 1, 0).write(store);
  }

  /** As {@link UpdateLog#open}. */
  static UpdateLog.Opened open(ByteStore store, String owner, UpdateLogOptions options)
      throws IOException {
    LogHead.Found found = LogHead.read(store, owner);
    LogHead old = found.head();
    LogSpace space = new LogSpace(old.ringBytes(), options, old.headPosition());
    LogIndex index = new LogIndex(options);
    index.headMoved(old.headSequence());
    Recovered recovered = new Recovered();
    LogReader.End end =
        new LogReader(store, found)
            .read(
                (header, entry) -> {
                  recovered.add(header.at().sequence(), entry);
                  if (entry == null) {
                    space.pad(header.at().sequence(), header.recordBytes());
                  } else {
                    space.place(header.at().sequence(), header.recordBytes());
                    index.add(header.at().sequence(), entry);
                  }
                });
    recovered.torn(end.isTorn());
    writeAgain(store, old, space.positionOf(end.confirmed() + 1), end.position());
    cutOff(store, old, end);
    store.sync(0, LogHead.RING_OFFSET + old.ringBytes());
    LogHead head =
        old.next(end.maxRun() + 1, old.headPosition(), old.headSequence(), end.sequence() - 1);
    head.write(store);
    return new UpdateLog.Opened(
        new UpdateLog(store, options, head, space, index, end.sequence()), recovered);
  }

  /**
   * What counts may be in the page cache only. What a killed process has written there needs a
   * force; what the force of a process has failed for is not written by any other, unless it is
   * written again. That is the last group: all before it are confirmed. The heads, too: the next
   * one takes the place of the older copy.
   */
  private static void writeAgain(ByteStore store, LogHead old, long from, long to)
      throws IOException {
    writeAgain(store, 0, LogHead.RING_OFFSET);
    long start = from % old.ringBytes();
    long upToEnd = Math.min(to - from, old.ringBytes() - start);
    writeAgain(store, LogHead.RING_OFFSET + start, upToEnd);
    writeAgain(store, LogHead.RING_OFFSET, to - from - upToEnd);
  }

  private static void writeAgain(ByteStore store, long offset, long lengthBytes)
      throws IOException {
    ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW_BYTES, lengthBytes));
    for (long at = 0; at < lengthBytes; at += window.capacity()) {
      window.clear().limit((int) Math.min(window.capacity(), lengthBytes - at));
      store.read(offset + at, window);
      store.write(offset + at, window.flip());
    }
  }

  /**
   * What a torn header at the end lacks may be just what the header of the next record with that
   * sequence has in the same place. Should that write be torn as well, the two together would be a
   * whole header, and a record that nobody learned of would be back. A whole header is there if a
   * torn fold was cut off.
   */
  private static void cutOff(ByteStore store, LogHead old, LogReader.End end) throws IOException {
    if (end.position() - old.headPosition() < old.ringBytes()) {
      store.write(
          LogHead.RING_OFFSET + end.position() % old.ringBytes(),
          ByteBuffer.allocate(RecordHeader.HEADER_BYTES));
    }
  }
}
