/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.ClusterMode;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.util.Comparator;
import java.util.List;

/** The cluster of the chapter on in-place updates, and which files are updated. Pure. */
final class UpdateShape {
  static final int NODES = 6;
  static final int RACKS = 2;
  static final int DATA_UNITS = 3;
  static final int PARITY_UNITS = 2;
  static final String POLICY = "RS-3-2-1024k";
  static final long BLOCK_BYTES = 32L << 20;

  /** Files that are updated, each by a program of its own. */
  static final int UPDATED_FILES = 6;

  private static final long CELL_BYTES = 1L << 20;
  private static final long LOG_BYTES = 64L << 20;
  static final StripedSpace SPACE =
      new StripedSpace(DATA_UNITS, PARITY_UNITS, CELL_BYTES, BLOCK_BYTES);

  /** Reserved space that a parity unit begins with. */
  static final long RESERVED_BYTES = 1L << 20;

  private UpdateShape() {}

  /** The largest files that have a piece. */
  static List<SourceFile> updated(List<SourceFile> files) {
    return files.stream()
        .filter(file -> file.lengthBytes() >= Pieces.BYTES)
        .sorted(
            Comparator.comparingLong(SourceFile::lengthBytes)
                .reversed()
                .thenComparing(SourceFile::name))
        .limit(UPDATED_FILES)
        .toList();
  }

  /**
   * Most bytes on disks: what the files take, logs, and reserved space of parity units, which no
   * file has that is never updated.
   */
  static long maxBytes(List<SourceFile> files) {
    long groups = updated(files).stream().mapToLong(f -> SPACE.groups(f.lengthBytes())).sum();
    return unchangedBytes(files) + groups * PARITY_UNITS * RESERVED_BYTES;
  }

  /** The same where no file of them is updated. */
  static long unchangedBytes(List<SourceFile> files) {
    return SPACE.takenBytes(files) + NODES * LOG_BYTES;
  }

  /** Describes the cluster. */
  static LocalClusterBuilder describe(LocalClusterBuilder builder) {
    return builder
        .mode(ClusterMode.EC_UPDATE)
        .nodes(NODES)
        .racks(RACKS)
        .disksPerNode(1)
        .conf("dfs.parity.cluster.jvm.options.datanode", "-Xmx256m");
  }
}
