/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.torture.fault.NodeHosts;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Ends a cluster and deletes what it has stored, once: when it is closed, or when the JVM ends
 * before. The logs of its daemons are kept when it is closed, unless all was right. Thread-safe.
 */
final class ClusterEnd implements Closeable {
  private static final int ATTEMPTS = 60;
  private static final long RETRY_MS = 1_000;

  private final LocalCluster cluster;
  private final NodeHosts hosts;
  private final boolean keeps;
  private final Path logDir;
  private volatile boolean isRight;
  private final Thread hook = new Thread(this::interrupted, "cluster-end");

  /**
   * Begins to watch, before the cluster is started.
   *
   * @param hosts what its DataNodes have of their own
   * @param keeps whether the cluster is left running
   * @param logDir where logs are moved to
   */
  ClusterEnd(LocalCluster cluster, NodeHosts hosts, boolean keeps, Path logDir) {
    this.cluster = cluster;
    this.hosts = hosts;
    this.keeps = keeps;
    this.logDir = logDir;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Nobody will need the logs. */
  void right() {
    isRight = true;
  }

  /** Another command may be at work on the cluster: it is waited for. */
  private void interrupted() {
    for (int attempt = 1; ; attempt++) {
      try {
        purge();
        return;
      } catch (IOException e) {
        if (attempt == ATTEMPTS) {
          System.err.println("hdfs-parity torture: " + e.getMessage());
          return;
        }
        try {
          TimeUnit.MILLISECONDS.sleep(RETRY_MS);
        } catch (InterruptedException again) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private void purge() throws IOException {
    cluster.killAll();
    hosts.leave(cluster.dir());
    cluster.purge();
  }

  @Override
  public void close() throws IOException {
    if (!keeps) {
      cluster.killAll();
      Path logs = new ClusterPaths(cluster.dir()).logDir();
      if (!isRight && Files.isDirectory(logs)) {
        Files.move(logs, logDir);
      }
      purge();
    }
    // Last: who ends the program meanwhile leaves nothing running.
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // The hook is at work.
    }
  }
}
