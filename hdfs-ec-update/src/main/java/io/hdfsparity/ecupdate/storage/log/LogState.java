/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.Checks;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import java.io.IOException;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What a log has in memory: the order of its records, its room, and what is still needed. One lock
 * guards all of it and is never held during I/O. Thread-safe.
 *
 * <p>An entry is put in its place whole or the log is abandoned, in the same hold of the lock: a
 * group with a hole in it would be reported durable, and end at the hole when it is read.
 */
final class LogState {
  private final UpdateLogOptions options;
  private final DurablePoint durable;
  private final RoomQueue.Usable usable;
  private final Consumer<Throwable> onTorn;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final LogSpace space;
  private final LogIndex index;
  private final RoomQueue rooms;
  private final LogTail tail;

  /**
   * A state.
   *
   * @param usable refuses when the log cannot be used any more
   * @param onTorn gives the log up: an entry is in its place in part. Called with the lock held
   */
  LogState(
      UpdateLogOptions options,
      LogSpace space,
      LogIndex index,
      LogTail tail,
      DurablePoint durable,
      RoomQueue.Usable usable,
      Consumer<Throwable> onTorn) {
    this.options = options;
    this.space = space;
    this.index = index;
    this.tail = tail;
    this.durable = durable;
    this.usable = usable;
    this.onTorn = onTorn;
    rooms = new RoomQueue(lock, changed, space, index, options);
  }

  LogRoom reserve(ChangeBounds bounds, Runnable onWait, ChangePermit permit)
      throws IOException, InterruptedException {
    return rooms.reserve(bounds, usable, onWait, permit);
  }

  boolean hasRoom(ChangeBounds bounds) {
    return locked(() -> rooms.hasRoom(bounds));
  }

  void refuseWaiting(String why) {
    lock.lock();
    try {
      rooms.refuseWaiting(why);
    } finally {
      lock.unlock();
    }
  }

  int waitingForRoom() {
    return locked(() -> rooms.waiting());
  }

  long append(LogRoom room, SlotKey slot, LogRecord record) throws IOException {
    LogEntry.Change change = new LogEntry.Change(slot, record);
    byte[] payload = EntryCodec.encode(change);
    long keptBytes = LogIndex.keptBytes(options, LogIndex.changedBytes(record));
    int recordBytes = RecordHeader.recordBytes(payload.length);
    lock.lock();
    try {
      usable.check();
      Checks.argument(
          room.holds(recordBytes, keptBytes),
          "append a change",
          "recordBytes",
          recordBytes,
          "<= room=" + room.recordBytes() + ", with what is kept for it=" + keptBytes);
      rooms.release(room);
      return place(change, payload);
    } finally {
      lock.unlock();
    }
  }

  long snapshot(SlotKey slot, DurableSlot state) throws IOException {
    LogEntry entry = new LogEntry.Snapshot(slot, state);
    byte[] payload = EntryCodec.encode(entry);
    int recordBytes = RecordHeader.recordBytes(payload.length);
    space.checkCanEverFit(recordBytes, recordBytes);
    lock.lock();
    try {
      usable.check();
      int dropBytes = index.knows(slot.replica()) ? 0 : EntryCodec.DROPPED_RECORD_BYTES;
      space.checkFitsReserve(recordBytes + dropBytes, index.keptBytes());
      return place(entry, payload);
    } finally {
      lock.unlock();
    }
  }

  long dropped(ReplicaKey replica) throws IOException {
    LogEntry entry = new LogEntry.Dropped(replica);
    byte[] payload = EntryCodec.encode(entry);
    lock.lock();
    try {
      usable.check();
      int recordBytes = RecordHeader.recordBytes(payload.length);
      if (index.hasRecords(replica)) {
        space.checkFitsKept(recordBytes);
      } else if (rooms.waiting() > 0 || !space.fitsChange(recordBytes, index.keptBytes())) {
        index.drop(replica);
        changed.signalAll();
        return 0;
      }
      return place(entry, payload);
    } finally {
      lock.unlock();
    }
  }

