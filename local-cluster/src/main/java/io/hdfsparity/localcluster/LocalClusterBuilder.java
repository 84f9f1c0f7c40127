/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Describes a {@link LocalCluster}. What is not said keeps its default or, in a folder that has a
 * cluster, what that cluster has; what is said and differs from it is an error. Not thread-safe.
 */
public final class LocalClusterBuilder {
  private static final int IZS_NODES = 8;

  private final ClusterPaths paths;
  private final Map<String, String> asked = new TreeMap<>();
  private Launch launch;
  private Consumer<String> log = line -> {};

  LocalClusterBuilder(Path dir) {
    this.paths = new ClusterPaths(dir);
    this.launch = Launch.plain(paths.cacheDir());
  }

  /** Default raidp. */
  public LocalClusterBuilder mode(ClusterMode mode) {
    return set("mode", mode.label());
  }

  /**
   * Number of DataNodes, default 6; 8 with izs: four data units, three parity units, and a spare;
   * these and RAIDP's 3 with all.
   */
  public LocalClusterBuilder nodes(int nodes) {
    return set("nodes", nodes);
  }

  /** Number of racks, default 2, or 1 for one node. */
  public LocalClusterBuilder racks(int racks) {
    return set("racks", racks);
  }

  /** Simulated disks of a node, default 2. */
  public LocalClusterBuilder disksPerNode(int disks) {
    return set("disks", disks);
  }

  /** Frames of a disk, default 8. */
  public LocalClusterBuilder framesPerDisk(int frames) {
    return set("frames", frames);
  }

  /** Size of a frame in bytes, default 256 MiB. */
  public LocalClusterBuilder frameBytes(long bytes) {
    return set("frame-size", bytes);
  }

  /** Allocation unit in bytes, default 1 MiB. */
  public LocalClusterBuilder unitBytes(long bytes) {
    return set("unit-size", bytes);
  }

  /** Most bytes of a disk that its partners have not acknowledged yet, default 128 MiB. */
  public LocalClusterBuilder journalBytes(long bytes) {
    return set("journal-size", bytes);
  }

  /** Block size of clients in bytes, default 64 MiB as in the paper. */
  public LocalClusterBuilder blockBytes(long bytes) {
    return set("block-size", bytes);
  }

  /**
   * Replicas, default 2 with RAIDP (and nothing else there), else 3 or as many as there are nodes.
   */
  public LocalClusterBuilder replication(int replicas) {
    return set("replication", replicas);
  }

  /** Port of the first NameNode's web pages, default any free one. */
  public LocalClusterBuilder httpPort(int port) {
    return set("http-port", port);
  }

  /**
   * Two NameNodes, {@code nn0} and {@code nn1}, that share their edits by three JournalNodes;
   * failover is by hand. Default one NameNode.
   */
  public LocalClusterBuilder highlyAvailable() {
    return set(ClusterSpec.NAME_NODES, 2);
  }

  /**
   * YARN with the MapReduce shuffle: a ResourceManager, a server of MapReduce's history, and
   * NodeManagers on so many of the first nodes. Default none.
   */
  public LocalClusterBuilder yarn(int nodeManagers) {
    return set(ClusterSpec.NODE_MANAGERS, nodeManagers);
  }

  /** A Hadoop property for all daemons and clients; wins over all others. */
  public LocalClusterBuilder conf(String key, String value) {
    return set("conf." + key, value);
  }

  /**
   * Where packed jars and the archive of classes are kept; may be shared by clusters. Default in
   * the folder.
   */
  public LocalClusterBuilder cacheDir(Path dir) {
    this.launch = launch.withCacheDir(dir);
    return this;
  }

  /**
   * The command line of NameNodes that are started by this object, as {@code -rollingUpgrade
   * started}; the cluster does not keep it. Default empty.
   */
  public LocalClusterBuilder nameNodeArguments(List<String> arguments) {
    this.launch = launch.withNameNodeArguments(arguments);
    return this;
  }

  /** The same for DataNodes, as {@code -rollback}. */
  public LocalClusterBuilder dataNodeArguments(List<String> arguments) {
    this.launch = launch.withDataNodeArguments(arguments);
    return this;
  }

  /** How daemons are started; not stored. Default as they are. */
  public LocalClusterBuilder launch(DaemonLaunch daemons) {
    this.launch = launch.withDaemons(daemons);
    return this;
  }

  /** Told what takes its time and what is unusual; default nobody. */
  public LocalClusterBuilder log(Consumer<String> log) {
    this.log = log;
    return this;
  }

  LocalClusterBuilder set(String name, Object value) {
    asked.put(name, String.valueOf(value));
    return this;
  }

  /**
   * The cluster, not started.
   *
   * @throws IOException when the folder has a cluster that is described otherwise
   * @throws IllegalArgumentException when the description is not possible
   */
  public LocalCluster build() throws IOException {
    if (!Files.exists(paths.specFile())) {
      return new LocalCluster(paths, newSpec(), launch, log);
    }
    ClusterSpec stored = ClusterSpec.load(paths.specFile());
    Map<String, String> has = stored.toProperties();
    for (Map.Entry<String, String> entry : asked.entrySet()) {
      if (!entry.getValue().equals(has.get(entry.getKey()))) {
        throw new IOException(
            "Cannot use the cluster: "
                + entry.getKey()
                + "="
                + entry.getValue()
                + ", expected "
                + has.getOrDefault(entry.getKey(), "none")
                + " as when it was made, file="
                + paths.specFile()
                + "; purge it or take another folder");
      }
    }
    return new LocalCluster(paths, stored, launch, log);
  }

  LocalCluster open() throws IOException {
    if (!Files.exists(paths.specFile())) {
      throw new IOException(
          "Cannot find a cluster: expected one that was started, dir=" + paths.root());
    }
    return new LocalCluster(paths, ClusterSpec.load(paths.specFile()), launch, log);
  }

  private ClusterSpec newSpec() {
    ClusterMode mode = ClusterMode.parse(asked.getOrDefault("mode", "raidp"));
    int nodes = (int) number("nodes", defaultNodes(mode));
    int replication = Math.min(3, nodes);
    Map<String, String> conf = new TreeMap<>();
    asked.forEach(
        (name, value) -> {
          if (name.startsWith("conf.")) {
            conf.put(name.substring("conf.".length()), value);
          }
        });
    return new ClusterSpec(
        UUID.randomUUID().toString().substring(0, 18).replace("-", ""),
        mode,
        new Topology(
            (int) number(ClusterSpec.NAME_NODES, 1),
            nodes,
            (int) number("racks", Math.min(2, nodes)),
            (int) number("disks", 2),
            (int) number(ClusterSpec.NODE_MANAGERS, 0)),
        new Frames(
            (int) number("frames", 8),
            number("frame-size", 256L << 20),
            number("unit-size", 1L << 20),
            number("journal-size", 128L << 20)),
        number("block-size", 64L << 20),
        (int) number("replication", replication),
        new FixedPorts((int) number("namenode-port", 0), (int) number("http-port", 0)),
        conf);
  }

  private static int defaultNodes(ClusterMode mode) {
    return switch (mode) {
      case STOCK, RAIDP, EC_UPDATE, CASO -> 6;
      case IZS, ALL -> IZS_NODES;
    };
  }

  private long number(String name, long otherwise) {
    String value = asked.get(name);
    return value == null ? otherwise : Long.parseLong(value);
  }
}
