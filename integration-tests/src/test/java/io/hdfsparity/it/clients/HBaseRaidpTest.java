/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase with its own defaults in a protected directory of a cluster by {@code
 * conf/hdfs-site-all.xml}: a DataNode is killed, and both disks of the superchunk fail that a log
 * lies in. It is killed itself, too, and replays its logs; what it has acknowledged is there.
 */
@Tag("full")
@Tag("clients")
@Timeout(600)
class HBaseRaidpTest {
  private static final int OPERATIONS = 2_400;

  @TempDir Path root;

  @Test
  void whatWasAcknowledgedIsThereAfterDisksOfTheLogHaveFailed() throws Exception {
    try (ProtectedCluster cluster = new ProtectedCluster(root.resolve("all"), HBaseRounds.ROOT)) {
      LogMishaps mishaps = new LogMishaps(cluster);
      HBaseRounds.Run run =
          new HBaseRounds(root, OPERATIONS)
              .run("RAIDP", cluster.conf(), List.of(mishaps.dataNodeDies(), mishaps.disksDie()));
      assertThat(run.rows()).isPositive();
      cluster.assertCovered();
      cluster.assertClean();
    }
  }
}
