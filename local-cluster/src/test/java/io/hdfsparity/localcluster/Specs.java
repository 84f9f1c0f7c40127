/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.util.Map;

/** Descriptions of clusters for tests. */
final class Specs {
  private Specs() {}

  static ClusterSpec raidp() {
    return new ClusterSpec(
        "id1",
        ClusterMode.RAIDP,
        1,
        6,
        2,
        2,
        8,
        256L << 20,
        1L << 20,
        128L << 20,
        64L << 20,
        2,
        0,
        0,
        Map.of());
  }

  static ClusterSpec izs() {
    return new ClusterSpec(
        "id3",
        ClusterMode.IZS,
        1,
        8,
        2,
        1,
        8,
        256L << 20,
        1L << 20,
        128L << 20,
        8L << 20,
        3,
        0,
        0,
        Map.of());
  }

  static ClusterSpec ecUpdate() {
    return updates("id4", ClusterMode.EC_UPDATE);
  }

  static ClusterSpec caso() {
    return updates("id5", ClusterMode.CASO);
  }

  private static ClusterSpec updates(String id, ClusterMode mode) {
    return new ClusterSpec(
        id, mode, 1, 6, 2, 1, 8, 256L << 20, 1L << 20, 128L << 20, 32L << 20, 3, 0, 0, Map.of());
  }

  /** The same with two NameNodes. */
  static ClusterSpec highlyAvailable(ClusterSpec spec) {
    return new ClusterSpec(
        spec.clusterId(),
        spec.mode(),
        2,
        spec.nodes(),
        spec.racks(),
        spec.disksPerNode(),
        spec.framesPerDisk(),
        spec.frameBytes(),
        spec.unitBytes(),
        spec.journalBytes(),
        spec.blockBytes(),
        spec.replication(),
        spec.nameNodePort(),
        spec.httpPort(),
        spec.conf());
  }

  static ClusterSpec stock(int nameNodePort, Map<String, String> conf) {
    return new ClusterSpec(
        "id2",
        ClusterMode.STOCK,
        1,
        3,
        2,
        2,
        8,
        256L << 20,
        1L << 20,
        128L << 20,
        64L << 20,
        3,
        nameNodePort,
        0,
        conf);
  }
}
