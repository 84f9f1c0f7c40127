/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.nbd;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Keeps writes of overlapping ranges of a device apart, in the order in which they entered: each
 * begins when the earlier ones have ended. So the last one wins, also where one of them is made in
 * parts, or repeated after a failure. Others run at the same time.
 *
 * <p><b>Invariant</b>: nobody waits for a write that entered later, so the oldest one never waits.
 *
 * <p>Thread-safe.
 */
public final class RangeOrder {
  private final Set<Entry> underWay = new LinkedHashSet<>();

  /** A write that has entered. Used by one thread at a time. */
  final class Entry implements AutoCloseable {
    private final long offset;
    private final long end;
    private final List<CompletableFuture<Void>> before = new ArrayList<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();

    private Entry(long offset, long end) {
      this.offset = offset;
      this.end = end;
    }

    /** Returns when the write may begin. */
    void await() {
      before.forEach(CompletableFuture::join);
    }

    /** The write has ended, in whatever way. */
    @Override
    public void close() {
      synchronized (RangeOrder.this) {
        underWay.remove(this);
      }
      ended.complete(null);
    }
  }

  /** Enters a write, without waiting. Whoever calls this closes what it returns. */
  synchronized Entry enter(long offset, long lengthBytes) {
    Entry entry = new Entry(offset, offset + lengthBytes);
    for (Entry other : underWay) {
      if (other.offset < entry.end && entry.offset < other.end) {
        entry.before.add(other.ended);
      }
    }
    underWay.add(entry);
    return entry;
  }

  /** How many have entered, and not ended. */
  synchronized int size() {
    return underWay.size();
  }
}
