/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.izs.history.AccessHistory;
import io.hdfsparity.izs.history.HistoryFile;
import io.hdfsparity.izs.history.HistoryItem;
import io.hdfsparity.izs.history.HistoryRecorder;
import io.hdfsparity.izs.history.HistoryView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Moves events from the queue into the history, and the history to its file.
 *
 * <p>One thread runs {@link #run}; {@link #view} and the numbers may be asked for by any. The
 * history is guarded by this object's monitor; file and recorder are used by the one thread only,
 * so that nobody waits for the disk.
 *
 * <p>When the file cannot be written, counting goes on in memory, and each flush tries to write the
 * whole history again. So does the next flush after more happened than is gathered for the file.
 */
final class AccessCollector implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(AccessCollector.class);
  private static final int BATCH = 4096;
  private static final long MAX_WAIT_MS = 200;

  private final AccessQueue queue;
  private final AccessHistory history;
  private final HistoryFile file;
  private final HistoryRecorder recorder;
  private final BooleanSupplier active;
  private final Clock clock;
  private final long flushMs;

  private long tickNanos;
  private long flushNanos;
  private long unwrittenObservedMs;
  private long droppedAccessesSeen;
  private long droppedMovesSeen;
  private boolean fileIsBehind;
  private long evictionsSeen;
  private volatile boolean stopped;
  private volatile long counted;
  private final AtomicLong failedFlushes = new AtomicLong();
  private volatile Room room = new Room(0, 0, 0, 0);

  /**
   * How the history uses its room.
   *
   * @param entries paths kept
   * @param bytes upper bound of the heap that they take
   * @param evictions paths dropped for want of room
   * @param tooLong times that a path was too long to be kept
   */
  record Room(int entries, long bytes, long evictions, long tooLong) {}

  /**
   * @param active whether the NameNode is; a standby's time does not count as watched
   * @param flushMs between two writes
   */
  AccessCollector(
      AccessQueue queue,
      AccessHistory history,
      HistoryFile file,
      BooleanSupplier active,
      Clock clock,
      long flushMs) {
    this.queue = queue;
    this.history = history;
    this.file = file;
    this.recorder = new HistoryRecorder(history);
    this.active = active;
    this.clock = clock;
    this.flushMs = flushMs;
    this.tickNanos = clock.nanoTime();
    this.flushNanos = tickNanos;
  }

  /** Collects until {@link #stop}; what is queued then is still taken and written. */
  @Override
  public void run() {
    List<AccessEvent> events = new ArrayList<>();
    while (!stopped) {
      try {
        queue.take(events, BATCH, Math.min(MAX_WAIT_MS, flushMs));
        round(events);
      } catch (InterruptedException e) {
        LOG.debug("Interrupted; the collector ends", e);
        break;
      } catch (RuntimeException | Error e) {
        // The thread must live: a history that stops without a word would mislead.
        LOG.error("A round of the access history failed", e);
      }
      events.clear();
    }
    queue.takeAll(events);
    collect(events);
    flush();
  }

  void stop() {
    stopped = true;
  }

  private void round(List<AccessEvent> events) {
    collect(events);
    long sinceFlushMs = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - flushNanos);
    if (sinceFlushMs >= flushMs) {
      flush();
    }
  }

  private synchronized void collect(List<AccessEvent> events) {
    long nowNanos = clock.nanoTime();
    if (active.getAsBoolean()) {
      unwrittenObservedMs +=
          TimeUnit.NANOSECONDS.toMillis(nowNanos) - TimeUnit.NANOSECONDS.toMillis(tickNanos);
    }
    tickNanos = nowNanos;
    long nowMs = clock.millis();
    for (AccessEvent event : events) {
      switch (event.kind()) {
        case ACCESS -> recorder.access(event.path(), nowMs);
        case RENAME -> recorder.rename(event.path(), event.to());
        case DELETE -> recorder.delete(event.path());
      }
      counted++;
    }
    room = new Room(history.entries(), history.bytes(), history.evictions(), history.tooLong());
  }

  private void flush() {
    Optional<List<HistoryItem>> items;
    Optional<List<HistoryItem>> whole = Optional.empty();
    boolean wasBehind = fileIsBehind;
    synchronized (this) {
      recorder.watched(clock.millis(), clamped(unwrittenObservedMs), missed());
      unwrittenObservedMs = 0;
      items = recorder.taken();
      // Until it is written: whatever is thrown, the next flush writes all of it.
      fileIsBehind = true;
      boolean evicted = history.evictions() != evictionsSeen;
      evictionsSeen = history.evictions();
      if (wasBehind || evicted || items.isEmpty() || snapshotDue()) {
        whole = Optional.of(history.snapshot());
      }
    }
    flushNanos = clock.nanoTime();
    try {
      if (whole.isPresent()) {
        file.replaceBy(whole.get());
      } else {
        file.append(items.orElseThrow());
      }
      fileIsBehind = false;
    } catch (IOException | RuntimeException e) {
      if (!wasBehind) {
        LOG.error("Cannot write the access history; it continues in memory, trying again", e);
      }
      failedFlushes.incrementAndGet();
    }
  }

  private boolean snapshotDue() {
    try {
      return file.snapshotDue();
    } catch (IOException e) {
      LOG.debug("Cannot tell the size of the history; it is rewritten", e);
      return true;
    }
  }

  /**
   * What no count tells: at most all accesses that found no room in the queue were of one path; and
   * a rename that found none leaves at most the largest count under the old name.
   */
  private int missed() {
    long accesses = queue.droppedAccesses();
    long moves = queue.droppedMoves();
    long missed = accesses - droppedAccessesSeen;
    if (moves != droppedMovesSeen) {
      missed += history.largestTotal();
    }
    droppedAccessesSeen = accesses;
    droppedMovesSeen = moves;
    return clamped(missed);
  }

  private static int clamped(long value) {
    return (int) Math.min(Integer.MAX_VALUE, value);
  }

  /** What is known of some paths now. */
  synchronized HistoryView view(List<String> paths) {
    return history.view(paths, history.shape().periodOf(clock.millis()));
  }

  /** Events taken from the queue and understood. */
  long counted() {
    return counted;
  }

  /** Flushes that failed. */
  long failedFlushes() {
    return failedFlushes.get();
  }

  /** How the history used its room when events were last counted. */
  Room room() {
    return room;
  }
}
