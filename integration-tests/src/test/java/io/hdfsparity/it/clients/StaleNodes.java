/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import static org.awaitility.Awaitility.await;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/** A DataNode that is down, and known not to answer, while nothing is rebuilt yet. */
final class StaleNodes {
  /** Longer than a heartbeat is late on a machine with much to do. */
  private static final long STALE_MS = 8_000;

  private StaleNodes() {}

  /** Keys of a NameNode that offers such nodes last. */
  static void avoid(Configuration conf) {
    conf.setLong("dfs.namenode.stale.datanode.interval", STALE_MS);
    conf.setBoolean("dfs.namenode.avoid.read.stale.datanode", true);
    conf.setBoolean("dfs.namenode.avoid.write.stale.datanode", true);
    conf.setFloat("dfs.namenode.write.stale.datanode.ratio", 1.0f);
  }

  /** Stops a DataNode; the result starts it again. */
  static MiniDFSCluster.DataNodeProperties stop(MiniDFSCluster cluster, String uuid) {
    List<String> uuids = cluster.getDataNodes().stream().map(DataNode::getDatanodeUuid).toList();
    MiniDFSCluster.DataNodeProperties stopped = cluster.stopDataNode(uuids.indexOf(uuid));
    await("the node is stale").until(() -> cluster.getNamesystem().getNumStaleDataNodes() == 1);
    return stopped;
  }
}
