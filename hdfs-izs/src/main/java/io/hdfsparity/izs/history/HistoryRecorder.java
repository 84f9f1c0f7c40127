/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Applies what happens to a history at once, and gathers it for the file: accesses of a path
 * between two flushes become one item. Not thread-safe.
 */
public final class HistoryRecorder {
  /** Items from which on {@link #flushDue} asks not to wait any longer. */
  private static final int MANY_ITEMS = 50_000;

  private final AccessHistory history;
  private final List<HistoryItem> pending = new ArrayList<>();
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private long countsPeriod;

  public HistoryRecorder(AccessHistory history) {
    this.history = history;
  }

  /** A file was accessed. */
  public void access(String path, long nowMs) {
    count(path, nowMs);
    count(AccessHistory.directoryOf(path), nowMs);
  }

  private void count(String key, long nowMs) {
    long period = history.shape().periodOf(nowMs);
    if (period != countsPeriod) {
      gather();
      countsPeriod = period;
    }
    counts.merge(key, 1, Integer::sum);
    history.apply(new HistoryItem.Counts(key, period, List.of(1)));
  }

  /** A file or directory has another name. */
  public void rename(String from, String to) {
    record(new HistoryItem.Rename(from, to));
  }

  /** A file or directory is gone. */
  public void delete(String path) {
    record(new HistoryItem.Delete(path));
  }

  /**
   * Time has passed.
   *
   * @param observedMs of it in which accesses were counted
   * @param missed upper bound of the accesses of one path that were not
   */
  public void watched(long nowMs, int observedMs, int missed) {
    if (observedMs != 0 || missed != 0) {
      record(new HistoryItem.Watched(history.shape().periodOf(nowMs), observedMs, missed));
    }
  }

  private void record(HistoryItem item) {
    gather();
    pending.add(item);
    history.apply(item);
  }

  /** Keeps the order: what was counted before comes before. */
  private void gather() {
    counts.forEach(
        (path, count) -> pending.add(new HistoryItem.Counts(path, countsPeriod, List.of(count))));
    counts.clear();
  }

  /** Whether so much is gathered that it should be written. */
  public boolean flushDue() {
    return pending.size() + counts.size() >= MANY_ITEMS;
  }

  /** What happened since the last call, in order. */
  public List<HistoryItem> taken() {
    gather();
    List<HistoryItem> taken = List.copyOf(pending);
    pending.clear();
    return taken;
  }
}
