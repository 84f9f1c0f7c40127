/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * Where the Lstors of a cluster lie. In real life an Lstor is a device of its own next to the disk;
 * here it is a folder in memory (/dev/shm) when that has room for all of them, else a folder of the
 * cluster.
 *
 * <p>A folder in memory names the cluster's folder in a file, so that one whose cluster was removed
 * by hand is found and deleted by the next start instead of holding memory for ever.
 */
public final class LstorPlace {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final String PREFIX = "hdfs-parity-";
  private static final String OWNER_FILE = "cluster-dir";
  private static final Path MEMINFO = Path.of("/proc/meminfo");

  /** Larger Lstors lie on disk. */
  static final long MAX_IN_MEMORY_BYTES = 4L << 30;

  private static final long RING_BYTES = 16L << 20;
  private static final long TABLE_BYTES = 8L << 20;

  private LstorPlace() {}

  /** The place of a cluster, chosen at the first call and the same from then on. */
  static Path of(ClusterSpec spec, ClusterPaths paths) throws IOException {
    if (Files.exists(paths.lstorPlaceFile())) {
      Path place = Path.of(Files.readString(paths.lstorPlaceFile()).trim());
      return claim(place, paths);
    }
    removeOrphans();
    Path place = paths.root().resolve("lstor");
    if (spec.mode().hasRaidp() && roomInMemory(neededBytes(spec))) {
      place = MEMORY.resolve(PREFIX + spec.clusterId());
    }
    Files.writeString(paths.lstorPlaceFile(), place + "\n");
    return claim(place, paths);
  }

  private static Path claim(Path place, ClusterPaths paths) throws IOException {
    Files.createDirectories(place);
    Files.writeString(place.resolve(OWNER_FILE), paths.root() + "\n");
    return place;
  }

  /**
   * Bytes that all Lstors of a cluster take when full: parity of data and checksums, redo ring and
   * tables.
   */
  public static long neededBytes(ClusterSpec spec) {
    long lstorBytes =
        spec.frames().frameBytes() + spec.frames().frameBytes() / 64 + RING_BYTES + TABLE_BYTES;
    return lstorBytes * spec.nodes() * spec.disksPerNode();
  }

  /** Whether Lstors of so many bytes are kept in memory. */
  public static boolean roomInMemory(long neededBytes) throws IOException {
    if (!Files.isDirectory(MEMORY) || !Files.isWritable(MEMORY)) {
      return false;
    }
    long memoryBytes = availableMemoryBytes().orElse(0);
    long roomBytes = Math.min(Files.getFileStore(MEMORY).getUsableSpace(), memoryBytes);
    // Half of it: the page cache and the daemons need memory too. And no more than a limit, as
    // several clusters that start at one moment all find the same room.
    return neededBytes <= Math.min(MAX_IN_MEMORY_BYTES, roomBytes / 2);
  }

  /**
   * Memory that programs can have without others being pushed out; nothing where the system does
   * not tell.
   */
  public static OptionalLong availableMemoryBytes() throws IOException {
    if (!Files.exists(MEMINFO)) {
      return OptionalLong.empty();
    }
    return Files.readAllLines(MEMINFO).stream()
        .filter(line -> line.startsWith("MemAvailable:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .findFirst();
  }

  /** Deletes the Lstors of a cluster. */
  static void remove(ClusterPaths paths) throws IOException {
    if (Files.exists(paths.lstorPlaceFile())) {
      LiveFolder.delete(Path.of(Files.readString(paths.lstorPlaceFile()).trim()));
    }
  }

  private static void removeOrphans() throws IOException {
    if (!Files.isDirectory(MEMORY)) {
      return;
    }
    try (DirectoryStream<Path> places = Files.newDirectoryStream(MEMORY, PREFIX + "*")) {
      for (Path place : places) {
        Path owner = place.resolve(OWNER_FILE);
        if (Files.isRegularFile(owner)
            && Files.isWritable(place)
            && !place.equals(recordedPlace(Path.of(Files.readString(owner).trim())))) {
          LiveFolder.delete(place);
        }
      }
    }
  }

  private static Path recordedPlace(Path clusterDir) throws IOException {
    Path file = new ClusterPaths(clusterDir).lstorPlaceFile();
    return Files.exists(file) ? Path.of(Files.readString(file).trim()) : clusterDir;
  }
}
