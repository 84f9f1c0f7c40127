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
 * The cluster of all chapters, which come one after the other. Pure.
 *
 * <p>Eight nodes, as many as the widest code needs; each has RAIDP, too, and disks and superchunks
 * as in its chapter.
 */
final class AllShape {
  static final int NODES = IzsShape.NODES;

  /** One for each node: any enabled code survives the loss of a rack. */
  static final int RACKS = NODES;

  private AllShape() {}

  /** Most bytes on disks: what a chapter has deleted may go late. */
  static long maxBytes(ClusterShape raidp, List<SourceFile> files) {
    return raidp.diskBytes()
        + IzsShape.maxBytes(files)
        + UpdateShape.maxBytes(files)
        + CasoShape.maxBytes(files);
  }

  /** Describes the cluster. */
  static LocalClusterBuilder describe(ClusterShape raidp, LocalClusterBuilder builder) {
    return raidp
        .describe(builder)
        .mode(ClusterMode.ALL)
        .nodes(NODES)
        .racks(RACKS)
        .conf(CasoShape.SNAPSHOT_AGE_KEY, CasoShape.SNAPSHOT_AGE);
  }
}
