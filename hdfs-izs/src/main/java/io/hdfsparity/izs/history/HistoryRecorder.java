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
import java.util.Optional;

/**
 * Applies what happens to a history at once, and gathers it for the file: accesses of a path
 * between two flushes become one item.
 *
 * <p>Bounded: what takes more than {@value #MAX_GATHERED_BYTES} bytes of heap, or does not fit the
 * file, is given up; the whole history has to be written then.
 *
 * <p>Not thread-safe.
 */
public final class HistoryRecorder {
  /** Limit on the heap of what is gathered, in bytes. */
  public static final int MAX_GATHERED_BYTES = 16 << 20;

  /** What an item takes beside the characters of its paths. */
  private static final int ITEM_OVERHEAD_BYTES = 192;

  private final AccessHistory history;
  private final List<HistoryItem> pending = new ArrayList<>();
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private long countsPeriod;
  private long gatheredBytes;
  private boolean isIncomplete;

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
    if (counts.containsKey(key) || hasRoom(key, "")) {
      counts.merge(key, 1, Integer::sum);
    }
    history.apply(new HistoryItem.Counts(key, period, List.of(1)));
  }

  /** A file or directory has another name. */
  public void rename(String from, String to) {
    record(new HistoryItem.Rename(from, to), from, to);
  }

  /** A file or directory is gone. */
  public void delete(String path) {
    record(new HistoryItem.Delete(path), path, "");
  }

  /**
   * Time has passed.
   *
   * @param observedMs of it in which accesses were counted
   * @param missed upper bound of the accesses of one path that were not
   */
  public void watched(long nowMs, int observedMs, int missed) {
    if (observedMs != 0 || missed != 0) {
      record(new HistoryItem.Watched(history.shape().periodOf(nowMs), observedMs, missed), "", "");
    }
  }

  private void record(HistoryItem item, String path, String other) {
    if (hasRoom(path, other)) {
      gather();
      pending.add(item);
    }
    history.apply(item);
  }

  /** Takes room for an item with these paths; where there is none, all that was gathered goes. */
  private boolean hasRoom(String path, String other) {
    gatheredBytes +=
        ITEM_OVERHEAD_BYTES + (long) Character.BYTES * (path.length() + other.length());
    if (gatheredBytes > MAX_GATHERED_BYTES
        || !HistoryFormat.fits(path)
        || !HistoryFormat.fits(other)) {
      isIncomplete = true;
      pending.clear();
      counts.clear();
    }
    return !isIncomplete;
  }

  /** Keeps the order: what was counted before comes before. */
  private void gather() {
    counts.forEach(
        (path, count) -> pending.add(new HistoryItem.Counts(path, countsPeriod, List.of(count))));
    counts.clear();
  }

  /**
   * What happened since the last call, in order; empty when it was too much. Then only a
   * {@linkplain AccessHistory#snapshot snapshot} has it.
   */
  public Optional<List<HistoryItem>> taken() {
    gather();
    Optional<List<HistoryItem>> taken =
        isIncomplete ? Optional.empty() : Optional.of(List.copyOf(pending));
    pending.clear();
    gatheredBytes = 0;
    isIncomplete = false;
    return taken;
  }
}
