/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Time of all processors of the machine since its start, as proc_stat(5) has it.
 *
 * @param busy ticks in which a processor worked or waited for a disk
 * @param all ticks
 */
public record ProcessorTicks(long busy, long all) {
  private static final Path STAT = Path.of("/proc/stat");

  /** USER_HZ of proc_stat(5), which is 100 on all kernels that Hadoop runs on. */
  private static final double TICKS_PER_SECOND = 100;

  /** As of now. */
  public static ProcessorTicks read() throws IOException {
    try (var lines = Files.lines(STAT)) {
      return of(lines.findFirst().orElseThrow());
    }
  }

  /** Of the first line of /proc/stat: user nice system idle iowait irq softirq steal. */
  static ProcessorTicks of(String line) {
    String[] fields = line.trim().split("\\s+");
    long all = 0;
    long idle = 0;
    for (int i = 1; i <= 8; i++) {
      long ticks = Long.parseLong(fields[i]);
      all += ticks;
      // Waiting for a disk is not being idle.
      idle += i == 4 ? ticks : 0;
    }
    return new ProcessorTicks(all - idle, all);
  }

  /** Share of the processors that was busy, 0 to 1; 1 when no tick has passed. */
  double busyShareSince(ProcessorTicks before) {
    return all == before.all ? 1 : (double) (busy - before.busy) / (all - before.all);
  }

  /** Seconds of one processor that all of them together were busy. */
  public double busySecondsSince(ProcessorTicks before) {
    return (busy - before.busy) / TICKS_PER_SECOND;
  }
}
