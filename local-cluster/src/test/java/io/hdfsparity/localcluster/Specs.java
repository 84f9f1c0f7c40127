/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Map;

/** Descriptions of clusters for tests. */
final class Specs {
  private static final Frames FRAMES = frames();

  private Specs() {}

  static ClusterSpec raidp() {
    return spec("id1", ClusterMode.RAIDP, new Topology(1, 6, 2, 2), 64, 2);
  }

  private static Frames frames() {
    return new Frames(8, 256L << 20, 1L << 20, 128L << 20);
  }

  static ClusterSpec izs() {
    return spec("id3", ClusterMode.IZS, new Topology(1, 8, 2, 1), 8, 3);
  }

  static ClusterSpec ecUpdate() {
    return spec("id4", ClusterMode.EC_UPDATE, new Topology(1, 6, 2, 1), 32, 3);
  }

  static ClusterSpec caso() {
    return spec("id5", ClusterMode.CASO, new Topology(1, 6, 2, 1), 32, 3);
  }

  static ClusterSpec all() {
    return spec("id6", ClusterMode.ALL, new Topology(1, 8, 2, 2), 32, 2);
  }

  private static ClusterSpec spec(
      String id, ClusterMode mode, Topology topology, long blockMib, int replication) {
    return new ClusterSpec(
        id, mode, topology, FRAMES, blockMib << 20, replication, FixedPorts.ANY, Map.of());
  }

  /** The same with two NameNodes. */
  static ClusterSpec highlyAvailable(ClusterSpec spec) {
    Topology one = spec.topology();
    return new ClusterSpec(
        spec.clusterId(),
        spec.mode(),
        new Topology(2, one.nodes(), one.racks(), one.disksPerNode()),
        spec.frames(),
        spec.blockBytes(),
        spec.replication(),
        spec.ports(),
        spec.conf());
  }

  static ClusterSpec stock(int nameNodePort, Map<String, String> conf) {
    return new ClusterSpec(
        "id2",
        ClusterMode.STOCK,
        new Topology(1, 3, 2, 2),
        FRAMES,
        64L << 20,
        3,
        new FixedPorts(nameNodePort, 0),
        conf);
  }
}
