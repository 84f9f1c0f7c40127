/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.izs.history.HistoryShape;
import io.hdfsparity.izs.namenode.access.AccessEvent.Kind;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Events between the handlers of the NameNode and the collector. Offering never waits and never
 * throws: what finds no room is counted.
 *
 * <p>Bounded in events and in bytes: paths of {@value #MEAN_PATH_CHARS} characters on average have
 * room. What the one thread that takes has taken last counts until it comes back for more.
 *
 * <p>Thread-safe; one thread takes.
 */
final class AccessQueue {
  private static final int MEAN_PATH_CHARS = HistoryShape.MEAN_PATH_CHARS;

  /** What an event takes beside the characters of its paths. */
  private static final int EVENT_OVERHEAD_BYTES = 128;

  private final ArrayBlockingQueue<AccessEvent> events;
  private final long maxBytes;
  private final AtomicLong bytes = new AtomicLong();
  private final LongAdder offered = new LongAdder();
  private final LongAdder droppedAccesses = new LongAdder();
  private final LongAdder droppedMoves = new LongAdder();

  private long takenBytes;

  /**
   * @param capacity maximum number of events; the limit in bytes follows from it
   */
  AccessQueue(int capacity) {
    this.events = new ArrayBlockingQueue<>(capacity);
    this.maxBytes = (long) capacity * bytesOf(MEAN_PATH_CHARS);
  }

  private static long bytesOf(int pathChars) {
    return EVENT_OVERHEAD_BYTES + (long) Character.BYTES * pathChars;
  }

  private static long bytesOf(AccessEvent event) {
    return bytesOf(event.path().length()) + (long) Character.BYTES * event.to().length();
  }

  void offer(AccessEvent event) {
    offered.increment();
    long its = bytesOf(event);
    if (bytes.addAndGet(its) > maxBytes || !events.offer(event)) {
      bytes.addAndGet(-its);
      (event.kind() == Kind.ACCESS ? droppedAccesses : droppedMoves).increment();
    }
  }

  /**
   * Waits for an event, then takes it and those behind it, so many at most. The caller is done with
   * what it took before.
   *
   * @param into an empty list
   */
  void take(List<AccessEvent> into, int atMost, long waitMs) throws InterruptedException {
    release();
    @Nullable AccessEvent first = events.poll(waitMs, TimeUnit.MILLISECONDS);
    if (first != null) {
      into.add(first);
      events.drainTo(into, atMost - 1);
    }
    takenBytes = into.stream().mapToLong(AccessQueue::bytesOf).sum();
  }

  /** Takes what is there. The caller is done with what it took before. */
  void takeAll(List<AccessEvent> into) {
    release();
    events.drainTo(into);
    takenBytes = into.stream().mapToLong(AccessQueue::bytesOf).sum();
  }

  /** Gives back the room of the events that were taken last. */
  private void release() {
    bytes.addAndGet(-takenBytes);
    takenBytes = 0;
  }

  /** Upper bound of the heap that the events take, those that were taken last among them. */
  long bytes() {
    return bytes.get();
  }

  /** Limit on that. */
  long maxBytes() {
    return maxBytes;
  }

  /** Events ever offered. */
  long offered() {
    return offered.sum();
  }

  /** Accesses that were not counted. */
  long droppedAccesses() {
    return droppedAccesses.sum();
  }

  /** Renames and deletes that the history does not know of. */
  long droppedMoves() {
    return droppedMoves.sum();
  }
}
