/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.util.StringUtils;

/**
 * What a cluster looks like. Immutable; stored in the cluster's folder as {@code
 * cluster.properties}.
 *
 * @param clusterId tells clusters apart, also in process marks and in names outside the folder
 * @param mode how data is kept redundant
 * @param topology its hosts and disks
 * @param frames of RAIDP's disks; without meaning where there is no RAIDP
 * @param blockBytes block size of clients in bytes
 * @param replication replicas of a block
 * @param ports that were asked for
 * @param conf further Hadoop properties, given to every daemon and client; they win over all others
 */
public record ClusterSpec(
    String clusterId,
    ClusterMode mode,
    Topology topology,
    Frames frames,
    long blockBytes,
    int replication,
    FixedPorts ports,
    Map<String, String> conf) {

  /** Loopback addresses run out in the last byte of 127.0.0.x, of which 1 is the NameNode's. */
  public static final int MAX_NODES = 250;

  /** Property with the number of NameNodes; clusters of before there were two do not have it. */
  static final String NAME_NODES = "namenodes";

  /** Property with the number of NodeManagers; clusters of before there was YARN lack it. */
  static final String NODE_MANAGERS = "nodemanagers";

  private static final long DEFAULT_MAX_BLOCK_BYTES = 128L << 20;

  private static final String CONF_PREFIX = "conf.";

  public ClusterSpec {
    conf = Map.copyOf(conf);
    require(NAME_NODES, topology.nameNodes(), 1, 2);
    require("nodes", topology.nodes(), 1, MAX_NODES);
    require("racks", topology.racks(), 1, topology.nodes());
    require("disks", topology.disksPerNode(), 1, 64);
    require(NODE_MANAGERS, topology.nodeManagers(), 0, topology.nodes());
    require("replication", replication, 1, topology.nodes());
    require("namenode-port", ports.nameNode(), 0, 65535);
    require("http-port", ports.http(), 0, 65535);
    require("block-size", blockBytes, 1 << 20, 1L << 40);
    if (blockBytes % 512 != 0) {
      throw new IllegalArgumentException(
          "Cannot use the cluster description: block-size="
              + blockBytes
              + ", expected a multiple of 512");
    }
    if (mode.hasRaidp()) {
      requireFrames(topology, frames, blockBytes);
      requireJournal(frames, maxBlockBytes(frames, blockBytes, conf));
    }
  }

  private static void requireFrames(Topology topology, Frames frames, long blockBytes) {
    require("frames", frames.perDisk(), 1, 256);
    require("unit-size", frames.unitBytes(), 4096, 1L << 30);
    require("frame-size", frames.frameBytes(), Math.max(frames.unitBytes(), blockBytes), 1L << 42);
    require("journal-size", frames.journalBytes(), 1 << 20, 1L << 32);
    require("nodes", topology.nodes(), 2, MAX_NODES);
    if (frames.frameBytes() % frames.unitBytes() != 0) {
      throw new IllegalArgumentException(
          "Cannot use the cluster description: frame-size="
              + frames.frameBytes()
              + ", expected a multiple of unit-size="
              + frames.unitBytes());
    }
  }

  /** As DataNodes of RAIDP require when they start. */
  private static void requireJournal(Frames frames, long maxBlockBytes) {
    if (frames.journalBytes() < maxBlockBytes) {
      throw new IllegalArgumentException(
          "Cannot use the cluster description: journal-size="
              + frames.journalBytes()
              + ", expected at least "
              + ClusterKey.MAX_BLOCK_SIZE.key()
              + "="
              + maxBlockBytes
              + ": the largest block must fit; raise journal-size or set that key lower");
    }
  }

  private static long maxBlockBytes(Frames frames, long blockBytes, Map<String, String> conf) {
    String own = conf.get(ClusterKey.MAX_BLOCK_SIZE.key());
    return own == null
        ? Math.max(blockBytes, Math.min(DEFAULT_MAX_BLOCK_BYTES, frames.frameBytes()))
        : StringUtils.TraditionalBinaryPrefix.string2long(own);
  }

  /** Largest block that DataNodes of RAIDP take. */
  long maxBlockBytes() {
    return maxBlockBytes(frames, blockBytes, conf);
  }

  private static void require(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          "Cannot use the cluster description: "
              + name
              + "="
              + value
              + ", expected "
              + min
              + " to "
              + max);
    }
  }

  /** True with two NameNodes, of which the other can take over. */
  public boolean isHighlyAvailable() {
    return topology.isHighlyAvailable();
  }

  /** True with YARN and MapReduce. */
  public boolean hasYarn() {
    return topology.nodeManagers() > 0;
  }

  /** Number of DataNodes. */
  public int nodes() {
    return topology.nodes();
  }

  /** Simulated disks of a DataNode. */
  public int disksPerNode() {
    return topology.disksPerNode();
  }

  /** This description with one node more. */
  public ClusterSpec withOneNodeMore() {
    return new ClusterSpec(
        clusterId, mode, topology.withOneNodeMore(), frames, blockBytes, replication, ports, conf);
  }

  /** Names and values as stored, in the order of the names. */
  public Map<String, String> toProperties() {
    Map<String, String> map = new TreeMap<>();
    map.put("cluster-id", clusterId);
    map.put("mode", mode.label());
    map.put(NAME_NODES, String.valueOf(topology.nameNodes()));
    map.put("nodes", String.valueOf(topology.nodes()));
    map.put("racks", String.valueOf(topology.racks()));
    map.put("disks", String.valueOf(topology.disksPerNode()));
    map.put(NODE_MANAGERS, String.valueOf(topology.nodeManagers()));
    map.put("frames", String.valueOf(frames.perDisk()));
    map.put("frame-size", String.valueOf(frames.frameBytes()));
    map.put("unit-size", String.valueOf(frames.unitBytes()));
    map.put("journal-size", String.valueOf(frames.journalBytes()));
    map.put("block-size", String.valueOf(blockBytes));
    map.put("replication", String.valueOf(replication));
    map.put("namenode-port", String.valueOf(ports.nameNode()));
    map.put("http-port", String.valueOf(ports.http()));
    conf.forEach((key, value) -> map.put(CONF_PREFIX + key, value));
    return map;
  }

  /** Writes the description, replacing the file at once. */
  public void store(Path file) throws IOException {
    Properties properties = new Properties();
    properties.putAll(toProperties());
    Path next = file.resolveSibling(file.getFileName() + ".new");
    try (Writer out = Files.newBufferedWriter(next, StandardCharsets.UTF_8)) {
      properties.store(out, "hdfs-parity local cluster");
    }
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads a stored description.
   *
   * @throws IOException when it cannot be read or does not describe a cluster
   */
  public static ClusterSpec load(Path file) throws IOException {
    Properties p = new Properties();
    try (Reader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      p.load(in);
    }
    Map<String, String> conf = new TreeMap<>();
    for (String name : p.stringPropertyNames()) {
      if (name.startsWith(CONF_PREFIX)) {
        conf.put(name.substring(CONF_PREFIX.length()), p.getProperty(name));
      }
    }
    try {
      return new ClusterSpec(
          text(p, "cluster-id"),
          ClusterMode.parse(text(p, "mode")),
          topology(p),
          new Frames(
              Integer.parseInt(text(p, "frames")),
              Long.parseLong(text(p, "frame-size")),
              Long.parseLong(text(p, "unit-size")),
              Long.parseLong(text(p, "journal-size"))),
          Long.parseLong(text(p, "block-size")),
          Integer.parseInt(text(p, "replication")),
          new FixedPorts(
              Integer.parseInt(text(p, "namenode-port")), Integer.parseInt(text(p, "http-port"))),
          conf);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "Cannot read the cluster description: " + e.getMessage() + ", file=" + file, e);
    }
  }

  private static Topology topology(Properties p) {
    return new Topology(
        Integer.parseInt(p.getProperty(NAME_NODES, "1")),
        Integer.parseInt(text(p, "nodes")),
        Integer.parseInt(text(p, "racks")),
        Integer.parseInt(text(p, "disks")),
        Integer.parseInt(p.getProperty(NODE_MANAGERS, "0")));
  }

  private static String text(Properties p, String name) {
    String value = p.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }
}
