/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.caso;

import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.caso.workload.Workload;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the analysis itself takes: time of the whole default analysis, and most heap. */
final class Effort {
  private Effort() {}

  /** Of a made-up trace of the largest volume, half of it analysed. */
  static Map<String, Double> of(long requests, CodeShape code, long seed) throws IOException {
    System.gc(); // so that what was before is not counted
    List<MemoryPoolMXBean> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .toList();
    heap.forEach(MemoryPoolMXBean::resetPeakUsage);
    CasoTrace trace = CasoTrace.generated(Workload.RSRCH_0, requests, seed);
    long processorNanos = processorNanos();
    long beginNanos = System.nanoTime();
    TraceSplit split =
        TraceSplit.of(
            trace.writes(),
            trace.reads(),
            Organizer.DISTANCE_TICKS,
            CountsReport.PAPERS_PERCENT / 100.0);
    new Organizer(seed).organize(split, code.dataCells());
    Map<String, Double> figures = new TreeMap<>();
    figures.put("seconds", (System.nanoTime() - beginNanos) / 1e9);
    figures.put("processor seconds", (processorNanos() - processorNanos) / 1e9);
    double most = heap.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
    // Pools have their peaks at different times.
    figures.put("heap MB", Math.min(most, Runtime.getRuntime().maxMemory()) / 1e6);
    figures.put("requests", (double) requests);
    return figures;
  }

  private static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean process
        ? process.getProcessCpuTime()
        : 0;
  }
}
