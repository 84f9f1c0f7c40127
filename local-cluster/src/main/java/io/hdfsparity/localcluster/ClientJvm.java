/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Programs on the class path of a cluster's daemons, each in a process of its own, as {@code
 * bin/hdfs-parity} runs them. The process ends with the cluster at the latest. Immutable.
 *
 * @param spec of the cluster
 * @param paths of the cluster
 */
record ClientJvm(ClusterSpec spec, ClusterPaths paths) {
  /**
   * A process that was not started.
   *
   * @param folder name of the one that it runs in, below the cluster's for temporary files
   * @param options of the JVM
   * @param mainClass of the program
   * @param arguments of the program
   */
  ProcessBuilder process(
      String folder, List<String> options, String mainClass, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(RuntimeImage.javaCommand());
    command.add(Processes.mark(spec.clusterId()));
    command.addAll(options);
    command.add("-XX:+UseSerialGC");
    command.add("-Dlog4j.configuration=" + paths.log4jFile().toUri());
    command.add(mainClass);
    command.addAll(arguments);
    Path work = Files.createDirectories(paths.tmpDir(folder));
    ProcessBuilder builder = new ProcessBuilder(command).directory(work.toFile());
    builder
        .environment()
        .put(
            "CLASSPATH",
            Files.readString(paths.classPathFile()).strip()
                + File.pathSeparator
                + paths.confJar(ClusterPaths.SUITE_CLIENT));
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    return builder;
  }
}
