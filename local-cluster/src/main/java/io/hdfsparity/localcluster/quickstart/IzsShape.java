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
  private static final int BYTES_PER_CHECKSUM = 512;
  private static final int CHECKSUM_BYTES = 4;

  private IzsShape() {}

  /** Name of the policy of a level. */
  static String policy(int level) {
    return "IZS-" + DATA_UNITS + "-" + level + "-" + (CELL_BYTES >> 10) + "k";
  }

  /** Bytes of data and parity units of a file: a parity cell is as long as its stripe's longest. */
  static long storedBytes(long lengthBytes, int level) {
    long stripeBytes = DATA_UNITS * CELL_BYTES;
    long parityBytes =
        lengthBytes / stripeBytes * CELL_BYTES + Math.min(lengthBytes % stripeBytes, CELL_BYTES);
    return lengthBytes + level * parityBytes;
  }

  /** The same of all files with their checksums, and a little more for headers. */
  static long diskBytes(List<SourceFile> files, int level) {
    long bytes = files.stream().mapToLong(file -> storedBytes(file.lengthBytes(), level)).sum();
    return bytes + bytes * CHECKSUM_BYTES / BYTES_PER_CHECKSUM + bytes / 200 + (1 << 16);
  }

  /** Most bytes at any time: all at the highest level, and what a node that died has left. */
  static long mostBytes(List<SourceFile> files) {
    return diskBytes(files, HIGHER_LEVEL) + 2 * diskBytes(files, LEVEL) / NODES;
  }

  /** Describes the cluster. */
  static LocalClusterBuilder describe(LocalClusterBuilder builder) {
    return builder
        .mode(ClusterMode.IZS)
        .nodes(NODES)
        .racks(RACKS)
        .disksPerNode(1)
        .blockBytes(BLOCK_BYTES)
        .conf("hdfsparity.cluster.jvm.options.datanode", "-Xmx160m");
  }
}
