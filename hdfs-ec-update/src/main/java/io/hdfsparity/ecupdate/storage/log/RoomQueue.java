/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Back-pressure: changes wait here for room, first come, first served. Works under the log's lock,
 * which it takes where it says so.
 */
final class RoomQueue {
  /** Refuses when the log cannot be used any more. */
  @FunctionalInterface
  interface Usable {
    void check() throws IOException;
  }

  private final ReentrantLock lock;
  private final Condition changed;
  private final LogSpace space;
  private final LogIndex index;
  private final UpdateLogOptions options;
  private final Deque<Object> waiting = new ArrayDeque<>();

  /** How often those who waited were refused, and why the last time. Under the lock. */
  private long refusals;

  private String refusal = "";

  RoomQueue(
      ReentrantLock lock,
      Condition changed,
      LogSpace space,
      LogIndex index,
      UpdateLogOptions options) {
    this.lock = lock;
    this.changed = changed;
    this.space = space;
    this.index = index;
    this.options = options;
  }

  /**
   * Takes the lock, and waits; tells once that it does.
   *
   * @throws IOException if {@link #refuseWaiting} is called meanwhile, or it is not wanted any more
   */
  LogRoom reserve(ChangeBounds bounds, Usable usable, Runnable onWait, ChangePermit permit)
      throws IOException, InterruptedException {
    int recordBytes = RecordHeader.recordBytes(bounds.payloadBytes());
    long keptBytes = LogIndex.keptBytes(options, bounds.changedBytes());
    space.checkCanEverFit(recordBytes + keptBytes, recordBytes);
    lock.lock();
    try {
      Usable refused = isRefusedSince();
      Usable both =
          () -> {
            refused.check();
            permit.check();
          };
      await(recordBytes + keptBytes, usable, onWait, both);
      space.giveRoom(recordBytes + keptBytes);
      return new LogRoom(this, recordBytes, keptBytes);
    } finally {
      lock.unlock();
    }
  }

  /** Waits until so many bytes fit and all who came before have gone. Under the lock. */
  void await(long bytes, Usable usable, Runnable onWait) throws IOException, InterruptedException {
    await(bytes, usable, onWait, () -> {});
  }

  private void await(long bytes, Usable usable, Runnable onWait, Usable mayWait)
      throws IOException, InterruptedException {
    Object me = new Object();
    waiting.add(me);
    changed.signalAll(); // whoever makes room may be waiting for this
    try {
      usable.check();
      if (!isNext(me, bytes)) {
        onWait.run();
      }
      while (!isNext(me, bytes)) {
        mayWait.check();
        changed.await();
        usable.check();
      }
    } finally {
      waiting.remove(me);
      changed.signalAll();
    }
  }

  private boolean isNext(Object me, long bytes) {
    return me.equals(waiting.peek()) && space.fitsChange(bytes, index.keptBytes());
  }

  private Usable isRefusedSince() {
    long before = refusals;
    return () -> {
      if (refusals != before) {
        throw new IOException(
            ErrorMessage.to("take a change")
                .value("room in the update log", "none")
                .expected("room that can be made: " + refusal)
                .message());
      }
    };
  }

  /** Refuses those who wait now: no room can be made. Under the lock. */
  void refuseWaiting(String why) {
    refusals++;
    refusal = why;
    changed.signalAll();
  }

  /** Whether a change would not have to wait. Under the lock. */
  boolean hasRoom(ChangeBounds bounds) {
    int recordBytes = RecordHeader.recordBytes(bounds.payloadBytes());
    long keptBytes = LogIndex.keptBytes(options, bounds.changedBytes());
    return waiting.isEmpty() && space.fitsChange(recordBytes + keptBytes, index.keptBytes());
  }

  /** How many wait. Under the lock. */
  int waiting() {
    return waiting.size();
  }

  /** Under the lock. */
  void release(LogRoom room) {
    space.takeBackRoom(room.takeBack());
    changed.signalAll();
  }

  /** Takes the lock. */
  void close(LogRoom room) {
    lock.lock();
    try {
      release(room);
    } finally {
      lock.unlock();
    }
  }
}
