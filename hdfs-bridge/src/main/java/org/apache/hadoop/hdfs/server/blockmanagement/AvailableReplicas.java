/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.BitSet;
import java.util.Collection;
import java.util.Iterator;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.Nullable;

/**
 * Which replicas are there for sure, as far as the NameNode can know now. HDFS keeps those of a
 * silent node in its block map for ten minutes, and counts them as live: in the hope that the node
 * comes back, nothing is copied meanwhile. Whoever gives up other replicas must not hope.
 *
 * <p>Reaches, package-private: corruptReplicas of BlockManager. Checked for Hadoop 3.5.0.
 * Stateless; the caller holds the lock, for reading at least.
 */
public final class AvailableReplicas {
  private AvailableReplicas() {}

  /** Whether a storage works, and its node sends heartbeats. */
  public static boolean isOn(BlockManager blocks, DatanodeStorageInfo storage) {
    return storage.getState() == DatanodeStorage.State.NORMAL
        && !NodeHeartbeats.isStale(blocks, storage.getDatanodeDescriptor());
  }

  /**
   * How many replicas of a block, or units of a group, HDFS counts as live and are on such a
   * storage.
   */
  public static int live(BlockManager blocks, BlockInfo block) {
    Collection<DatanodeDescriptor> corrupt = blocks.corruptReplicas.getNodes(block);
    if (block instanceof BlockInfoStriped group) {
      BitSet units = new BitSet();
      for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
        if (isLive(blocks, group, each.getStorage(), corrupt)) {
          units.set(each.getBlockIndex());
        }
      }
      return units.cardinality();
    }
    int replicas = 0;
    for (Iterator<DatanodeStorageInfo> all = block.getStorageInfos(); all.hasNext(); ) {
      replicas += isLive(blocks, block, all.next(), corrupt) ? 1 : 0;
    }
    return replicas;
  }

  /** As BlockManager.checkReplicaOnStorage counts, and available. */
  private static boolean isLive(
      BlockManager blocks,
      BlockInfo block,
      DatanodeStorageInfo storage,
      @Nullable Collection<DatanodeDescriptor> corrupt) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return isOn(blocks, storage)
        && node.isInService()
        && (corrupt == null || !corrupt.contains(node))
        && !blocks.isExcess(node, block);
  }
}
