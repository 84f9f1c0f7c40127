/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time that was used so far, as proc(5) says. Immutable.
 *
 * @param nodes of all DataNodes, in seconds
 * @param client of this process, in seconds
 */
record ProcessorTime(double nodes, double client) {
  private static final double TICKS_A_SECOND = 100;
  private static final int USER = 11;
  private static final int SYSTEM = 12;

  static ProcessorTime read(LocalCluster cluster) throws IOException {
    double nodes = 0;
    for (ClusterStatus.ProcessStatus process : cluster.status().processes()) {
      if (process.pid() > 0 && process.name().startsWith("dn")) {
        nodes += seconds(Long.toString(process.pid()));
      }
    }
    return new ProcessorTime(nodes, seconds("self"));
  }

  private static double seconds(String process) throws IOException {
    return parse(Files.readString(Path.of("/proc", process, "stat")));
  }

  /** User and system time; the name, which comes first, may have blanks. */
  static double parse(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).trim().split(" ");
    return (Long.parseLong(fields[USER]) + Long.parseLong(fields[SYSTEM])) / TICKS_A_SECOND;
  }

  ProcessorTime since(ProcessorTime earlier) {
    return new ProcessorTime(nodes - earlier.nodes, client - earlier.client);
  }
}
