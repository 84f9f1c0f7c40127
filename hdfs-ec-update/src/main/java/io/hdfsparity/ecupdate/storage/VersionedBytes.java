/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.storage.log.BlockChange;
import io.hdfsparity.ecupdate.storage.log.ChangePermit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The bytes of a replica, in layers: the file, deltas in reserved space, and the overlay of changes
 * that are in the log only. Thread-safe; no lock of it is held during I/O but the shared one that a
 * read holds.
 *
 * <p>Locks: {@code layers} is shared by those who read, and taken alone for the moment in which
 * changes pass from one layer to the next; {@code guard} guards the overlay.
 */
final class VersionedBytes {
  /** Logs a change and returns its sequence. */
  @FunctionalInterface
  interface Logger {
    long append() throws IOException;
  }

  /** Makes the overlay's record of a version. */
  @FunctionalInterface
  interface Recorder {
    BlockChange at(long version);
  }

  /**
   * What is to go to the file.
   *
   * @param upTo sequence of the last change in it
   */
  record Fold(long upTo, Overlay.ApplyPlan plan) {
    List<Patch> patches() {
      return plan.changes().stream()
          .map(change -> new Patch(change.offset(), Bytes.wrap(change.bytes())))
          .toList();
    }
  }

  /** A change that may go to reserved space. */
  record Movable(long version, ReservedDeltas.Delta delta) {}

  private static final class LengthOnly implements Base {
    private final int length;

    LengthOnly(int length) {
      this.length = length;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void read(int offset, byte[] into) {
      throw new UnsupportedOperationException("bytes are moved outside the guard");
    }

    @Override
    public void write(int offset, byte[] bytes) {
      throw new UnsupportedOperationException("bytes are moved outside the guard");
    }
  }

  private final ReplicaStore store;
  private final ReservedDeltas reserved;
  private final ReentrantReadWriteLock layers = new ReentrantReadWriteLock();
  private final ReentrantLock guard = new ReentrantLock();
  private final Condition roomier = guard.newCondition();
  private final Overlay overlay;
  private final int limitBytes;

  /** Of the overlay's records, oldest first. */
  private final ArrayDeque<Long> sequences = new ArrayDeque<>();

  /**
   * Whether changes pass from one layer to the next. Set while {@code layers} is held alone; one
   * who reads and finds it has come after an error in the middle of that.
   */
  private boolean isHandingOver;

  private long promisedBytes;
  private int waiting;
  private boolean isClosed;

  VersionedBytes(ReplicaStore store, ReservedDeltas reserved, int limitBytes) {
    this.store = store;
    this.reserved = reserved;
    this.limitBytes = limitBytes;
    ReplicaLayout layout = store.layout();
    overlay =
        new Overlay(new LengthOnly(layout.lengthBytes()), layout.chunkBytes(), Long.MAX_VALUE, 0);
  }

  /** Room for a change; to be released whether it was used or not. */
  final class Promise {
    private long bytes;

    private Promise(long bytes) {
      this.bytes = bytes;
    }

    void release() {
      guard.lock();
      try {
        promisedBytes -= bytes;
        bytes = 0;
        roomier.signalAll();
      } finally {
        guard.unlock();
      }
    }
  }

  /**
   * Waits until a change fits beside those that are not moved on. One that is larger than the limit
   * waits until there is none.
   *
   * @param onWait is called once if it has to wait, when {@link #isAwaited} says so already
   * @throws IOException if it is found not to be wanted any more while it waits; {@link
   *     #judgeWaitingAgain} makes it look
   */
  Promise promise(int bytes, Runnable onWait, ChangePermit permit)
      throws IOException, InterruptedException {
    guard.lock();
    try {
      waiting++;
      try {
        boolean isFirst = true;
        while (!isClosed && !fits(bytes)) {
          permit.check();
          if (isFirst) {
            onWait.run();
            isFirst = false;
          }
          roomier.await();
        }
      } finally {
        waiting--;
      }
      promisedBytes += bytes;
      return new Promise(bytes);
    } finally {
      guard.unlock();
    }
  }

