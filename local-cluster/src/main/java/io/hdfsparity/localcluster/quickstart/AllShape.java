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
 * The cluster of all chapters on erasure-coded files, which come one after the other. Pure.
 *
 * <p>All DataNodes take erasure-coded files: eight, as many as the widest code needs, and three of
 * RAIDP, which also take replicated files. Of those there are few: what {@code hdfs caso} keeps.
 */
final class AllShape {
  static final int RAIDP_NODES = 3;
  static final int NODES = IzsShape.NODES + RAIDP_NODES;

  /** One for each node: any enabled code survives the loss of a rack. */
  static final int RACKS = NODES;

  private static final int FRAMES_PER_DISK = 2;
  private static final long FRAME_BYTES = 64L << 20;
  private static final long FRAME_UNIT_BYTES = 128L << 10;

  private AllShape() {}

  /** Most bytes on disks: what a chapter has deleted may go late. */
  static long maxBytes(List<SourceFile> files) {
    return IzsShape.maxBytes(files) + UpdateShape.maxBytes(files) + CasoShape.maxBytes(files);
  }

  /** Describes the cluster. */
  static LocalClusterBuilder describe(LocalClusterBuilder builder) {
    return builder
        .mode(ClusterMode.ALL)
        .nodes(NODES)
        .raidpNodes(RAIDP_NODES)
        .racks(RACKS)
        .disksPerNode(1)
        .framesPerDisk(FRAMES_PER_DISK)
        .frameBytes(FRAME_BYTES)
        .unitBytes(FRAME_UNIT_BYTES)
        .journalBytes(FRAME_BYTES)
        // Three disks have no room to recover one to, and no frame to spare.
        .conf("dfs.parity.raidp.layout.recovery.room.disks", "0")
        .conf("dfs.parity.raidp.layout.spare.share", "0")
        .conf(CasoShape.SNAPSHOT_AGE_KEY, CasoShape.SNAPSHOT_AGE);
  }
}
