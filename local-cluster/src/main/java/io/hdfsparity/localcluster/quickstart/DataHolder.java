/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.localcluster.Daemon;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * A DataNode and what it has of a file.
 *
 * @param name as dn0
 * @param dataUnits data units of the file, without which some of its bytes have to be decoded
 */
record DataHolder(String name, long dataUnits) {
  /**
   * The DataNode with the most data units of an erasure-coded file.
   *
   * @param perGroup data units of a block group
   * @param nodes DataNodes that may have some
   */
  static DataHolder most(DistributedFileSystem fs, Path file, int perGroup, int nodes)
      throws IOException, QuickstartException {
    long[] units = new long[nodes];
    for (LocatedBlock block :
        fs.getClient()
            .getLocatedBlocks(file.toUri().getPath(), 0, Long.MAX_VALUE)
            .getLocatedBlocks()) {
      byte[] indices = ((LocatedStripedBlock) block).getBlockIndices();
      for (int i = 0; i < indices.length; i++) {
        if (indices[i] < perGroup) {
          units[node(block.getLocations()[i].getIpAddr(), nodes)]++;
        }
      }
    }
    int most = 0;
    for (int node = 1; node < units.length; node++) {
      most = units[node] > units[most] ? node : most;
    }
    if (units[most] == 0) {
      throw new QuickstartException(Kind.CLUSTER, "No DataNode is known to have data of " + file);
    }
    return new DataHolder("dn" + most, units[most]);
  }

  private static int node(String address, int nodes) throws QuickstartException {
    for (int node = 0; node < nodes; node++) {
      if (Daemon.nodeHost(node).equals(address)) {
        return node;
      }
    }
    throw new QuickstartException(
        Kind.CLUSTER, "A unit is at address=" + address + ", expected one of the cluster's nodes");
  }
}