  private boolean fits(int bytes) {
    long taken = overlay.pendingBytes() + promisedBytes;
    return taken == 0 || taken + bytes <= limitBytes;
  }

  /** Whether a change would not have to wait. */
  boolean hasRoom(int bytes) {
    guard.lock();
    try {
      return fits(bytes);
    } finally {
      guard.unlock();
    }
  }

  /** Whether somebody waits for room. */
  boolean isAwaited() {
    guard.lock();
    try {
      return waiting > 0;
    } finally {
      guard.unlock();
    }
  }

  /** Changes that wait for room may not be wanted any more: they are asked. */
  void judgeWaitingAgain() {
    guard.lock();
    try {
      roomier.signalAll();
    } finally {
      guard.unlock();
    }
  }

  /** Lets all go that wait for room; they fail at the log. */
  void close() {
    guard.lock();
    try {
      isClosed = true;
      roomier.signalAll();
    } finally {
      guard.unlock();
    }
  }

  /** Logs a change of bytes and takes it into the overlay, in one order for both. */
  long append(Logger log, Recorder recorder) throws IOException {
    guard.lock();
    try {
      long sequence = log.append();
      overlay.append(recorder.at(overlay.version() + 1));
      sequences.add(sequence);
      return sequence;
    } finally {
      guard.unlock();
    }
  }

  /** Bytes as of all changes so far. */
  byte[] read(int offset, int lengthBytes) throws IOException {
    return read(Long.MAX_VALUE, offset, lengthBytes);
  }

  /** Bytes as of a version that is pinned. */
  byte[] read(long asOf, int offset, int lengthBytes) throws IOException {
    byte[] bytes = new byte[lengthBytes];
    layers.readLock().lock();
    try {
      checkNotHandingOver();
      store.read(offset, bytes);
      reserved.addTo(offset, bytes);
      guard.lock();
      try {
        overlay.patch(asOf, offset, bytes);
      } finally {
        guard.unlock();
      }
    } finally {
      layers.readLock().unlock();
    }
    return bytes;
  }

  /**
   * A version that is pinned.
   *
   * @param sequence which must be durable before anything of it is shown; 0 if it is
   */
  record Pinned(Overlay.Pin pin, long sequence) {}

  Pinned pin() {
    guard.lock();
    try {
      return new Pinned(overlay.pin(), sequences.isEmpty() ? 0 : sequences.getLast());
    } finally {
      guard.unlock();
    }
  }

  void unpin(Pinned pinned) {
    guard.lock();
    try {
      overlay.unpin(pinned.pin());
    } finally {
      guard.unlock();
    }
  }

  /** Whether no change can be moved on, since readers have pinned what was there before. */
  boolean isHeldBack() {
    guard.lock();
    try {
      return overlay.pendingBytes() > 0 && overlay.oldestPinned() == overlay.appliedVersion();
    } finally {
      guard.unlock();
    }
  }

  /** Bytes of changes in the overlay. */
  long pendingBytes() {
    guard.lock();
    try {
      return overlay.pendingBytes();
    } finally {
      guard.unlock();
    }
  }

  /** Whether a change up to a sequence is in the overlay. */
  boolean hasPending(long upTo) {
    guard.lock();
    try {
      return !sequences.isEmpty() && sequences.getFirst() <= upTo;
    } finally {
      guard.unlock();
    }
  }

  /** Sequence of the last change that may be moved on: no older one is pinned; 0 for none. */
  long movableUpTo() {
    guard.lock();
    try {
      long count = overlay.oldestPinned() - overlay.appliedVersion();
      return count == 0 ? 0 : sequences.stream().skip(count - 1).findFirst().orElse(0L);
    } finally {
      guard.unlock();
    }
  }

