/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.localcluster.ClusterPaths;
import io.hdfsparity.localcluster.LiveFolder;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

/**
 * The files that hold units on all disks of a cluster, checksums left out, at one moment.
 * Immutable.
 *
 * @param units by path
 */
record UnitFiles(Map<Path, Unit> units) {
  /**
   * One of them.
   *
   * @param lengthBytes its length
   * @param modified when it was written last
   */
  record Unit(long lengthBytes, FileTime modified) {}

  UnitFiles {
    units = Map.copyOf(units);
  }

  static UnitFiles read(LocalCluster cluster) throws IOException {
    Map<Path, Unit> units = new HashMap<>();
    for (int node = 0; node < cluster.spec().nodes(); node++) {
      LiveFolder.visit(
          new ClusterPaths(cluster.dir()).diskRoot(node, 0),
          (file, attributes) -> {
            if (file.getFileName().toString().matches("blk_[-0-9]+")) {
              units.put(file, new Unit(attributes.size(), attributes.lastModifiedTime()));
            }
          });
    }
    return new UnitFiles(units);
  }

  long bytes() {
    return units.values().stream().mapToLong(Unit::lengthBytes).sum();
  }

  /** Bytes of the units that were not there, or not as they are now. */
  long writtenSince(UnitFiles earlier) {
    return units.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(earlier.units.get(entry.getKey())))
        .mapToLong(entry -> entry.getValue().lengthBytes())
        .sum();
  }

  /**
   * Requires a file of the same bytes on another node for each of one node.
   *
   * @return how many there are
   * @throws IOException when there is none for a unit, or a byte differs
   */
  int requireCopies(LocalCluster cluster, int node) throws IOException {
    Path root = new ClusterPaths(cluster.dir()).diskRoot(node, 0);
    Map<Path, Path> others = new HashMap<>();
    for (Path unit : units.keySet()) {
      if (!unit.startsWith(root)) {
        others.put(unit.getFileName(), unit);
      }
    }
    int compared = 0;
    for (Path unit : units.keySet()) {
      if (unit.startsWith(root)) {
        Path copy = others.get(unit.getFileName());
        if (copy == null || Files.mismatch(unit, copy) >= 0) {
          throw new IOException(
              "Cannot trust the rebuild: copy=" + copy + ", expected the bytes of " + unit);
        }
        compared++;
      }
    }
    return compared;
  }
}
