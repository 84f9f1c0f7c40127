/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol;

/**
 * Tells the NameNodes of a block's pool what a DataNode has found, for their logs; sent with the
 * next heartbeats.
 *
 * <p>Reaches, package-private: DataNode.getBPOfferService, BPOfferService.trySendErrorReport.
 * Checked for Hadoop 3.5.0. Stateless, thread-safe.
 */
public final class ErrorReports {
  private ErrorReports() {}

  /** Sends a message about a block. Nothing is sent of a pool that the DataNode has left. */
  public static void send(DataNode datanode, ExtendedBlock block, String message) {
    BPOfferService pool = datanode.getBPOfferService(block.getBlockPoolId());
    if (pool != null) {
      pool.trySendErrorReport(DatanodeProtocol.INVALID_BLOCK, message);
    }
  }
}
