/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** The simulated disks of a cluster: folders, and plain files in the place of those that failed. */
final class Disks {
  private final ClusterSpec spec;
  private final ClusterPaths paths;

  Disks(ClusterSpec spec, ClusterPaths paths) {
    this.spec = spec;
    this.paths = paths;
  }

  /** Makes the roots of all disks that have not failed. */
  void make() throws IOException {
    for (ClusterStatus.DiskStatus disk : status()) {
      if (!disk.failed()) {
        Files.createDirectories(Path.of(disk.root()));
      }
    }
  }

  private void require(String action, int node, int disk) throws IOException {
    if (node < 0 || node >= spec.nodes() || disk < 0 || disk >= spec.disksPerNode()) {
      throw new IOException(
          "Cannot "
              + action
              + " the disk: disk=dn"
              + node
              + "/disk"
              + disk
              + ", expected dn0 to dn"
              + (spec.nodes() - 1)
              + " and disk0 to disk"
              + (spec.disksPerNode() - 1));
    }
  }

  /** Moves the content of a disk aside, see {@link LocalCluster#failDisk}. */
  Path fail(int node, int disk) throws IOException {
    require("fail", node, disk);
    Path root = paths.diskRoot(node, disk);
    Path aside = paths.failedDiskRoot(node, disk);
    if (Files.exists(aside)) {
      throw new IOException(
          "Cannot fail the disk: it has failed already, its content is in " + aside);
    }
    Files.move(root, aside, StandardCopyOption.ATOMIC_MOVE);
    Files.writeString(root, "This disk has failed.\n");
    return aside;
  }

  /**
   * Puts an empty disk in the place of one that has failed, see {@link LocalCluster#replaceDisk}.
   */
  void replace(int node, int disk) throws IOException {
    require("replace", node, disk);
    Path root = paths.diskRoot(node, disk);
    Path aside = paths.failedDiskRoot(node, disk);
    if (!Files.exists(aside)) {
      throw new IOException(
          "Cannot replace the disk: it has not failed, disk=" + root + "; fail it first");
    }
    if (!Files.isDirectory(root)) {
      Files.deleteIfExists(root);
      Files.createDirectories(root);
    }
    // Last: it says that the disk has failed.
    LiveFolder.delete(aside);
  }

  /** Number of disks of a node that have not failed. */
  int good(int node) {
    return (int) status().stream().filter(disk -> disk.node() == node && !disk.failed()).count();
  }

  /** Storages, that is volumes, that the DataNodes among the daemons have on good disks. */
  int storages(List<Daemon> daemons) {
    return daemons.stream()
        .filter(daemon -> daemon.role() == DaemonRole.DATANODE)
        .mapToInt(daemon -> good(daemon.node()))
        .sum();
  }

  /** Frames of RAIDP that the DataNodes among the daemons have on good disks. */
  int frames(List<Daemon> daemons) {
    return daemons.stream()
        .filter(daemon -> daemon.role() == DaemonRole.DATANODE)
        .mapToInt(daemon -> good(daemon.node()) * spec.frames().perDisk())
        .sum();
  }

  /** All disks. */
  List<ClusterStatus.DiskStatus> status() {
    List<ClusterStatus.DiskStatus> disks = new ArrayList<>();
    for (int node = 0; node < spec.nodes(); node++) {
      for (int disk = 0; disk < spec.disksPerNode(); disk++) {
        disks.add(
            new ClusterStatus.DiskStatus(
                node,
                disk,
                paths.diskRoot(node, disk).toString(),
                Files.exists(paths.failedDiskRoot(node, disk))));
      }
    }
    return List.copyOf(disks);
  }
}
