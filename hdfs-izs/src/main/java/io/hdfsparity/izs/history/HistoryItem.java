/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.history;

import java.util.List;

/** One thing that changes a history; what its file is made of. */
public sealed interface HistoryItem {
  /**
   * Accesses to add.
   *
   * @param path of a file, or of a directory with a slash at its end
   * @param newestPeriod period of the last count
   * @param counts oldest first
   */
  record Counts(String path, long newestPeriod, List<Integer> counts) implements HistoryItem {
    public Counts {
      counts = List.copyOf(counts);
    }
  }

  /** A path, and all below it, has another name now. What was at the new name is gone. */
  record Rename(String from, String to) implements HistoryItem {}

  /** A path is gone, and all below it. */
  record Delete(String path) implements HistoryItem {}

  /**
   * How well a period was watched.
   *
   * @param observedMs milliseconds to add to those in which accesses were counted
   * @param missed to add to the most accesses of one path that are not in the counts
   */
  record Watched(long period, int observedMs, int missed) implements HistoryItem {}
}
