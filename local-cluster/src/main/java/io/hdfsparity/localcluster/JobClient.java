/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs Hadoop's examples of MapReduce as jobs on the YARN of a cluster, each from a process of its
 * own on the class path of the daemons, as {@code bin/hdfs-parity example} does. The process ends
 * with the cluster at the latest. Thread-safe.
 */
public final class JobClient {
  private static final String EXAMPLES = "org.apache.hadoop.examples.ExampleDriver";

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
    List<String> words = new ArrayList<>(List.of(example));
    words.addAll(List.of(arguments));
    ForegroundProgram.run(
        "the job " + String.join(" ", words),
        new ClientJvm(spec, paths)
            .process("jobs", List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"), EXAMPLES, words),
        lines);
  }
}
