/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.core.check.Attempts;
import io.hdfsparity.localcluster.ClusterPaths;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A file system in memory for the disks of each DataNode, whose size can be changed. Needs the
 * right to mount. Used by one thread.
 */
final class NodeDisks implements Closeable {
  /** Memory is taken as it is used. */
  private static final long SIZE_BYTES = 4L << 30;

  /** What is left when it is full: writes begin, and fail in the middle. */
  private static final long LEFT_BYTES = 256 << 10;

  private static final int ATTEMPTS = 20;

  private final ClusterPaths paths;
  private final List<Path> mounted = new ArrayList<>();

  NodeDisks(ClusterPaths paths) {
    this.paths = paths;
  }

  private Path folder(int node) {
    return paths.diskRoot(node, 0).getParent();
  }

  /**
   * Makes them, before there is a cluster.
   *
   * @param nodes number of DataNodes
   */
  void make(int nodes) throws IOException {
    for (int node = 0; node < nodes; node++) {
      Path folder = Files.createDirectories(folder(node));
      HostCommand.run(
          List.of("mount", "-t", "tmpfs", "-o", size(SIZE_BYTES), "tmpfs", folder.toString()));
      mounted.add(folder);
    }
  }

  /**
   * Takes the free space of a node's disks away.
   *
   * @return the size that is left, in bytes
   */
  long fill(int node) throws IOException {
    Path folder = folder(node);
    for (int attempt = 1; ; attempt++) {
      FileStore store = Files.getFileStore(folder);
      long sizeBytes = store.getTotalSpace() - store.getUnallocatedSpace() + LEFT_BYTES;
      try {
        resize(folder, sizeBytes);
        return sizeBytes;
      } catch (IOException grown) {
        // A size below what is used by now is refused.
        if (attempt == ATTEMPTS) {
          throw grown;
        }
      }
    }
  }

  /** Gives it back. */
  void free(int node) throws IOException {
    resize(folder(node), SIZE_BYTES);
  }

  private static void resize(Path folder, long bytes) throws IOException {
    HostCommand.run(List.of("mount", "-o", "remount," + size(bytes), folder.toString()));
  }

  private static String size(long bytes) {
    return "size=" + bytes;
  }

  /** Ends them, with all that is in them; no process may use them any more. */
  @Override
  public void close() throws IOException {
    Attempts attempts = new Attempts();
    for (Path folder : mounted) {
      attempts.run(() -> HostCommand.run(List.of("umount", folder.toString())));
    }
    mounted.clear();
    attempts.throwFirst();
  }
}
