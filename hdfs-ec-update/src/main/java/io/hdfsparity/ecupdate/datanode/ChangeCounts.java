/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Counts what HDFS does to replicas. HDFS tells hooks of it under a lock of its own, and gives an
 * answer about a replica under that lock too. So nobody may ask it while he holds a lock that a
 * hook takes: he asks before, and goes by the answer only if nothing was counted since.
 *
 * <p>Replicas share counts: a difference may be that of another one. Thread-safe.
 */
final class ChangeCounts {
  private static final int COUNTS = 1 << 10;

  private final AtomicIntegerArray counts = new AtomicIntegerArray(COUNTS);

  int of(long blockId) {
    return counts.get(index(blockId));
  }

  void add(long blockId) {
    counts.incrementAndGet(index(blockId));
  }

  private static int index(long blockId) {
    return Long.hashCode(blockId) & (COUNTS - 1);
  }
}
