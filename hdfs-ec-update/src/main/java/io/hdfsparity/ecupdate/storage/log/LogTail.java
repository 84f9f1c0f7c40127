/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import java.util.ArrayList;
import java.util.List;

/**
 * The order of the log: gives each record its sequence and its place, and gathers the next group.
 * Guarded by the log's lock.
 */
final class LogTail {
  private final LogSpace space;
  private final LogIndex index;
  private List<GroupWriter.Pending> pending = new ArrayList<>();
  private long nextSequence;

  LogTail(LogSpace space, LogIndex index, long nextSequence) {
    this.space = space;
    this.index = index;
    this.nextSequence = nextSequence;
  }

  long nextSequence() {
    return nextSequence;
  }

  boolean isEmpty() {
    return pending.isEmpty();
  }

  /** Hands the group out; the next one begins. */
  List<GroupWriter.Pending> take() {
    List<GroupWriter.Pending> group = pending;
    pending = new ArrayList<>();
    return group;
  }

  /** Puts a record behind all others, and a padding before it if it does not fit in the ring. */
  long place(LogEntry entry, byte[] payload) {
    int recordBytes = RecordHeader.recordBytes(payload.length);
    int padding = space.paddingBefore(recordBytes);
    if (padding > 0) {
      long sequence = nextSequence++;
      add(sequence, space.pad(sequence, padding), padding, RecordHeader.PADDING, new byte[0]);
    }
    long sequence = nextSequence++;
    long position = space.place(sequence, recordBytes);
    add(sequence, position, recordBytes, EntryCodec.kind(entry), payload);
    index.add(sequence, entry);
    return sequence;
  }

  private void add(long sequence, long position, int recordBytes, int kind, byte[] payload) {
    pending.add(new GroupWriter.Pending(sequence, position, recordBytes, kind, payload));
  }
}
