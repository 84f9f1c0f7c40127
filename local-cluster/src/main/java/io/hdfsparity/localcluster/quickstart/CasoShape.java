/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.caso.workload.WorkloadGenerator;
import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.util.List;

/** The cluster of the chapter on files that are organized by how they are used. Pure. */
final class CasoShape {
  static final int DATA_UNITS = UpdateShape.DATA_UNITS;
  static final int PARITY_UNITS = UpdateShape.PARITY_UNITS;
  static final int CELL_BYTES = 4096;

  /** Small block groups: so there is parity to be spread over the nodes. */
  static final long BLOCK_BYTES = 2L << 20;

  static final StripedSpace SPACE =
      new StripedSpace(DATA_UNITS, PARITY_UNITS, CELL_BYTES, BLOCK_BYTES);

  /** What a made-up trace is called that the volume is used by. */
  static final String WORKLOAD = "rsrch_2";

  static final int REQUESTS = 4000;

  /** Where requests begin; the longest ends {@link WorkloadGenerator#MAX_BYTES} behind. */
  static final long TRACE_BYTES = 16L << 20;

  /** All requests lie in it. */
  static final int VOLUME_BYTES = (int) (TRACE_BYTES + WorkloadGenerator.MAX_BYTES);

  /** The volume, and the same in the order of addresses. */
  private static final int VOLUMES = 2;

  /** Of two volumes, one is rewritten twice, and what is replaced goes late. */
  private static final int COPIES = VOLUMES + 2;

  /**
   * How long a stock reader of an updated replica may take. Decoding begins one and a half of it
   * after the last updater; 10 minutes by default.
   */
  static final String SNAPSHOT_AGE = "5s";

  static final String SNAPSHOT_AGE_KEY = "dfs.parity.ecupdate.storage.snapshot.max.age";

  private CasoShape() {}

  /** Most bytes on disks: the files, none of which is updated, and the volumes, which are. */
  static long maxBytes(List<SourceFile> files) {
    long reserved = SPACE.groups(VOLUME_BYTES) * PARITY_UNITS * UpdateShape.RESERVED_BYTES;
    return UpdateShape.unchangedBytes(files) + COPIES * (SPACE.takenBytes(VOLUME_BYTES) + reserved);
  }

  /** Describes the cluster. */
  static LocalClusterBuilder describe(LocalClusterBuilder builder) {
    return UpdateShape.describe(builder)
        .mode(ClusterMode.CASO)
        .conf(SNAPSHOT_AGE_KEY, SNAPSHOT_AGE);
  }
}
