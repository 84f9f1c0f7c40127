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

/**
 * What a cluster looks like. Immutable; stored in the cluster's folder as {@code
 * cluster.properties}.
 *
 * @param clusterId tells clusters apart, also in process marks and in names outside the folder
 * @param mode how data is kept redundant
 * @param nameNodes number of NameNodes: 1, or 2 with three JournalNodes, of which one is active
 * @param nodes number of DataNodes
 * @param racks number of racks; node i is in rack i modulo racks
 * @param disksPerNode simulated disks of a DataNode
 * @param framesPerDisk frames of a disk (raidp)
 * @param frameBytes size of a frame in bytes (raidp)
 * @param unitBytes allocation unit in bytes (raidp)
 * @param journalBytes most bytes of a disk that its partners have not acknowledged yet (raidp)
 * @param blockBytes block size of clients in bytes
 * @param replication replicas of a block
 * @param nameNodePort port of the first NameNode's RPC, 0: any free one
 * @param httpPort port of the first NameNode's web pages, 0: any free one
 * @param conf further Hadoop properties, given to every daemon and client; they win over all others
 */
public record ClusterSpec(
    String clusterId,
    ClusterMode mode,
    int nameNodes,
    int nodes,
    int racks,
    int disksPerNode,
    int framesPerDisk,
    long frameBytes,
    long unitBytes,
    long journalBytes,
    long blockBytes,
    int replication,
    int nameNodePort,
    int httpPort,
    Map<String, String> conf) {

  /** Loopback addresses run out in the last byte of 127.0.0.x, of which 1 is the NameNode's. */
  public static final int MAX_NODES = 250;

  /** Property with the number of NameNodes; clusters of before there were two do not have it. */
  static final String NAME_NODES = "namenodes";

  private static final String CONF_PREFIX = "conf.";

  public ClusterSpec {
    conf = Map.copyOf(conf);
    require(NAME_NODES, nameNodes, 1, 2);
    require("nodes", nodes, 1, MAX_NODES);
    require("racks", racks, 1, nodes);
    require("disks", disksPerNode, 1, 64);
    require("replication", replication, 1, nodes);
    require("namenode-port", nameNodePort, 0, 65535);
    require("http-port", httpPort, 0, 65535);
    require("block-size", blockBytes, 1 << 20, 1L << 40);
    if (blockBytes % 512 != 0) {
      throw new IllegalArgumentException(
          "Cannot use the cluster description: block-size="
              + blockBytes
              + ", expected a multiple of 512");
    }
    if (mode == ClusterMode.RAIDP) {
      require("frames", framesPerDisk, 1, 256);
      require("unit-size", unitBytes, 4096, 1L << 30);
      require("frame-size", frameBytes, Math.max(unitBytes, blockBytes), 1L << 42);
      require("journal-size", journalBytes, 1 << 20, 1L << 32);
      require("nodes", nodes, 2, MAX_NODES);
      require("replication", replication, 2, 2);
      if (frameBytes % unitBytes != 0) {
        throw new IllegalArgumentException(
            "Cannot use the cluster description: frame-size="
                + frameBytes
                + ", expected a multiple of unit-size="
                + unitBytes);
      }
    }
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
    return nameNodes > 1;
  }

  /** The rack of a node. */
  public String rackOf(int node) {
    return "/rack" + node % racks;
  }

  /** This description with one node more. */
  public ClusterSpec withOneNodeMore() {
    return new ClusterSpec(
        clusterId,
        mode,
        nameNodes,
        nodes + 1,
        racks,
        disksPerNode,
        framesPerDisk,
        frameBytes,
        unitBytes,
        journalBytes,
        blockBytes,
        replication,
        nameNodePort,
        httpPort,
        conf);
  }

  /** Names and values as stored, in the order of the names. */
  public Map<String, String> toProperties() {
    Map<String, String> map = new TreeMap<>();
    map.put("cluster-id", clusterId);
    map.put("mode", mode.label());
    map.put(NAME_NODES, String.valueOf(nameNodes));
    map.put("nodes", String.valueOf(nodes));
    map.put("racks", String.valueOf(racks));
    map.put("disks", String.valueOf(disksPerNode));
    map.put("frames", String.valueOf(framesPerDisk));
    map.put("frame-size", String.valueOf(frameBytes));
    map.put("unit-size", String.valueOf(unitBytes));
    map.put("journal-size", String.valueOf(journalBytes));
    map.put("block-size", String.valueOf(blockBytes));
    map.put("replication", String.valueOf(replication));
    map.put("namenode-port", String.valueOf(nameNodePort));
    map.put("http-port", String.valueOf(httpPort));
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
          Integer.parseInt(p.getProperty(NAME_NODES, "1")),
          Integer.parseInt(text(p, "nodes")),
          Integer.parseInt(text(p, "racks")),
          Integer.parseInt(text(p, "disks")),
          Integer.parseInt(text(p, "frames")),
          Long.parseLong(text(p, "frame-size")),
          Long.parseLong(text(p, "unit-size")),
          Long.parseLong(text(p, "journal-size")),
          Long.parseLong(text(p, "block-size")),
          Integer.parseInt(text(p, "replication")),
          Integer.parseInt(text(p, "namenode-port")),
          Integer.parseInt(text(p, "http-port")),
          conf);
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "Cannot read the cluster description: " + e.getMessage() + ", file=" + file, e);
    }
  }

  private static String text(Properties p, String name) {
    String value = p.getProperty(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }
}
