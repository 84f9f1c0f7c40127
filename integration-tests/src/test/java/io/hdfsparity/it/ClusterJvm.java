/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts programs of tests as a cluster's daemons are started, by its class path of jars, which has
 * the tests too, and the archive of their classes: most of what a short program takes is the
 * loading of Hadoop.
 */
final class ClusterJvm {
  private ClusterJvm() {}

  /** What begins a command line; options of the JVM may follow, and the class. */
  static List<String> command(LocalCluster cluster) throws IOException {
    ClusterPaths paths = new ClusterPaths(cluster.dir());
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + "/bin/java");
    command.add("-cp");
    command.add(Files.readString(paths.classPathFile()).strip());
    String archive = Files.readString(paths.archiveFile()).strip();
    if (!archive.isEmpty()) {
      command.add("-XX:SharedArchiveFile=" + archive);
      command.add("-Xshare:auto");
      command.add("-Xlog:cds=off");
      command.add("-Xlog:cds+dynamic=off");
    }
    return command;
  }
}
