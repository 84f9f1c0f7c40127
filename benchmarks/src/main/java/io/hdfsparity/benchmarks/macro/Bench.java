/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.macro;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.ClusterStatus;
import io.hdfsparity.localcluster.LiveFolder;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;

/**
 * The folder in which a benchmark's clusters live, one after the other. What an interrupted run
 * left is removed when the next begins; an interrupt (SIGINT, SIGTERM) removes the running cluster.
 * Of one on which something failed the logs stay, until the next that fails. One benchmark at a
 * time uses a folder. Not thread-safe.
 */
public final class Bench implements Closeable {
  private static final String PREFIX = "cluster";

  /** Not swept. */
  private static final String FAILED_LOGS = "failed-logs";

  private static final int FAILED = 1;
  private static final int WRONG_USAGE = 2;

  /** How messages begin that tell by themselves what is wrong. */
  private static final String REFUSED = "Cannot ";

  private final Path dir;
  private final FileChannel lock;

  private Bench(Path dir, FileChannel lock) {
    this.dir = dir;
    this.lock = lock;
  }

  /** A benchmark. */
  @FunctionalInterface
  public interface Body {
    void run() throws Exception;
  }

  /**
   * Runs a benchmark as the whole of a process, which ends with exit code 2 for a bad option and
   * with 1 when it fails otherwise: a failed job leaves threads of Hadoop's clients behind, which
   * would keep it alive.
   */
  public static void runAndExit(Body body) {
    System.exit(run(body, System.err));
  }

  /**
   * Runs a benchmark.
   *
   * @param err is told what has failed; with a stack trace, unless the message says it all
   * @return the exit code
   */
  static int run(Body body, PrintStream err) {
    try {
      body.run();
      return 0;
    } catch (BadOption e) {
      err.println("hdfs-parity-bench: " + e.getMessage());
      err.println("Try: bin/hdfs-parity-bench --help");
      return WRONG_USAGE;
    } catch (InvalidPathException e) {
      err.println(
          "hdfs-parity-bench: Cannot run: path="
              + e.getInput()
              + ", expected one that the locale can write: "
              + e.getReason());
      return WRONG_USAGE;
    } catch (NoSuchFileException | FileNotFoundException e) {
      err.println("hdfs-parity-bench: Cannot run: there is no such file, file=" + e.getMessage());
    } catch (FileSystemException e) {
      err.println("hdfs-parity-bench: Cannot run: " + e);
    } catch (Exception e) {
      if (e instanceof IOException && String.valueOf(e.getMessage()).startsWith(REFUSED)) {
        err.println("hdfs-parity-bench: " + e.getMessage());
      } else {
        e.printStackTrace(err);
      }
    }
    return FAILED;
  }

  /**
   * Takes the folder.
   *
   * @throws IOException when another benchmark uses it
   */
  public static Bench open(Path dir) throws IOException {
    Files.createDirectories(dir);
    FileChannel lock =
        FileChannel.open(dir.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (lock.tryLock() == null) {
      lock.close();
      throw new IOException(
          "Cannot run: dir=" + dir + ", expected a folder that no other benchmark uses now");
    }
    Bench bench = new Bench(dir, lock);
    bench.sweep();
    return bench;
  }

  private void sweep() throws IOException {
    try (DirectoryStream<Path> left = Files.newDirectoryStream(dir, PREFIX + "*")) {
      for (Path path : left) {
        purge(path);
      }
    }
  }

  private static void purge(Path path) throws IOException {
    if (Files.exists(path.resolve("cluster.properties"))) {
      LocalCluster.open(path).purge();
    }
    LiveFolder.delete(path);
  }

  /** Scratch space of the running cluster's jobs. */
  public static Path jobDir(LocalCluster cluster) {
    return cluster.dir().resolve("job");
  }

  /** What is done with a cluster that runs. */
  @FunctionalInterface
  public interface Work<T> {
    T with(LocalCluster cluster) throws Exception;
  }

  /**
   * Starts a new cluster, does some work, and leaves nothing of it but its logs if that failed.
   *
   * @param describe adds what is particular to the cluster
   */
  public <T> T onCluster(Consumer<LocalClusterBuilder> describe, Work<T> work) throws Exception {
    Path path = Files.createTempDirectory(dir, PREFIX);
    LocalClusterBuilder builder = LocalCluster.builder(path).cacheDir(dir.resolve("cache"));
    if (Machine.ownNetwork()) {
      builder.conf("dfs.client.local.interfaces", Wire.CLIENT_ADDRESS);
    }
    describe.accept(builder);
    LocalCluster cluster = builder.build();
    Thread onInterrupt = new Thread(() -> purgeOnExit(path), "purge");
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    boolean isDone = false;
    try {
      cluster.start();
      T result = work.with(cluster);
      isDone = true;
      return result;
    } finally {
      if (!isDone) {
        keepLogs(cluster);
      }
      purge(path);
      forget(onInterrupt);
    }
  }

  /** Does not fail: what has failed before is what is to be reported. */
  private void keepLogs(LocalCluster cluster) {
    try {
      for (ClusterStatus.ProcessStatus process : cluster.status().processes()) {
        if (process.state() == ClusterStatus.ProcessState.DEAD) {
          System.err.println("hdfs-parity-bench: " + process.name() + " has ended by itself");
        }
      }
      KeptLogs.keep(new ClusterPaths(cluster.dir()).logDir(), dir.resolve(FAILED_LOGS), System.err);
    } catch (IOException | RuntimeException e) {
      System.err.println("hdfs-parity-bench: Cannot keep the logs of the cluster: " + e);
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException alreadyShuttingDown) {
      System.err.println("Interrupted: the cluster is removed");
    }
  }

  private static void purgeOnExit(Path path) {
    try {
      purge(path);
    } catch (IOException e) {
      System.err.println(
          "Cannot remove " + path + ": " + e.getMessage() + "; the next benchmark does it");
    }
  }

  @Override
  public void close() throws IOException {
    lock.close();
  }
}
