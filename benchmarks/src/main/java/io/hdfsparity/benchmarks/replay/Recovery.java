/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.replay;

import io.hdfsparity.benchmarks.striped.Placement;
import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.LocalCluster;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/** Nodes die, and HDFS rebuilds what they held of a folder. Used once. */
final class Recovery {
  private final LocalCluster cluster;
  private final DistributedFileSystem fs;
  private final Path folder;
  private final int nodes;

  Recovery(LocalCluster cluster, DistributedFileSystem fs, Path folder, int nodes) {
    this.cluster = cluster;
    this.fs = fs;
    this.folder = folder;
    this.nodes = nodes;
  }

  /**
   * Kills nodes and waits until all units have a place again.
   *
   * @param restSeconds until the replicas of updated files may be decoded
   */
  Map<String, Double> run(long restSeconds) throws Exception {
    TimeUnit.SECONDS.sleep(restSeconds);
    Set<String> hosts = new HashSet<>();
    for (int node = 0; node < nodes; node++) {
      hosts.add(Daemon.nodeHost(node));
    }
    long lostBytes = bytesOn(hosts);
    Placement placement = new Placement(fs, folder);
    for (int node = 0; node < nodes; node++) {
      cluster.kill("dn" + node);
    }
    long noticed = Placement.await("the loss noticed", () -> placement.missing() > 0);
    long ended = Placement.await("all units", () -> placement.missing() == 0);
    double seconds = (ended - noticed) / 1e9;
    Map<String, Double> figures = new LinkedHashMap<>();
    figures.put("rebuilt MB/s", lostBytes / seconds / 1e6);
    figures.put("rebuild seconds", seconds);
    figures.put("lost bytes", (double) lostBytes);
    return figures;
  }

  private long bytesOn(Set<String> hosts) throws IOException {
    long bytes = 0;
    for (FileStatus file : fs.listStatus(folder)) {
      LocatedBlocks blocks =
          fs.getClient().getLocatedBlocks(file.getPath().toUri().getPath(), 0, file.getLen());
      for (LocatedBlock block : blocks.getLocatedBlocks()) {
        LocatedStripedBlock group = (LocatedStripedBlock) block;
        DatanodeInfo[] places = group.getLocations();
        for (int i = 0; i < places.length; i++) {
          if (hosts.contains(places[i].getIpAddr())) {
            bytes +=
                StripedBlockUtil.getInternalBlockLength(
                    group.getBlockSize(),
                    blocks.getErasureCodingPolicy(),
                    group.getBlockIndices()[i]);
          }
        }
      }
    }
    return bytes;
  }
}