  long fold(ReplicaKey replica, long upTo, List<Patch> patches) throws IOException {
    List<LogEntry.Fold> parts = FoldParts.split(replica, upTo, patches, options.maxRecordBytes());
    List<byte[]> payloads = parts.stream().map(EntryCodec::encode).toList();
    lock.lock();
    try {
      usable.check();
      index.checkMayFold(replica, upTo, durable.durable());
      space.checkFitsKept(
          payloads.stream().mapToLong(bytes -> RecordHeader.recordBytes(bytes.length)).sum());
      long last = 0;
      for (int i = 0; i < parts.size(); i++) {
        last = place(parts.get(i), payloads.get(i));
      }
      return last;
    } finally {
      lock.unlock();
    }
  }

  private long place(LogEntry entry, byte[] payload) {
    try {
      long sequence = tail.place(entry, payload);
      changed.signalAll();
      return sequence;
    } catch (RuntimeException | Error e) {
      onTorn.accept(e);
      throw e;
    }
  }

  void applied(ReplicaKey replica, long upTo) {
    lock.lock();
    try {
      index.applied(replica, upTo, durable.durable());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  void moved(ReplicaKey replica, long upTo) {
    lock.lock();
    try {
      index.moved(replica, upTo, durable.durable());
    } finally {
      lock.unlock();
    }
  }

  void adoptMoved(ReplicaKey replica, SortedMap<Long, Integer> changedBytes, Runnable onWait)
      throws IOException, InterruptedException {
    if (changedBytes.isEmpty()) {
      return;
    }
    long keptBytes =
        changedBytes.values().stream().mapToLong(options::foldBytes).sum()
            + EntryCodec.DROPPED_RECORD_BYTES;
    space.checkCanEverFit(keptBytes, 0);
    lock.lock();
    try {
      if (!index.knows(replica)) {
        rooms.await(keptBytes, usable, onWait);
      }
      index.adoptMoved(replica, changedBytes);
    } finally {
      lock.unlock();
    }
  }

  void homed(SlotKey slot, long upTo) {
    lock.lock();
    try {
      index.homed(slot, upTo, durable.durable());
    } finally {
      lock.unlock();
    }
  }

  UnfoldedReplicas holdouts(long oldestBytes) {
    return locked(() -> index.holdouts(space.lastBefore(space.head() + oldestBytes)));
  }

  /** Sequence of the first record that is needed, or of the next one that comes. */
  long firstNeeded() {
    return locked(() -> Math.min(index.firstNeeded(), tail.nextSequence()));
  }

  long positionOf(long sequence) {
    return locked(() -> space.positionOf(sequence));
  }

  long head() {
    return locked(() -> space.head());
  }

  /** Durably releases the records before one. */
  void moveHead(long position, long sequence) {
    lock.lock();
    try {
      space.moveHead(position);
      index.headMoved(sequence);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The next group. */
  List<GroupWriter.Pending> take() {
    return locked(() -> tail.take());
  }

  /** Lets all look again whether they can continue. */
  void wakeAll() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Waits, for so long, until there is something to commit or the log cannot be used any more. */
  void awaitPending(long maxMs, BooleanSupplier isUsable) throws InterruptedException {
    long leftNs = TimeUnit.MILLISECONDS.toNanos(maxMs);
    lock.lock();
    try {
      while (tail.isEmpty() && isUsable.getAsBoolean() && leftNs > 0) {
        leftNs = changed.awaitNanos(leftNs);
      }
    } finally {
      lock.unlock();
    }
  }

  long lastSequence(SlotKey slot) {
    return locked(() -> index.last(slot));
  }

  long ringBytes() {
    return locked(() -> space.ringBytes());
  }

  long usedBytes() {
    return locked(() -> space.usedBytes());
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
