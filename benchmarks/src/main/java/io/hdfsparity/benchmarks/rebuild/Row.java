/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.rebuild;

import io.hdfsparity.localcluster.ClusterMode;
import java.util.List;

/**
 * A row of Table 2 of the RAIDP paper.
 *
 * @param name as shown in tables and plots
 * @param mode stock HDFS with erasure-coded files, or RAIDP
 * @param lock granularity of the lock of a RAIDP rebuild; empty for HDFS
 * @param chunk bytes that a RAIDP rebuild asks a source for at a time, as {@code 4m}; empty for
 *     HDFS
 */
record Row(String name, ClusterMode mode, String lock, String chunk) {
  static final String BASELINE = "RAIDP range 4m";

  static List<Row> all(int nodes) {
    return List.of(
        new Row(BASELINE, ClusterMode.RAIDP, "range", "4m"),
        new Row("RAIDP range 64m", ClusterMode.RAIDP, "range", "64m"),
        new Row("RAIDP superchunk 64m", ClusterMode.RAIDP, "superchunk", "64m"),
        new Row("RAIDP superchunk 4m", ClusterMode.RAIDP, "superchunk", "4m"),
        new Row("HDFS RS-" + (nodes - 2) + "-2", ClusterMode.STOCK, "", ""));
  }
}
