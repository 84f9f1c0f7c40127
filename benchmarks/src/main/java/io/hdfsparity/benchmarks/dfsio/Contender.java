/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.dfsio;

import io.hdfsparity.localcluster.ClusterMode;
import java.util.List;
import java.util.Map;

/**
 * One of the systems that are compared, as in Fig. 8 and Fig. 9 of the RAIDP paper.
 *
 * @param name as shown in tables and plots
 * @param mode stock HDFS or RAIDP
 * @param replication replicas of each block
 * @param conf properties beyond those of the mode
 */
record Contender(String name, ClusterMode mode, int replication, Map<String, String> conf) {
  private static final String RAIDP = "dfs.parity.raidp.";

  /**
   * HDFS-2, HDFS-3, RAIDP at its best, RAIDP re-write, RAIDP without the block-granularity
   * optimization.
   */
  static List<Contender> all() {
    return List.of(
        new Contender("HDFS-3", ClusterMode.STOCK, 3, Map.of()),
        new Contender("HDFS-2", ClusterMode.STOCK, 2, Map.of()),
        new Contender("RAIDP idle", ClusterMode.RAIDP, 2, Map.of(RAIDP + "mode", "idle")),
        new Contender("RAIDP inline", ClusterMode.RAIDP, 2, Map.of(RAIDP + "mode", "inline")),
        new Contender(
            "RAIDP packet", ClusterMode.RAIDP, 2, Map.of(RAIDP + "granularity", "packet")));
  }
}
