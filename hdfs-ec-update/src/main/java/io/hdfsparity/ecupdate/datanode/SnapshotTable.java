/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.core.check.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The stock readers of a volume's striped replicas, and when decoders have last read. Thread-safe.
 */
final class SnapshotTable {
  private static final int PRUNE_ABOVE = 4096;
  private static final long NEVER_MS = Long.MIN_VALUE / 2;
  private final Clock clock;
  private final long quietMs;

  /** Who read before is not known. */
  private final long sinceMs;

  private final Map<Long, Set<Snapshot>> open = new HashMap<>();

  /** When a reader that may decode has closed a replica, or been cut off, by block. */
  private final Map<Long, Closed> closed = new HashMap<>();

  private record Closed(long byClientMs, long byDataNodeMs) {
    long latestMs() {
      return Math.max(byClientMs, byDataNodeMs);
    }
  }

  SnapshotTable(Clock clock, long quietMs) {
    this.clock = clock;
    this.quietMs = quietMs;
    sinceMs = nowMs();
  }

  private long nowMs() {
    return TimeUnit.NANOSECONDS.toMillis(clock.nanoTime());
  }

  /** A reader from now on. */
  synchronized Snapshot add(SnapshotReads.Request request, long metaBytes, SnapshotSource source) {
    Snapshot snapshot =
        new Snapshot(
            request.blockId(),
            request.caller(),
            request.lengthBytes(),
            metaBytes,
            nowMs(),
            source,
            this::remove);
    open.computeIfAbsent(request.blockId(), id -> new HashSet<>()).add(snapshot);
    return snapshot;
  }

  private synchronized void remove(Snapshot snapshot) {
    Set<Snapshot> of = open.get(snapshot.blockId());
    if (of == null || !of.remove(snapshot)) {
      return;
    }
    if (of.isEmpty()) {
      open.remove(snapshot.blockId());
    }
    note(snapshot);
  }

  private void note(Snapshot snapshot) {
    if (snapshot.caller() == ReadCaller.SCANNER || snapshot.caller() == ReadCaller.VERIFIER) {
      return; // makes nothing of what it reads
    }
    long now = nowMs();
    boolean isClient =
        snapshot.caller() == ReadCaller.CLIENT || snapshot.caller() == ReadCaller.CHECKSUM;
    Closed before = closed.getOrDefault(snapshot.blockId(), new Closed(NEVER_MS, NEVER_MS));
    closed.put(
        snapshot.blockId(),
        isClient ? new Closed(now, before.byDataNodeMs()) : new Closed(before.byClientMs(), now));
    if (closed.size() > PRUNE_ABOVE) {
      closed.values().removeIf(last -> now - last.latestMs() > quietMs);
    }
  }

  /** Readers of a block. */
  synchronized List<Snapshot> of(long blockId) {
    return List.copyOf(open.getOrDefault(blockId, Set.of()));
  }

  /** The replica of a reader is admitted. */
  void renew(Snapshot snapshot) {
    snapshot.renew(nowMs());
  }

  /** A reader was cut off: it is not waited for any more, whenever it is closed. */
  void drop(Snapshot snapshot) {
    remove(snapshot);
  }

  /** Readers that are older than an age. */
  synchronized List<Snapshot> olderThan(long ageMs) {
    long now = nowMs();
    List<Snapshot> old = new ArrayList<>();
    open.values()
        .forEach(of -> of.stream().filter(each -> now - each.sinceMs() >= ageMs).forEach(old::add));
    return old;
  }

  /** For how long changes may have waited for a reader. */
  long ageMs(Snapshot snapshot) {
    return nowMs() - snapshot.sinceMs();
  }

  /** A reader was cut off now: what it has read may be decoded still. */
  synchronized void cutOff(Snapshot snapshot) {
    note(snapshot);
  }

  /**
   * How long until nobody may decode any more with what was read of a block before it was admitted.
   */
  synchronized long untilQuietMs(long blockId, boolean isParity) {
    Closed last = closed.getOrDefault(blockId, new Closed(NEVER_MS, NEVER_MS));
    long latest = Math.max(sinceMs, isParity ? last.latestMs() : last.byDataNodeMs());
    return Math.max(0, latest + quietMs - nowMs());
  }
}
