/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * HBase with its default keys in a directory that RAIDP protects, on the cluster of all features: a
 * DataNode with an open log is killed, disks of a log fail. The record is {@code
 * docs/reference/clients-soak.md}.
 */
@Tag("soak")
@Timeout(7200)
class HBaseRaidpSoak {
  private static final int OPERATIONS = 6_000;

  @TempDir Path root;

  @Test
  void whatWasAcknowledgedIsThereAfterDisksOfTheLogHaveFailed() throws Exception {
    HBaseRounds.Run run;
    try (ProtectedCluster cluster = new ProtectedCluster(root.resolve("all"), HBaseRounds.ROOT)) {
      LogMishaps mishaps = new LogMishaps(cluster);
      run =
          new HBaseRounds(root, OPERATIONS)
              .run(
                  "RAIDP",
                  cluster.conf(),
                  List.of(HBaseRounds.Mishap.NONE, mishaps.dataNodeDies(), mishaps.disksDie()));
      cluster.assertCovered();
      cluster.assertClean();
    }
    SoakPage.write(
        "HBaseRaidpSoak",
        """

        ## HBase 2.6.4 (Hadoop client 3.4.2) with its default keys, in a directory that RAIDP protects

        The cluster is that of `conf/hdfs-site-all.xml`, with two disks a node.
        A program puts, deletes and flushes; HBase is killed with -9 and started again. Then all rows are read. In the
        second round a DataNode with a replica of the log is killed with -9 first. In the third one a disk of the log
        fails under load, and the other disk of its superchunk once HBase was killed; `-recover` brings both back.

        """
            + HBaseRounds.Run.HEAD
            + run.line());
  }
}
