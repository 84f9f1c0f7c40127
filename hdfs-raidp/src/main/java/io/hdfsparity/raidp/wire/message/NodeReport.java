/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;

/**
 * What the agent in a DataNode tells the manager.
 *
 * @param nodeUuid DataNode uuid
 * @param hostName as registered with the NameNode
 * @param xferPort data transfer port
 * @param peerHost where its peer service is reached
 * @param peerPort see peerHost
 * @param clusterId HDFS cluster id
 * @param disks all disks
 * @param rebuilds rebuilds that it has run or is running since it started
 * @param incarnation changes at each start of the DataNode
 */
public record NodeReport(
    String nodeUuid,
    String hostName,
    int xferPort,
    String peerHost,
    int peerPort,
    String clusterId,
    List<DiskReport> disks,
    List<RebuildStatus> rebuilds,
    long incarnation) {
  public NodeReport {
    disks = List.copyOf(disks);
    rebuilds = List.copyOf(rebuilds);
  }
}
