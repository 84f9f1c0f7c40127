/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs Hadoop's examples of MapReduce as jobs on the YARN of a cluster, each from a process of its
 * own on the class path of the daemons, as {@code bin/hdfs-parity example} does. The process ends
 * with the cluster at the latest. Thread-safe.
 */
public final class JobClient {
  private static final String EXAMPLES = "org.apache.hadoop.examples.ExampleDriver";
  private static final int LAST_LINES = 12;

  private final ClusterSpec spec;
  private final ClusterPaths paths;

  /**
   * @param cluster with YARN, running
   * @throws IllegalArgumentException when it has no YARN
   */
  public JobClient(LocalCluster cluster) {
    this.spec = cluster.spec();
    this.paths = new ClusterPaths(cluster.dir());
    if (!spec.hasYarn()) {
      throw new IllegalArgumentException(
          "Cannot run jobs: nodemanagers=0, expected 1 or more, dir=" + paths.root());
    }
  }

  /**
   * Runs an example and waits for its end.
   *
   * @param lines gets each line that it prints, as it comes
   * @param example its name, as teragen
   * @throws IOException when it fails; with the last lines that it has printed
   */
  public void run(Consumer<String> lines, String example, String... arguments)
      throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                RuntimeImage.javaCommand(),
                Processes.mark(spec.clusterId()),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Dlog4j.configuration=" + paths.log4jFile().toUri(),
                EXAMPLES,
                example));
    command.addAll(List.of(arguments));
    Path work = Files.createDirectories(paths.tmpDir("jobs"));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(work.toFile()).redirectErrorStream(true);
    builder
        .environment()
        .put(
            "CLASSPATH",
            Files.readString(paths.classPathFile()).strip()
                + File.pathSeparator
                + paths.confJar(ClusterPaths.SUITE_CLIENT));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    Process process = builder.start();
    Deque<String> last = new ArrayDeque<>();
    try (BufferedReader in = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.accept(line);
        last.add(line);
        if (last.size() > LAST_LINES) {
          last.remove();
        }
      }
      int exitCode = process.waitFor();
      if (exitCode != 0) {
        throw new IOException(
            "Cannot run the job "
                + example
                + " "
                + String.join(" ", arguments)
                + ": exit code "
                + exitCode
                + ", expected 0; its last lines:\n  "
                + String.join("\n  ", last));
      }
    } finally {
      process.destroyForcibly();
    }
  }
}
