/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.BitSet;
import java.util.Collection;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Which units of a block group a reader can read, by what the NameNode knows.
 *
 * <p>Reaches, package-private: corruptReplicas of BlockManager. Checked for Hadoop 3.5.0.
 * Stateless.
 */
public final class ReadableUnits {
  private ReadableUnits() {}

  /**
   * How many data units of a group no node has that can be read; 0 of a replicated block. Nodes
   * that are being decommissioned are read, nodes in maintenance are not. The caller holds the
   * lock, for reading at least.
   */
  public static int missing(BlockManager blocks, BlockInfo block) {
    if (!(block instanceof BlockInfoStriped group)) {
      return 0;
    }
    Collection<DatanodeDescriptor> corrupt = blocks.corruptReplicas.getNodes(group);
    BitSet data = new BitSet();
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      DatanodeStorageInfo storage = each.getStorage();
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (each.getBlockIndex() < group.getDataBlockNum()
          && storage.getState() == DatanodeStorage.State.NORMAL
          && node.isAlive()
          && !node.isInMaintenance()
          && (corrupt == null || !corrupt.contains(node))) {
        data.set(each.getBlockIndex());
      }
    }
    return group.getRealDataBlockNum() - data.cardinality();
  }
}
