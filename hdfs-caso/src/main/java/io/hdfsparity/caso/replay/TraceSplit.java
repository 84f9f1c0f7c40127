/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.replay;

import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.trace.RequestSlice;
import io.hdfsparity.caso.trace.RequestTable;

/**
 * A trace in two parts, of which the first is analysed and the second replayed (section V-A). The
 * analysis ratio is that of windows with writes; reads are replayed from the beginning of the first
 * window that is.
 *
 * @param analysed writes to analyse
 * @param replayed writes to replay
 * @param reads all reads
 * @param firstRead the first read to replay
 */
public record TraceSplit(
    TimeWindows analysed, TimeWindows replayed, RequestTable reads, int firstRead) {
  /**
   * Splits a trace.
   *
   * @param distanceTicks length of a window in ticks of 100 ns, > 0
   * @param analysisRatio 0 to 1
   */
  public static TraceSplit of(
      RequestTable writes, RequestTable reads, long distanceTicks, double analysisRatio) {
    TimeWindows windows = TimeWindows.of(writes, distanceTicks);
    int analysedCount = windows.analysed(analysisRatio);
    TimeWindows analysed = windows.slice(0, analysedCount);
    TimeWindows replayed = windows.slice(analysedCount, windows.count());
    int firstRead = 0;
    if (analysedCount > 0) {
      firstRead =
          replayed.count() == 0 ? reads.size() : reads.firstAtOrAfter(replayed.beginTicks(0));
    }
    return new TraceSplit(analysed, replayed, reads, firstRead);
  }

  /** Reads of the time that is analysed. */
  public RequestSlice analysedReads() {
    return new RequestSlice(reads, 0, firstRead);
  }

  /** Reads to replay. */
  public RequestSlice replayedReads() {
    return new RequestSlice(reads, firstRead, reads.size());
  }
}
