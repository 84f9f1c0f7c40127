/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.util.List;

/**
 * The cluster of the chapter on codec izs, and what files take in it. Pure.
 *
 * <p>Eight nodes: four data units and three parity units find a node each after one node has died
 * for good.
 */
final class IzsShape {
  static final int NODES = 8;
  static final int RACKS = 2;
  static final int DATA_UNITS = 4;
  static final int LEVEL = 2;
  static final int HIGHER_LEVEL = 3;
  static final int LOWER_LEVEL = 1;
  static final long CELL_BYTES = 1L << 20;
  static final long BLOCK_BYTES = 8L << 20;

  private IzsShape() {}

  /** Name of the policy of a level. */
  static String policy(int level) {
    return "IZS-" + DATA_UNITS + "-" + level + "-" + (CELL_BYTES >> 10) + "k";
  }

  /** How files of a level lie on the disks. */
  static StripedSpace space(int level) {
    return new StripedSpace(DATA_UNITS, level, CELL_BYTES, BLOCK_BYTES);
  }

  /** Most bytes at any time: all at the highest level, and what a node that died has left. */
  static long maxBytes(List<SourceFile> files) {
    return space(HIGHER_LEVEL).takenBytes(files) + 2 * space(LEVEL).takenBytes(files) / NODES;
  }

  /** Describes the cluster. */
  static LocalClusterBuilder describe(LocalClusterBuilder builder) {
    return builder
        .mode(ClusterMode.IZS)
        .nodes(NODES)
        .racks(RACKS)
        .disksPerNode(1)
        .conf("dfs.parity.cluster.jvm.options.datanode", "-Xmx160m");
  }
}
