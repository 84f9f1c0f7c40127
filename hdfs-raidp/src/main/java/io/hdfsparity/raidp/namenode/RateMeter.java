/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.ArrayDeque;

/** Bytes a second over the last seconds. Not thread-safe; time is passed in. */
final class RateMeter {
  private static final long WINDOW_MS = 10_000;

  private record Sample(long atMs, long bytes) {}

  private final ArrayDeque<Sample> samples = new ArrayDeque<>();

  void reset() {
    samples.clear();
  }

  /**
   * @param bytes done in all so far
   */
  void add(long atMs, long bytes) {
    samples.addLast(new Sample(atMs, bytes));
    while (samples.size() > 2 && samples.peekFirst().atMs() < atMs - WINDOW_MS) {
      samples.removeFirst();
    }
  }

  long bytesPerSecond() {
    if (samples.size() < 2) {
      return 0;
    }
    long ms = samples.peekLast().atMs() - samples.peekFirst().atMs();
    return ms <= 0
        ? 0
        : Math.max(0, (samples.peekLast().bytes() - samples.peekFirst().bytes()) * 1000 / ms);
  }
}
