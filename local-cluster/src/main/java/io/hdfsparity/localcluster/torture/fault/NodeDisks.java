/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture.fault;

import io.hdfsparity.localcluster.ClusterPaths;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file system in memory for all disks of a DataNode, whose size can be changed: one that is no
 * larger than what is stored in it is full. Needs root and a mount namespace of this program's own,
 * which ends with it. Used by one thread.
 */
final class NodeDisks {
  private static final long USUAL_BYTES = 4L << 30;

  /** A DataNode that is writing takes more between two steps; so each try leaves more room. */
  private static final int TRIES = 8;

  private static final long MORE_BYTES = 16 << 10;

  private NodeDisks() {}

  /** Makes them, before there is a cluster. */
  static void make(ClusterPaths paths, int nodes) throws IOException {
    for (int node = 0; node < nodes; node++) {
      Path disks = Files.createDirectories(disks(paths, node));
      HostCommand.run("mount -t tmpfs -o size=" + USUAL_BYTES + " tmpfs " + disks);
    }
  }

  /**
   * Leaves a node little room.
   *
   * @param roomBytes at least
   * @return bytes that its disks can hold now
   */
  static long fill(ClusterPaths paths, int node, long roomBytes) throws IOException {
    Path disks = disks(paths, node);
    FileStore store = Files.getFileStore(disks);
    for (int i = 1; ; i++) {
      long bytes =
          store.getTotalSpace() - store.getUnallocatedSpace() + roomBytes + (i - 1) * MORE_BYTES;
      try {
        resize(disks, bytes);
        return bytes;
      } catch (IOException e) {
        if (i == TRIES) {
          throw e;
        }
      }
    }
  }

  /** Gives a node its room back. */
  static void free(ClusterPaths paths, int node) throws IOException {
    resize(disks(paths, node), USUAL_BYTES);
  }

  /** Takes away those that are still there. */
  static void leave(ClusterPaths paths, int nodes) throws IOException {
    for (int node = 0; node < nodes; node++) {
      Path disks = disks(paths, node);
      if (isMounted(disks)) {
        HostCommand.run("umount " + disks);
      }
    }
  }

  private static Path disks(ClusterPaths paths, int node) {
    return paths.diskRoot(node, 0).getParent();
  }

  private static boolean isMounted(Path disks) throws IOException {
    return Files.exists(disks)
        && !Files.getFileStore(disks).equals(Files.getFileStore(disks.getParent()));
  }

  private static void resize(Path disks, long bytes) throws IOException {
    HostCommand.run("mount -o remount,size=" + bytes + " " + disks);
  }
}
