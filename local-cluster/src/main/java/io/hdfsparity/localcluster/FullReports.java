/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.BlockReportOptions;
import org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.ipc.RPC;

/**
 * Full block reports, as by {@code hdfs dfsadmin -triggerBlockReport}. A replica that missed an
 * append lies on its DataNode until the next one, by default for six hours, and its row with it.
 */
public final class FullReports {
  private static final int TIMEOUT_MS = 10_000;

  private FullReports() {}

  /**
   * Has all DataNodes that are alive send one, soon.
   *
   * @throws IOException if one cannot be asked; those after it are not asked then
   */
  public static void trigger(DistributedFileSystem fs) throws IOException {
    for (DatanodeInfo node : fs.getDataNodeStats(DatanodeReportType.LIVE)) {
      ClientDatanodeProtocol proxy =
          DFSUtilClient.createClientDatanodeProtocolProxy(node, fs.getConf(), TIMEOUT_MS, false);
      try {
        proxy.triggerBlockReport(new BlockReportOptions.Factory().setIncremental(false).build());
      } finally {
        RPC.stopProxy(proxy);
      }
    }
  }
}
