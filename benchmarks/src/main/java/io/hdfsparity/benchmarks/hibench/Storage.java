/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.hibench;

import io.hdfsparity.localcluster.ClusterMode;
import java.util.Optional;

/** A way to store the files of jobs. */
enum Storage {
  HDFS_3("HDFS-3", ClusterMode.STOCK, 3, null),
  HDFS_2("HDFS-2", ClusterMode.STOCK, 2, null),
  RAIDP("RAIDP", ClusterMode.RAIDP, 2, null),
  RS("RS-4-2", ClusterMode.STOCK, 3, "rs"),
  IZS("IZS-4-2", ClusterMode.IZS, 3, "izs");

  final String label;
  final ClusterMode mode;

  /** Of files that are not erasure-coded. */
  final int replicas;

  private final String codec;

  Storage(String label, ClusterMode mode, int replicas, String codec) {
    this.label = label;
    this.mode = mode;
    this.replicas = replicas;
    this.codec = codec;
  }

  /** Of the erasure-coding policy of the jobs' folder, if there is one. */
  Optional<String> codec() {
    return Optional.ofNullable(codec);
  }

  /** The one so labelled. */
  static Storage labelled(String label) {
    for (Storage storage : values()) {
      if (storage.label.equals(label)) {
        return storage;
      }
    }
    throw new IllegalArgumentException("Cannot run: storage=" + label + ", expected a known one");
  }
}
