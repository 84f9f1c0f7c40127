/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the machine has nothing left to do, so that what one phase of a benchmark leaves
 * behind (parity in idle mode, deletions, write-back) is not counted as the next one's.
 * Thread-safe.
 */
public final class Quiet {
  private static final long WINDOW_MS = 500;
  private static final double BUSY_SHARE = 0.1;

  /**
   * Longer than RAIDP's idle mode waits for a quiet disk, so that its parity is not still to come.
   */
  private static final int WINDOWS = 6;

  private Quiet() {}

  /**
   * Returns when all processors have been idle for three seconds.
   *
   * @return seconds until these began
   * @throws IOException when they are not within the time
   */
  public static double await(long maxSeconds) throws IOException, InterruptedException {
    long started = System.nanoTime();
    long quietSince = started;
    ProcessorTicks before = ProcessorTicks.read();
    int windows = 0;
    double share = 1;
    while (windows < WINDOWS) {
      if (System.nanoTime() - started > TimeUnit.SECONDS.toNanos(maxSeconds)) {
        throw new IOException(
            "Cannot measure: busy share of processors="
                + share
                + ", expected at most "
                + BUSY_SHARE
                + " within "
                + maxSeconds
                + " s");
      }
      if (windows == 0) {
        quietSince = System.nanoTime();
      }
      TimeUnit.MILLISECONDS.sleep(WINDOW_MS);
      ProcessorTicks now = ProcessorTicks.read();
      share = now.busyShareSince(before);
      before = now;
      windows = share <= BUSY_SHARE ? windows + 1 : 0;
    }
    return (quietSince - started) / 1e9;
  }
}
