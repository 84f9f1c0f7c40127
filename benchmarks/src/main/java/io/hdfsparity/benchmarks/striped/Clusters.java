/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.striped;

import io.hdfsparity.benchmarks.macro.Bench;
import io.hdfsparity.benchmarks.macro.Machine;
import io.hdfsparity.localcluster.LocalCluster;
import io.hdfsparity.localcluster.LocalClusterBuilder;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** What the clusters of these benchmarks have in common. */
final class Clusters {
  private Clusters() {}

  /** What is done with a cluster and a client. */
  @FunctionalInterface
  interface Work<T> {
    T with(LocalCluster cluster, DistributedFileSystem fs) throws Exception;
  }

  /** Starts a cluster of so many nodes with one disk each in one rack, works, and removes it. */
  static <T> T on(Bench bench, Coding coding, int nodes, long blockBytes, Work<T> work)
      throws Exception {
    return bench.onCluster(
        builder -> describe(builder, coding, nodes, blockBytes),
        cluster -> {
          try (FileSystem client = cluster.newFileSystem()) {
            return work.with(cluster, (DistributedFileSystem) client);
          }
        });
  }

  private static void describe(
      LocalClusterBuilder builder, Coding coding, int nodes, long blockBytes) {
    builder
        .mode(coding.mode)
        .nodes(nodes)
        .racks(1)
        .disksPerNode(1)
        .blockBytes(blockBytes)
        // A dead node is noticed after twice this and ten heartbeats.
        .conf("dfs.namenode.heartbeat.recheck-interval", "1000")
        // As many rebuilds at a time as there are, so that the network and not the NameNode's care
        // is the limit.
        .conf("dfs.namenode.replication.max-streams", "64")
        .conf("dfs.namenode.replication.max-streams-hard-limit", "128")
        .conf("dfs.namenode.replication.work.multiplier.per.iteration", "100")
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", "300")
        .conf("dfs.datanode.ec.reconstruction.threads", "8");
    coding.conf.forEach(builder::conf);
  }

  /**
   * A client whose data crosses the nodes' links and is counted, where the benchmark has a network
   * of its own; to be closed.
   */
  static FileSystem remoteClient(LocalCluster cluster) throws IOException {
    Configuration conf = cluster.conf();
    conf.unset("dfs.client.local.interfaces");
    return FileSystem.newInstance(conf);
  }

  /** Bytes between nodes as a figure; not a number where they are not counted. */
  static double counted(long bytes) {
    return Machine.ownNetwork() ? bytes : Double.NaN;
  }
}
