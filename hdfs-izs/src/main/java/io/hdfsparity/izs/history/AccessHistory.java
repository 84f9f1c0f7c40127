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
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Access counts of paths in memory. A file's access counts for the file and for the directory that
 * holds it (whose key ends in a slash).
 *
 * <p>Bounded: past {@code maxEntries} entries or {@link HistoryShape#maxBytes} bytes a sixteenth is
 * dropped, those with the fewest accesses in all periods kept, among equals those whose last access
 * is longest ago. The largest number so dropped is added to {@code missed}, so a reader knows by
 * how much a count may be too low.
 *
 * <p>A path that does not {@linkplain HistoryFormat#fits fit} the file is not kept, nor added to
 * {@code missed}: how often it is accessed is not known.
 *
 * <p><b>Invariants</b>: after each call at most {@code maxEntries} entries, which take at most
 * {@code maxBytes} together, and each fits the file. For every path that has always fitted, the
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
  private long bytes;
  private long newestApplied = Long.MIN_VALUE;
  private long evictions;
  private long tooLong;

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
      newestApplied = watched.period();
      observedMs.add(watched.period(), watched.observedMs());
      missed.add(watched.period(), watched.missed());
    }
  }

  private void add(HistoryItem.Counts counts) {
    newestApplied = counts.newestPeriod();
    @Nullable PeriodArray array = entries.get(counts.path());
    if (array == null) {
      array = new PeriodArray(shape.periods());
      if (!put(counts.path(), array)) {
        return;
      }
    }
    long period = counts.newestPeriod() - counts.counts().size() + 1;
    for (int count : counts.counts()) {
      array.add(period++, count);
    }
    if (entries.size() > shape.maxEntries() || bytes > shape.maxBytes()) {
      evict(String::length);
    }
  }

  /** Adds an entry where there is none; false when its path does not fit. */
  private boolean put(String path, PeriodArray array) {
    if (!HistoryFormat.fits(path)) {
      tooLong++;
      return false;
    }
    entries.put(path, array);
    bytes += shape.entryBytes(path.length());
    return true;
  }

  private void rename(String from, String to) {
    if (from.equals(to)) {
      return;
    }
    makeRoomToRename(from, to.length() - from.length());
    TreeMap<String, PeriodArray> moved = taken(from);
    delete(to);
    moved.forEach((path, array) -> put(to + path.substring(from.length()), array));
  }

  /** All at once and before it is done: renamed one by one, they could be too much together. */
  private void makeRoomToRename(String from, int growthChars) {
    long renamed = (long) below(from).size() + (entries.containsKey(from) ? 1 : 0);
    if (bytes + renamed * growthChars * Character.BYTES > shape.maxBytes()) {
      evict(
          path ->
              path.equals(from) || path.startsWith(from + "/")
                  ? path.length() + growthChars
                  : path.length());
    }
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
    Map<String, PeriodArray> below = below(path);
    taken.putAll(below);
    below.clear();
    taken.keySet().forEach(each -> bytes -= shape.entryBytes(each.length()));
    return taken;
  }

  private Map<String, PeriodArray> below(String path) {
    // '0' is the character behind '/': the range holds what starts with path + "/".
    return entries.subMap(path + "/", path + "0");
  }

  private record Candidate(String path, long total, long newest) {}

  /**
   * Drops entries till the others have room.
   *
   * @param length characters of a path, or those that it will have
   */
  private void evict(ToIntFunction<String> length) {
    long newest = Math.max(newestApplied, observedMs.newest());
    List<Candidate> candidates = new ArrayList<>(entries.size());
    long left = 0;
    for (Map.Entry<String, PeriodArray> entry : entries.entrySet()) {
      PeriodArray array = entry.getValue();
      candidates.add(
          new Candidate(entry.getKey(), array.total(shape.periods(), newest), array.newest()));
      left += shape.entryBytes(length.applyAsInt(entry.getKey()));
    }
    candidates.sort(
        Comparator.comparingLong(Candidate::total)
            .thenComparingLong(Candidate::newest)
            .thenComparing(Candidate::path));
    int toDrop =
        entries.size() > shape.maxEntries()
            ? Math.max(entries.size() - shape.maxEntries(), shape.maxEntries() / EVICTED_SHARE)
            : 0;
    long maxLeft =
        left > shape.maxBytes() ? shape.maxBytes() - shape.maxBytes() / EVICTED_SHARE : left;
    int dropped = 0;
    while (dropped < toDrop || left > maxLeft) {
      String path = candidates.get(dropped++).path();
      entries.remove(path);
      bytes -= shape.entryBytes(path.length());
      left -= shape.entryBytes(length.applyAsInt(path));
    }
    // Both watch arrays move together.
    observedMs.add(newest, 0);
    missed.add(newest, candidates.get(dropped - 1).total());
    evictions += dropped;
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

  /** Upper bound of the heap that the paths and their counts take. */
  public long bytes() {
    return bytes;
  }

  /** Entries dropped for want of room since this object was made. */
  public long evictions() {
    return evictions;
  }

  /** Times that a path did not fit the file since this object was made; its counts are lost. */
  public long tooLong() {
    return tooLong;
  }

  private static List<Integer> boxed(int[] numbers) {
    return IntStream.of(numbers).boxed().toList();
  }
}
