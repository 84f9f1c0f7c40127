/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;

/**
 * Rebuilds internal blocks of striped block groups in place of HDFS's own code. Thread-safe: tasks
 * run in several threads of the DataNode's reconstruction pool.
 */
public interface StripedRebuilder {
  /** Whether block groups of that policy are rebuilt here; all others stay with HDFS. */
  boolean takes(ErasureCodingPolicy policy);

  /**
   * Rebuilds the target units of a task and sends them to their nodes. A target becomes a replica
   * only when this returns; what it throws is logged, counted as a failed reconstruction, and the
   * NameNode orders the work again.
   */
  void rebuild(RebuildTask task) throws IOException;
}
