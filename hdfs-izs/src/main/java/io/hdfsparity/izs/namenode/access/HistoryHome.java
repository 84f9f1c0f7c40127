/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.namenode.access;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.izs.history.AccessHistory;
import io.hdfsparity.izs.history.HistoryFile;
import io.hdfsparity.izs.history.HistoryShape;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory of a history, which nobody else may enter (0700), since it tells who uses what: one
 * process at a time has it. A history that cannot be read on, whatever the reason, is set aside
 * under another name and a new one begun: advice then has to wait until enough is known again. Only
 * a directory that is not private, or that another process has, is refused. Not thread-safe.
 */
final class HistoryHome implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryHome.class);
  private static final String NAME = "access-history";

  private final FileChannel lock;
  private final HistoryFile file;
  private final AccessHistory history;

  private HistoryHome(FileChannel lock, HistoryFile file, AccessHistory history) {
    this.lock = lock;
    this.file = file;
    this.history = history;
  }

  /**
   * Opens or makes the history.
   *
   * @param clusterId of HDFS
   * @param nowMs for the name of a history that is set aside
   */
  static HistoryHome open(Path directory, String clusterId, HistoryShape shape, long nowMs)
      throws IOException {
    PrivateDirectory.make(directory);
    FileChannel lock = locked(directory.resolve("in_use.lock"));
    try {
      Path path = directory.resolve(NAME);
      if (Files.exists(path)) {
        AccessHistory history = new AccessHistory(shape);
        try {
          HistoryFile file = HistoryFile.open(path, clusterId, history);
          if (file.cutBytes() > 0) {
            LOG.warn("Cut off a torn end: bytes={}, file={}", file.cutBytes(), path);
          }
          return new HistoryHome(lock, file, history);
        } catch (IOException | RuntimeException e) {
          Path aside = directory.resolve(NAME + ".aside-" + nowMs);
          LOG.error("Beginning a new access history; the old one is now {}", aside, e);
          Files.move(path, aside, StandardCopyOption.ATOMIC_MOVE);
        }
      }
      return new HistoryHome(
          lock, HistoryFile.create(path, clusterId, shape.periodMs()), new AccessHistory(shape));
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static FileChannel locked(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(
            path,
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            PosixFilePermissions.asFileAttribute(HistoryFile.PRIVATE));
    @Nullable FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      LOG.debug("Locked by this process", e);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new IOException(
          ErrorMessage.to("use an access history")
              .value("lock", "held")
              .expected("a directory of its own for each NameNode, dfs.parity.izs.access.dir")
              .file(path)
              .message());
    }
    return channel;
  }

  HistoryFile file() {
    return file;
  }

  AccessHistory history() {
    return history;
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      file.close();
    }
  }
}
