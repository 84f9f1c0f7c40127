/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.util.Optional;
import java.util.PriorityQueue;

/** Files that wait for another look. Not thread-safe; time is passed in. */
final class SetAsideFiles {
  private static final int MAX_LOOKS = 4;
  private static final long FIRST_PAUSE_MS = 2_000;

  private final int maxFiles;
  private final PriorityQueue<Entry> files = new PriorityQueue<>();

  /**
   * A file.
   *
   * @param looks at it so far
   */
  record Entry(long inodeId, int looks, long atMs) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      return Long.compare(atMs, other.atMs);
    }
  }

  SetAsideFiles(int maxFiles) {
    this.maxFiles = maxFiles;
  }

  /**
   * Sets a file aside, each time for longer.
   *
   * @param looks at it before this one
   * @return false: it was looked at often enough, or too many wait
   */
  boolean add(long inodeId, int looks, FileOutcome outcome, long nowMs) {
    if (!outcome.isPassing() || looks + 1 >= MAX_LOOKS || files.size() >= maxFiles) {
      return false;
    }
    long pauseMs = (long) (FIRST_PAUSE_MS * Math.pow(3, looks));
    return files.add(new Entry(inodeId, looks + 1, nowMs + pauseMs));
  }

  /** Takes one that has waited long enough. */
  Optional<Entry> next(long nowMs) {
    return files.isEmpty() || files.peek().atMs() > nowMs
        ? Optional.empty()
        : Optional.of(files.remove());
  }

  boolean isEmpty() {
    return files.isEmpty();
  }
}
