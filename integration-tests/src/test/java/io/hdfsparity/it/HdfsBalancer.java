/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi.FsVolumeReferences;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;

/** HDFS's Balancer in clusters of tests. Stateless. */
final class HdfsBalancer {
  private HdfsBalancer() {}

  /** Else all would have the same disk, which is neither full nor empty. */
  static void limitCapacities(MiniDFSCluster cluster, long bytesOfVolume) throws IOException {
    int volumesOfNode = 0;
    for (DataNode node : cluster.getDataNodes()) {
      try (FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        volumesOfNode = volumes.size();
        for (FsVolumeSpi volume : volumes) {
          ((FsVolumeImpl) volume).setCapacityForTesting(bytesOfVolume);
        }
      }
    }
    long bytes = volumesOfNode * bytesOfVolume;
    await("the NameNode knows the capacities")
        .until(
            () ->
                Arrays.stream(cluster.getFileSystem().getDataNodeStats())
                    .allMatch(node -> node.getCapacity() == bytes));
  }

  /**
   * As {@code hdfs balancer}; its main method would end this process.
   *
   * @param thresholdPercent by how much the use of a DataNode may differ from that of the cluster
   */
  static int run(Configuration keys, int thresholdPercent) throws Exception {
    Configuration conf = new HdfsConfiguration(keys);
    conf.setLong(DFSConfigKeys.DFS_BALANCER_MAX_NO_MOVE_INTERVAL_KEY, 2000);
    Constructor<?> made =
        Class.forName("org.apache.hadoop.hdfs.server.balancer.Balancer$Cli")
            .getDeclaredConstructor();
    made.setAccessible(true);
    return ToolRunner.run(
        conf,
        (Tool) made.newInstance(),
        new String[] {"-threshold", "" + thresholdPercent, "-idleiterations", "1"});
  }
}