  /**
   * Everything up to a sequence, reserved space included, as it is to be in the file. For the one
   * who moves changes on.
   *
   * @param upTo as {@link #movableUpTo}, durable by now
   */
  Optional<Fold> planFold(long upTo) throws IOException {
    NavigableMap<Integer, Integer> ranges;
    final long version;
    guard.lock();
    try {
      version = overlay.appliedVersion() + countUpTo(upTo);
      ranges = overlay.dirtyRanges(version);
      if (version == overlay.appliedVersion() && reserved.isEmpty()) {
        return Optional.empty();
      }
      reserved.addRanges(overlay, ranges);
    } finally {
      guard.unlock();
    }
    NavigableMap<Integer, byte[]> pieces = new TreeMap<>();
    ranges.forEach((from, to) -> pieces.put(from, new byte[to - from]));
    fill(version, pieces);
    List<BlockChange.Absolute> changes = new ArrayList<>();
    pieces.forEach((from, piece) -> changes.add(new BlockChange.Absolute(version, from, piece)));
    return Optional.of(
        new Fold(Math.max(upTo, reserved.last()), new Overlay.ApplyPlan(version, changes)));
  }

  /** As {@link #read(long, int, int)}, but opens files once for all. */
  private void fill(long asOf, NavigableMap<Integer, byte[]> pieces) throws IOException {
    layers.readLock().lock();
    try {
      checkNotHandingOver();
      store.readAll(pieces);
      reserved.addTo(pieces);
      for (Map.Entry<Integer, byte[]> piece : pieces.entrySet()) {
        // One by one: changes wait for it.
        guard.lock();
        try {
          overlay.patch(asOf, piece.getKey(), piece.getValue());
        } finally {
          guard.unlock();
        }
      }
    } finally {
      layers.readLock().unlock();
    }
  }

  private void checkNotHandingOver() throws IOException {
    if (isHandingOver) {
      throw new IOException("Cannot read bytes: an error has left them half way between layers");
    }
  }

  private long countUpTo(long upTo) {
    return sequences.stream().filter(sequence -> sequence <= upTo).count();
  }

  /** The fold is durable in the log, and the file is about to be written. */
  void beginFold(Fold fold) {
    guard.lock();
    try {
      overlay.beginApply(fold.plan());
    } finally {
      guard.unlock();
    }
  }

  /** The file has it, durably, and reserved space is void. */
  void endFold(Fold fold) {
    layers.writeLock().lock();
    guard.lock();
    try {
      isHandingOver = true;
      overlay.endApply(fold.plan());
      reserved.publishVoid();
      forget(fold.upTo());
      isHandingOver = false;
    } finally {
      guard.unlock();
      layers.writeLock().unlock();
    }
  }

  private void forget(long upTo) {
    while (!sequences.isEmpty() && sequences.getFirst() <= upTo) {
      sequences.removeFirst();
    }
    roomier.signalAll();
  }

  /** The oldest changes up to a sequence, as long as they are deltas. */
  List<Movable> movable(long upTo) {
    guard.lock();
    try {
      List<Movable> movable = new ArrayList<>();
      var sequence = sequences.iterator();
      for (BlockChange record : overlay.records()) {
        long number = sequence.next();
        if (number > upTo || !(record instanceof BlockChange.Delta)) {
          break;
        }
        movable.add(
            new Movable(
                record.version(),
                new ReservedDeltas.Delta(number, record.offset(), record.bytes())));
      }
      return movable;
    } finally {
      guard.unlock();
    }
  }

  /** Reserved space has changes, durably. */
  void moved(List<Movable> moved, List<ReservedDeltas.Entry> written) {
    Movable last = moved.get(moved.size() - 1);
    layers.writeLock().lock();
    guard.lock();
    try {
      isHandingOver = true;
      overlay.moved(last.version());
      reserved.publish(written);
      forget(last.delta().sequence());
      isHandingOver = false;
    } finally {
      guard.unlock();
      layers.writeLock().unlock();
    }
  }
}
