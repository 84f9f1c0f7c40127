/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.util.List;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** What happens to a {@link ProtectedCluster} with HBase's log on it. For one thread. */
final class LogMishaps {
  private final ProtectedCluster cluster;

  LogMishaps(ProtectedCluster cluster) {
    this.cluster = cluster;
  }

  /** A DataNode with a replica of an open log is killed, and started again with HBase. */
  HBaseRounds.Mishap dataNodeDies() {
    return new HBaseRounds.Mishap() {
      private int killed;

      @Override
      public void underLoad() throws Exception {
        killed = cluster.disks(openLog()).get(0).node();
        cluster.kill(killed);
      }

      @Override
      public void afterKill() throws Exception {
        cluster.restart(killed);
      }
    };
  }

  /**
   * A disk that holds an open log fails under load; when HBase has gone on with another log and is
   * dead, the other disk of the superchunk fails.
   */
  HBaseRounds.Mishap disksDie() {
    return new HBaseRounds.Mishap() {
      private List<ProtectedCluster.Disk> disks = List.of();

      @Override
      public void underLoad() throws Exception {
        disks = cluster.disks(openLog());
        cluster.fail(disks.get(0));
      }

      @Override
      public void afterKill() throws Exception {
        cluster.awaitFailureKnown(disks.get(0));
        cluster.fail(disks.get(1));
        cluster.recover(disks);
      }
    };
  }

  /** The first block of a log of the region server that is being written, with two replicas. */
  private LocatedBlock openLog() {
    return cluster.openBlock(HBaseRounds.ROOT + "/WALs", path -> !path.contains(".meta"), 2);
  }
}
