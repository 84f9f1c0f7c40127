/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.datanode;

import io.hdfsparity.izs.config.RepairOptions;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.util.DataTransferThrottler;
import org.jspecify.annotations.Nullable;

/**
 * What all repairs of a node share.
 *
 * @param readers threads that wait for helpers; as many as there are reads
 */
record RepairContext(
    DataNode datanode,
    RepairOptions options,
    RepairMetrics metrics,
    ExecutorService readers,
    MemoryBudget memory,
    Codecs codecs,
    ParityBelief belief) {
  /** Waits until so many bytes may be read for reconstruction. */
  void throttleRead(long lengthBytes) {
    throttle(datanode.getEcReconstuctReadThrottler(), lengthBytes);
  }

  /** Waits until so many bytes may be written by reconstruction. */
  void throttleWrite(long lengthBytes) {
    throttle(datanode.getEcReconstuctWriteThrottler(), lengthBytes);
  }

  private static void throttle(@Nullable DataTransferThrottler throttler, long lengthBytes) {
    if (throttler != null) {
      throttler.throttle(lengthBytes);
    }
  }
}
