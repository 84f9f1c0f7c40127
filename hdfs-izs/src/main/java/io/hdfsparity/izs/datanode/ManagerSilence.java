/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * For how long no level manager has said whether parity may be believed: in the active NameNode it
 * may be out of service for good, while that of a standby answers that it is not active. By block
 * pool, since each has an active NameNode of its own. Thread-safe.
 */
final class ManagerSilence {
  /**
   * Between two questions that belong to one silence. HDFS orders a rebuild that was refused again
   * after 5 to 10 minutes; what was asked long before says nothing of the time between.
   */
  private static final long MAX_GAP_MS = 30 * 60_000L;

  private final long waitMs;
  private final LongSupplier clockMs;
  private final Map<String, Silence> silences = new ConcurrentHashMap<>();

  /** Of the first and the last question of a silence. */
  private record Silence(long firstMs, long lastMs) {}

  /**
   * @param waitMs how long a silence has to last
   * @param clockMs a monotonic clock
   */
  ManagerSilence(long waitMs, LongSupplier clockMs) {
    this.waitMs = waitMs;
    this.clockMs = clockMs;
  }

  /** A manager has said yes or no. */
  void end(String blockPool) {
    silences.remove(blockPool);
  }

  /**
   * No manager has said yes or no.
   *
   * @return whether that has lasted long enough
   */
  boolean outlasts(String blockPool) {
    long nowMs = clockMs.getAsLong();
    Silence now =
        silences.merge(
            blockPool,
            new Silence(nowMs, nowMs),
            (before, fresh) ->
                nowMs - before.lastMs() > MAX_GAP_MS
                    ? fresh
                    : new Silence(before.firstMs(), nowMs));
    return nowMs - now.firstMs() >= waitMs;
  }
}
