/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Files that ask for more than two replicas, and have a block with both replicas of its superchunk.
 * Soon they ask for two. One that still asks for more after an hour gets what it asks for: HDFS
 * makes a replica that is in no superchunk. Thread-safe.
 */
final class UnloweredFiles {
  /** So long a file has time to be lowered. One that is not noted for so long starts again. */
  static final long WAIT_NANOS = TimeUnit.HOURS.toNanos(1);

  /** Files that are remembered. */
  static final int MAX_FILES = 100_000;

  private final LongSupplier nanos;

  /** When a file was noted, first and last. */
  private record Span(long firstNanos, long lastNanos) {}

  /** By inode, oldest first. */
  private final Map<Long, Span> files = new LinkedHashMap<>();

  UnloweredFiles(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Notes that a file asks for more. */
  synchronized void note(long inodeId) {
    long now = nanos.getAsLong();
    Span before = files.get(inodeId);
    boolean goesOn = before != null && now - before.lastNanos() < WAIT_NANOS;
    files.put(inodeId, new Span(goesOn ? before.firstNanos() : now, now));
    bound();
  }

  /** A file is to get what it asks for now. */
  synchronized void giveNow(long inodeId) {
    long now = nanos.getAsLong();
    files.put(inodeId, new Span(now - WAIT_NANOS, now));
    bound();
  }

  private void bound() {
    if (files.size() > MAX_FILES) {
      files.remove(files.keySet().iterator().next());
    }
  }

  /** Whether a file has asked for more for long. */
  synchronized boolean isOverdue(long inodeId) {
    Span span = files.get(inodeId);
    return span != null && span.lastNanos() - span.firstNanos() >= WAIT_NANOS;
  }
}
