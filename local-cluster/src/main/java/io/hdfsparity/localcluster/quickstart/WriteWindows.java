/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.core.trace.Access;
import io.hdfsparity.core.trace.BadLines;
import io.hdfsparity.core.trace.ByteRequest;
import io.hdfsparity.core.trace.MsrTrace;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The writes of a block trace, by windows of a millisecond as {@code hdfs caso} has them.
 * Immutable.
 *
 * @param windows in order of time; each has a write
 */
record WriteWindows(List<List<ByteRequest>> windows) {
  /** A millisecond in ticks of 100 ns: the default of {@code -distance}. */
  private static final long WINDOW_TICKS = 10_000;

  WriteWindows {
    windows = windows.stream().map(List::copyOf).toList();
  }

  /**
   * Reads a trace in order of time.
   *
   * @throws IOException also for a bad line
   */
  static WriteWindows read(Path trace) throws IOException {
    List<List<ByteRequest>> windows = new ArrayList<>();
    try (InputStream in = Files.newInputStream(trace)) {
      MsrTrace requests = new MsrTrace(in, BadLines.FAIL, bad -> {});
      long last = 0;
      for (ByteRequest next = requests.next(); next != null; next = requests.next()) {
        if (next.access() != Access.WRITE) {
          continue;
        }
        long window = Math.floorDiv(next.timeTicks(), WINDOW_TICKS);
        if (windows.isEmpty() || window != last) {
          windows.add(new ArrayList<>());
          last = window;
        }
        windows.get(windows.size() - 1).add(next);
      }
    }
    return new WriteWindows(windows);
  }

  /** The half that {@code hdfs caso -ratio 0.5} has not seen. */
  WriteWindows secondHalf() {
    return new WriteWindows(windows.subList(windows.size() / 2, windows.size()));
  }

  /** How many writes. */
  long writes() {
    return windows.stream().mapToLong(List::size).sum();
  }
}
