/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.izs.namenode.access.AccessEvent.Kind;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Events between the handlers of the NameNode and the collector. Offering never waits and never
 * throws: what finds no room is counted. Thread-safe.
 */
final class AccessQueue {
  private final ArrayBlockingQueue<AccessEvent> events;
  private final LongAdder offered = new LongAdder();
  private final LongAdder droppedAccesses = new LongAdder();
  private final LongAdder droppedMoves = new LongAdder();

  AccessQueue(int capacity) {
    this.events = new ArrayBlockingQueue<>(capacity);
  }

  void offer(AccessEvent event) {
    offered.increment();
    if (!events.offer(event)) {
      (event.kind() == Kind.ACCESS ? droppedAccesses : droppedMoves).increment();
    }
  }

  /** Waits for an event, then takes it and those behind it, so many at most. */
  void take(List<AccessEvent> into, int atMost, long waitMs) throws InterruptedException {
    @Nullable AccessEvent first = events.poll(waitMs, TimeUnit.MILLISECONDS);
    if (first != null) {
      into.add(first);
      events.drainTo(into, atMost - 1);
    }
  }

  /** Takes what is there. */
  void takeAll(List<AccessEvent> into) {
    events.drainTo(into);
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
