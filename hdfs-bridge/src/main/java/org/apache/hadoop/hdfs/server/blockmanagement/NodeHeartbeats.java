/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

/**
 * When DataNodes have sent their last heartbeats.
 *
 * <p>Reaches, package-private: DatanodeManager.getStaleInterval. Checked for Hadoop 3.5.0.
 * Stateless.
 */
public final class NodeHeartbeats {
  private NodeHeartbeats() {}

  /**
   * Whether a node has sent none for {@code dfs.namenode.stale.datanode.interval}, as one that has
   * been stopped. It is dead to HDFS minutes later only.
   */
  public static boolean isStale(BlockManager blocks, DatanodeDescriptor node) {
    return node.isStale(blocks.getDatanodeManager().getStaleInterval());
  }
}
