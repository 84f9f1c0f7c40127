/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.raidp.config.NodeOptions;
import io.hdfsparity.raidp.config.RaidpKey;
import io.hdfsparity.raidp.config.RaidpOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.jspecify.annotations.Nullable;

/**
 * Where the disks of a DataNode and their Lstors are: as configured at its start, and as disks have
 * come by reconfiguration since. Thread-safe.
 */
final class DiskPlaces {
  private final Set<Path> lstorDirs = new CopyOnWriteArraySet<>();
  private volatile Map<Path, Place> byRoot;

  /**
   * A disk.
   *
   * @param root directly above its data directories
   * @param lstorDir directory of its Lstor
   * @param directories its data directories, at least one
   */
  record Place(Path root, Path lstorDir, List<Path> directories) {
    Place {
      directories = List.copyOf(directories);
    }
  }

  private DiskPlaces(Map<Path, Place> byRoot) {
    this.byRoot = byRoot;
    note(byRoot);
  }

  private void note(Map<Path, Place> places) {
    places.values().forEach(place -> lstorDirs.add(place.lstorDir()));
  }

  /** Directories of Lstors, also of disks that have gone since the start; a live view. */
  Set<Path> lstorDirs() {
    return lstorDirs;
  }

  /**
   * Those of a configuration.
   *
   * @throws IOException if data directories do not fit the disks' roots
   */
  static DiskPlaces of(Configuration conf, List<NodeOptions.Disk> disks) throws IOException {
    return new DiskPlaces(read(conf, disks));
  }

  /**
   * What holds for a disk that is added now. The keys that name the Lstors cannot be reconfigured
   * in Hadoop, so they are read from the files again, as Hadoop reads the data directories.
   *
   * @param live the DataNode's own, in which Hadoop has set the new data directories
   * @param files what the configuration files say now; a DataNode that was configured otherwise
   *     keeps to {@code live}
   */
  static Configuration changed(Configuration live, Configuration files) {
    Configuration now = new Configuration(live);
    String lstors = files.get(RaidpKey.LSTOR_DIRS.key());
    if (lstors != null) {
      now.set(RaidpKey.LSTOR_DIRS.key(), lstors);
      now.set(RaidpKey.DISK_ROOTS.key(), files.get(RaidpKey.DISK_ROOTS.key(), ""));
    }
    return now;
  }

  /** In the order of the configuration. */
  List<Place> all() {
    return List.copyOf(byRoot.values());
  }

  /** Roots of all disks. */
  List<Path> roots() {
    return List.copyOf(byRoot.keySet());
  }

  Optional<Place> find(@Nullable Path root) {
    return root == null ? Optional.empty() : Optional.ofNullable(byRoot.get(root));
  }

  /**
   * Takes in the place of a disk that is being added.
   *
   * @param directory its data directory
   * @param now as {@link #changed}
   * @param inService whether a disk, by its root, is in service
   * @throws IOException if the configuration names no Lstor for it, or other ones for disks that
   *     are in service; nothing has changed then
   */
  synchronized Place arrive(Path directory, Configuration now, Predicate<Path> inService)
      throws IOException {
    Map<Path, Place> wanted;
    try {
      wanted = read(now, RaidpOptions.node(now).disks());
    } catch (IOException | IllegalArgumentException e) {
      throw cannotAdd(directory, String.valueOf(e.getMessage()), e);
    }
    Place place = wanted.get(directory.getParent());
    if (place == null) {
      throw cannotAdd(directory, "disks=" + wanted.keySet() + ", expected its disk", null);
    }
    if (inService.test(place.root()) || place.directories().size() != 1) {
      throw cannotAdd(
          directory,
          "directories=" + place.directories() + ", expected a disk with one data directory",
          null);
    }
    Map<Path, Place> next = new LinkedHashMap<>(wanted);
    for (Place known : byRoot.values()) {
      if (inService.test(known.root())) {
        Place after = next.putIfAbsent(known.root(), known);
        if (after != null && !after.equals(known)) {
          throw cannotAdd(
              directory, "disk=" + after + ", expected it as it is in service: " + known, null);
        }
      }
    }
    byRoot = next;
    note(next);
    return place;
  }

  private static IOException cannotAdd(Path directory, String why, @Nullable Throwable cause) {
    return new IOException(
        "Cannot add disk: "
            + why
            + "; correct "
            + RaidpKey.LSTOR_DIRS.key()
            + " and "
            + RaidpKey.DISK_ROOTS.key()
            + " in the configuration file and reconfigure again, file="
            + directory,
        cause);
  }

  /** Data directories by the disk root that each lies directly under. */
  private static Map<Path, Place> read(Configuration conf, List<NodeOptions.Disk> disks)
      throws IOException {
    Map<Path, List<Path>> directories = new LinkedHashMap<>();
    disks.forEach(disk -> directories.put(disk.root(), new ArrayList<>()));
    for (StorageLocation location : DataNode.getStorageLocations(conf)) {
      Path directory = Path.of(location.getUri().getPath()).normalize();
      List<Path> of = directories.get(directory.getParent());
      if (of == null) {
        throw new IOException(
            "Cannot use data directory: dfs.datanode.data.dir="
                + directory
                + ", expected it directly under one of dfs.parity.raidp.disk.roots="
                + directories.keySet());
      }
      of.add(directory);
    }
    Map<Path, Place> places = new LinkedHashMap<>();
    for (NodeOptions.Disk disk : disks) {
      List<Path> own = directories.get(disk.root());
      if (own.isEmpty()) {
        throw new IOException(
            "Cannot use disk: frames=0, expected at least one entry of dfs.datanode.data.dir directly under "
                + disk.root());
      }
      places.put(disk.root(), new Place(disk.root(), disk.lstorDir(), own));
    }
    return places;
  }
}
