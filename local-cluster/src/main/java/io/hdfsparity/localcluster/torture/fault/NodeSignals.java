/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.Await;
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Stops processes of a cluster by SIGSTOP, and continues them. Used by one thread. */
final class NodeSignals {
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(30);

  /** In {@code /proc/PID/task/TID/stat}, behind the name in brackets. */
  private static final String STOPPED = " T ";

  private final LocalCluster cluster;

  NodeSignals(LocalCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * A process that is stopped. Its id is kept: the status of a cluster waits for an answer of each
   * process.
   */
  record Stopped(String name, long pid) {
    /**
     * Continues it.
     *
     * @throws IOException if it is not there
     */
    void resume() throws IOException {
      signal("CONT", name, pid);
    }
  }

  /**
   * Stops a process; returns when none of its threads runs.
   *
   * @throws IOException if it does not run, or does not stop: then it is continued
   */
  Stopped stop(String name) throws IOException {
    Stopped stopped = new Stopped(name, pid(name));
    signal("STOP", name, stopped.pid());
    Path tasks = Path.of("/proc", String.valueOf(stopped.pid()), "task");
    try {
      Await.until("stop " + name, STOP_TIMEOUT, () -> running(tasks));
      return stopped;
    } catch (IOException e) {
      try {
        stopped.resume();
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private static Optional<String> running(Path tasks) throws IOException {
    List<Path> threads;
    try (Stream<Path> list = Files.list(tasks)) {
      threads = list.toList();
    }
    for (Path thread : threads) {
      try {
        String stat = Files.readString(thread.resolve("stat"));
        if (!stat.substring(stat.lastIndexOf(')') + 1).startsWith(STOPPED)) {
          return Optional.of("thread " + thread.getFileName() + " runs");
        }
      } catch (NoSuchFileException ended) {
        return Optional.of("thread " + thread.getFileName() + " ends");
      }
    }
    return Optional.empty();
  }

  private long pid(String name) throws IOException {
    return cluster
        .status()
        .process(name)
        .map(ClusterStatus.ProcessStatus::pid)
        .filter(running -> running > 0)
        .orElseThrow(() -> new IOException("Cannot signal " + name + ": it does not run"));
  }

  private static void signal(String signal, String name, long pid) throws IOException {
    HostCommand.run("kill -" + signal + " of " + name, "kill -" + signal + " " + pid);
  }
}
