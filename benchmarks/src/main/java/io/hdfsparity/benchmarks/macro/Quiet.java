/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Waits until the machine has nothing left to do, so that what one phase of a benchmark leaves
 * behind (parity in idle mode, deletions, write-back) is not counted as the next one's. Reads
 * proc_stat(5); thread-safe.
 */
public final class Quiet {
  private static final Path STAT = Path.of("/proc/stat");
  private static final long WINDOW_MS = 500;
  private static final double BUSY_SHARE = 0.1;

  /**
   * Longer than RAIDP's idle mode waits for a quiet disk, so that its parity is not still to come.
   */
  private static final int WINDOWS = 6;

  /** Processor time since the start, in clock ticks. */
  record Ticks(long busy, long all) {
    /** Of the first line of /proc/stat: user nice system idle iowait irq softirq steal. */
    static Ticks of(String line) {
      String[] fields = line.trim().split("\\s+");
      long all = 0;
      long idle = 0;
      for (int i = 1; i <= 8; i++) {
        long ticks = Long.parseLong(fields[i]);
        all += ticks;
        // Waiting for a disk is not being idle.
        idle += i == 4 ? ticks : 0;
      }
      return new Ticks(all - idle, all);
    }

    double busyShareSince(Ticks before) {
      return all == before.all ? 1 : (double) (busy - before.busy) / (all - before.all);
    }
  }

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
    Ticks before = read();
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
      Ticks now = read();
      share = now.busyShareSince(before);
      before = now;
      windows = share <= BUSY_SHARE ? windows + 1 : 0;
    }
    return (quietSince - started) / 1e9;
  }

  private static Ticks read() throws IOException {
    try (var lines = Files.lines(STAT)) {
      return Ticks.of(lines.findFirst().orElseThrow());
    }
  }
}
