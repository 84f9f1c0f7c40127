/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the quickstart's cluster. A file in it says that the folder is the quickstart's, is
 * locked while one is at work, and tells whether its cluster is to be kept: so an earlier run that
 * was killed is cleared away by the next one, and nothing else ever is.
 *
 * <p><b>Invariant.</b> What this class did not make, it does not delete. Thread-safe.
 */
final class Workspace {
  private static final Logger LOG = LoggerFactory.getLogger(Workspace.class);
  private static final String MARK = "quickstart";
  private static final String AT_WORK = "at work\n";
  private static final String KEPT = "kept\n";
  private static final long CLEAR_TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long RETRY_MS = 200;
  private final Path dir;
  private final FileChannel mark;

  private Workspace(Path dir, FileChannel mark) {
    this.dir = dir;
    this.mark = mark;
  }

  /**
   * Takes the folder, which is made if there is none; clears away what a killed run has left.
   *
   * @throws QuickstartException when the folder is in use or holds something else
   */
  static Workspace take(Path dir, Consumer<String> log) throws QuickstartException {
    Path markFile = dir.resolve(MARK);
    try {
      if (Files.exists(dir) && !Files.isDirectory(dir)) {
        throw input("it is a file, expected a folder that is empty or does not exist", dir);
      }
      if (Files.isDirectory(dir) && !Files.isRegularFile(markFile) && !isEmpty(dir)) {
        throw input("it is not empty, expected a folder that is empty or does not exist", dir);
      }
      Files.createDirectories(dir);
      FileChannel mark =
          FileChannel.open(
              markFile,
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE);
      try {
        Workspace workspace = new Workspace(dir, mark);
        workspace.lock();
        workspace.clearEarlier(log);
        workspace.write(AT_WORK);
        return workspace;
      } catch (IOException | QuickstartException e) {
        mark.close();
        throw e;
      }
    } catch (IOException e) {
      throw QuickstartException.input(
          e,
          "Cannot use the folder of the cluster: %s, expected a folder that can be written, "
              + "folder=%s; take another one with --cluster-dir",
          firstLine(e),
          dir);
    }
  }

  private static boolean isEmpty(Path dir) throws IOException {
    // Not FileUtil.list, which does not tell why a folder cannot be read.
    try (Stream<Path> found = Files.list(dir)) {
      return found.findAny().isEmpty();
    }
  }

  private static QuickstartException input(String what, Path dir) {
    return QuickstartException.input(
        "Cannot use the folder of the cluster: %s, folder=%s; take another one with "
            + "--cluster-dir",
        what, dir);
  }

  private void lock() throws IOException, QuickstartException {
    try {
      if (mark.tryLock() != null) {
        return;
      }
    } catch (OverlappingFileLockException inThisJvm) {
      LOG.info("Locked in this JVM: {}", dir, inThisJvm);
    }
    throw input("another quickstart is at work in it", dir);
  }

  private void clearEarlier(Consumer<String> log) throws IOException, QuickstartException {
    ByteBuffer text = ByteBuffer.allocate(64);
    mark.read(text, 0);
    String state = new String(text.array(), 0, text.position(), StandardCharsets.UTF_8);
    if (state.equals(KEPT) && hasCluster()) {
      boolean runs = LocalCluster.open(dir).status().anyRunning();
      throw QuickstartException.input(
          "The cluster of an earlier run was kept and %s, folder=%s; end and delete it "
              + "with:\n  %s",
          runs ? "is running" : "is stopped", dir, endCommand());
    }
    if (hasCluster()) {
      log.accept("An earlier run was cut off; clearing away what it has left in " + dir);
      purge();
    }
  }

  private boolean hasCluster() {
    return Files.exists(new ClusterPaths(dir).specFile());
  }

  private void write(String state) throws IOException {
    mark.truncate(0);
    mark.write(ByteBuffer.wrap(state.getBytes(StandardCharsets.UTF_8)), 0);
    mark.force(true);
  }

  /** What ends a cluster that was kept. */
  String endCommand() {
    return "bin/hdfs-parity cluster stop --purge --dir '" + dir + "' && rm -r '" + dir + "'";
  }

  /** Leaves the cluster as it is, for the user. */
  void keep() throws IOException {
    write(KEPT);
    mark.close();
  }

  private Path logDir() {
    return new ClusterPaths(dir).logDir();
  }

  private Path savedLogDir() {
    return dir.resolveSibling(dir.getFileName() + "-logs");
  }

  /** A message in which files of logs are named where they will be. */
  String withSavedLogs(String message) {
    return message.replace(logDir().toString(), savedLogDir().toString());
  }

  /**
   * Moves the logs of the daemons out of the folder, next to it.
   *
   * @return where they are
   */
  Path saveLogs() throws IOException {
    Path saved = savedLogDir();
    Path logs = logDir();
    if (Files.isDirectory(logs)) {
      Files.createDirectories(saved);
      for (String file : FileUtil.list(logs.toFile())) {
        Files.move(logs.resolve(file), saved.resolve(file), StandardCopyOption.REPLACE_EXISTING);
      }
    }
    return saved;
  }

  /**
   * Ends every process at once: what they hold is deleted next, so there is nothing to be gained by
   * asking. What it cannot end is left to the purge that follows, which complains.
   */
  void killAll() {
    if (hasCluster()) {
      try {
        LocalCluster.open(dir).killAll();
      } catch (IOException e) {
        LOG.info("Not all were killed", e);
      }
    }
  }

  private void purge() throws IOException {
    killAll();
    LocalCluster.open(dir).purge();
  }

  /**
   * Ends all processes and deletes the folder. A start that is under way gives up first: it is
   * waited for.
   *
   * @throws IOException when it cannot be done in time; with the reason
   */
  void clear() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + CLEAR_TIMEOUT_NANOS;
    while (hasCluster()) {
      try {
        purge();
      } catch (IOException e) {
        if (System.nanoTime() - deadline > 0) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(RETRY_MS);
      }
    }
    Files.deleteIfExists(dir.resolve(MARK));
    mark.close();
    if (Files.isDirectory(dir) && isEmpty(dir)) {
      Files.delete(dir);
    }
  }
}
