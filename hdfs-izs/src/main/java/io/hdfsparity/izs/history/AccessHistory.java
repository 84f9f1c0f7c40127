/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Access counts of paths in memory. A file's access counts for the file and for the directory that
 * holds it (whose key ends in a slash).
 *
 * <p>Bounded: past {@code maxEntries} a sixteenth of the entries is dropped, those with the fewest
 * accesses in all periods kept, among equals those whose last access is longest ago. The largest
 * number so dropped is added to {@code missed}, so a reader knows by how much a count may be too
 * low.
 *
 * <p><b>Invariants</b>: after each call at most {@code maxEntries} entries. For every path the
 * accesses of the kept periods lie between its count and its count plus {@code missed}.
 *
 * <p>Not thread-safe.
 */
public final class AccessHistory {
  private static final int EVICTED_SHARE = 16;

  private final HistoryShape shape;
  private final TreeMap<String, PeriodArray> entries = new TreeMap<>();
  private final PeriodArray observedMs;
  private final PeriodArray missed;
  private long evictions;

  public AccessHistory(HistoryShape shape) {
    this.shape = shape;
    this.observedMs = new PeriodArray(shape.periods());
    this.missed = new PeriodArray(shape.periods());
  }

  public HistoryShape shape() {
    return shape;
  }

  /** The directory entry that counts the accesses to files in a path's parent. */
  public static String directoryOf(String path) {
    return path.substring(0, path.lastIndexOf('/') + 1);
  }

  /** Changes the history as an item says. */
  public void apply(HistoryItem item) {
    if (item instanceof HistoryItem.Counts counts) {
      add(counts);
    } else if (item instanceof HistoryItem.Rename rename) {
      rename(rename.from(), rename.to());
    } else if (item instanceof HistoryItem.Delete delete) {
      delete(delete.path());
    } else if (item instanceof HistoryItem.Watched watched) {
      observedMs.add(watched.period(), watched.observedMs());
      missed.add(watched.period(), watched.missed());
    }
  }

  private void add(HistoryItem.Counts counts) {
    PeriodArray array =
        entries.computeIfAbsent(counts.path(), path -> new PeriodArray(shape.periods()));
    long period = counts.newestPeriod() - counts.counts().size() + 1;
    for (int count : counts.counts()) {
      array.add(period++, count);
    }
    if (entries.size() > shape.maxEntries()) {
      evict(counts.newestPeriod());
    }
  }

  private void rename(String from, String to) {
    if (from.equals(to)) {
      return;
    }
    TreeMap<String, PeriodArray> moved = taken(from);
    delete(to);
    moved.forEach((path, array) -> entries.put(to + path.substring(from.length()), array));
  }

  private void delete(String path) {
    taken(path);
  }

  /** Removes a path and all below it. */
  private TreeMap<String, PeriodArray> taken(String path) {
    TreeMap<String, PeriodArray> taken = new TreeMap<>();
    PeriodArray own = entries.remove(path);
    if (own != null) {
      taken.put(path, own);
    }
    // '0' is the character behind '/': the range holds what starts with path + "/".
    Map<String, PeriodArray> below = entries.subMap(path + "/", path + "0");
    taken.putAll(below);
    below.clear();
    return taken;
  }

  private record Candidate(String path, long total, long newest) {}

  private void evict(long period) {
    long newest = Math.max(period, observedMs.newest());
    List<Candidate> candidates = new ArrayList<>(entries.size());
    entries.forEach(
        (path, array) ->
            candidates.add(
                new Candidate(path, array.total(shape.periods(), newest), array.newest())));
    candidates.sort(
        Comparator.comparingLong(Candidate::total)
            .thenComparingLong(Candidate::newest)
            .thenComparing(Candidate::path));
    int count = Math.max(entries.size() - shape.maxEntries(), shape.maxEntries() / EVICTED_SHARE);
    for (Candidate candidate : candidates.subList(0, count)) {
      entries.remove(candidate.path());
    }
    // Both watch arrays move together.
    observedMs.add(newest, 0);
    missed.add(newest, candidates.get(count - 1).total());
    evictions += count;
  }

  /** What is known of some paths up to a period; see {@link HistoryView}. */
  public HistoryView view(List<String> paths, long newestPeriod) {
    TreeMap<String, List<Integer>> counts = new TreeMap<>();
    for (String path : paths) {
      @Nullable PeriodArray array = entries.get(path);
      if (array != null) {
        counts.put(path, boxed(array.last(shape.periods(), newestPeriod)));
      }
    }
    return new HistoryView(
        shape.periodMs(),
        newestPeriod,
        boxed(observedMs.last(shape.periods(), newestPeriod)),
        boxed(missed.last(shape.periods(), newestPeriod)),
        counts);
  }

  /** Items that make an empty history equal to this one. */
  public List<HistoryItem> snapshot() {
    List<HistoryItem> items = new ArrayList<>(entries.size() + shape.periods());
    for (int back = shape.periods() - 1; back >= 0; back--) {
      // Both arrays are added to together, so they have the same newest period.
      long period = observedMs.newest() - back;
      if (observedMs.at(period) != 0 || missed.at(period) != 0) {
        items.add(new HistoryItem.Watched(period, observedMs.at(period), missed.at(period)));
      }
    }
    entries.forEach(
        (path, array) ->
            items.add(
                new HistoryItem.Counts(
                    path, array.newest(), boxed(array.last(array.used(), array.newest())))));
    return items;
  }

  /** The most accesses that any path has in the periods kept. */
  public long largestTotal() {
    return entries.values().stream()
        .mapToLong(array -> array.total(shape.periods(), array.newest()))
        .max()
        .orElse(0);
  }

  /** Paths that are kept. */
  public int entries() {
    return entries.size();
  }

  /** Entries dropped for want of room since this object was made. */
  public long evictions() {
    return evictions;
  }

  private static List<Integer> boxed(int[] numbers) {
    return IntStream.of(numbers).boxed().toList();
  }
}
