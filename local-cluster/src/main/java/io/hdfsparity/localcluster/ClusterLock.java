/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Held while a cluster is changed, so that two commands do not start, stop or kill in each other's
 * way.
 */
final class ClusterLock implements Closeable {
  private final FileChannel channel;

  private ClusterLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Takes the lock of a cluster's folder, which is made when it is missing.
   *
   * @throws IOException when another command holds it
   */
  static ClusterLock take(ClusterPaths paths) throws IOException {
    Files.createDirectories(paths.root());
    Path file = paths.lockFile();
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean held = false;
    try {
      FileLock lock = channel.tryLock();
      held = lock != null;
    } catch (OverlappingFileLockException inThisJvm) {
      held = false;
    } finally {
      if (!held) {
        channel.close();
      }
    }
    if (!held) {
      throw new IOException(
          "Cannot change the cluster: another command is at work on it, expected the lock to be free, file="
              + file);
    }
    return new ClusterLock(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
