/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What processes have done so far, as proc(5) says. Immutable.
 *
 * @param dataNodes of all DataNodes
 * @param nameNode of the NameNode
 * @param client of this process
 */
record ProcessWork(Work dataNodes, Work nameNode, Work client) {
  private static final double TICKS_A_SECOND = 100;
  private static final int USER = 11;
  private static final int SYSTEM = 12;

  /**
   * Of some processes.
   *
   * @param userSeconds of processor time outside the kernel
   * @param systemSeconds inside
   * @param compilerSeconds of it by the JVM's compilers
   * @param switches of threads that waited
   */
  record Work(double userSeconds, double systemSeconds, double compilerSeconds, double switches) {
    static final Work NONE = new Work(0, 0, 0, 0);

    Work plus(Work other) {
      return new Work(
          userSeconds + other.userSeconds,
          systemSeconds + other.systemSeconds,
          compilerSeconds + other.compilerSeconds,
          switches + other.switches);
    }

    Work minus(Work other) {
      return new Work(
          userSeconds - other.userSeconds,
          systemSeconds - other.systemSeconds,
          compilerSeconds - other.compilerSeconds,
          switches - other.switches);
    }

    double seconds() {
      return userSeconds + systemSeconds;
    }

    static Work read(Path process) throws IOException {
      String[] all = fields(Files.readString(process.resolve("stat")));
      double compilers = 0;
      double switches = 0;
      try (var threads = Files.newDirectoryStream(process.resolve("task"))) {
        for (Path thread : threads) {
          switches += switches(thread);
          compilers += compilers(thread);
        }
      }
      return new Work(seconds(all[USER]), seconds(all[SYSTEM]), compilers, switches);
    }

    /** Those behind the name, which may have blanks. */
    private static String[] fields(String stat) {
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static double seconds(String ticks) {
      return Long.parseLong(ticks) / TICKS_A_SECOND;
    }

    private static double compilers(Path thread) {
      try {
        String stat = Files.readString(thread.resolve("stat"));
        String[] fields = fields(stat);
        return stat.contains("CompilerThre") ? seconds(fields[USER]) + seconds(fields[SYSTEM]) : 0;
      } catch (IOException ended) {
        return 0;
      }
    }

    private static double switches(Path thread) {
      try {
        return Files.readAllLines(thread.resolve("status")).stream()
            .filter(line -> line.startsWith("voluntary_ctxt_switches:"))
            .mapToDouble(line -> Double.parseDouble(line.split("\\s+")[1]))
            .sum();
      } catch (IOException ended) {
        return 0;
      }
    }
  }

  static ProcessWork read(LocalCluster cluster) throws IOException {
    Work dataNodes = Work.NONE;
    Work nameNode = Work.NONE;
    for (ClusterStatus.ProcessStatus process : cluster.status().processes()) {
      if (process.pid() > 0) {
        Work work = Work.read(Path.of("/proc", Long.toString(process.pid())));
        if (process.name().startsWith("dn")) {
          dataNodes = dataNodes.plus(work);
        } else {
          nameNode = nameNode.plus(work);
        }
      }
    }
    return new ProcessWork(dataNodes, nameNode, Work.read(Path.of("/proc/self")));
  }

  ProcessWork since(ProcessWork before) {
    return new ProcessWork(
        dataNodes.minus(before.dataNodes),
        nameNode.minus(before.nameNode),
        client.minus(before.client));
  }

  /** What an update took of it. */
  Map<String, Double> figures(long updates) {
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("CPU us/update", microseconds(dataNodes.plus(nameNode).plus(client), updates));
    figures.put("DataNodes CPU us/update", microseconds(dataNodes, updates));
    figures.put("client CPU us/update", microseconds(client, updates));
    figures.put(
        "in the kernel us/update",
        (dataNodes.systemSeconds() + client.systemSeconds()) * 1e6 / updates);
    figures.put(
        "compilers CPU us/update",
        (dataNodes.compilerSeconds() + client.compilerSeconds()) * 1e6 / updates);
    figures.put("DataNodes switches/update", dataNodes.switches() / updates);
    figures.put("client switches/update", client.switches() / updates);
    return figures;
  }

  private static double microseconds(Work work, long updates) {
    return work.seconds() * 1e6 / updates;
  }
}
