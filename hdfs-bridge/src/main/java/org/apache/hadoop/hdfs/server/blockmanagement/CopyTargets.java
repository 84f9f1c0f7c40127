/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Targets of copies, and how one is handed out: as BlockManager does for blocks of its own.
 *
 * <p>Reaches, package-private: BlockManager.pendingReconstruction;
 * DatanodeDescriptor.addBlockToBeReplicated. Checked for Hadoop 3.5.0. Thread-safe, for holders of
 * the block manager's lock.
 */
final class CopyTargets {
  private final BlockManager blocks;

  CopyTargets(BlockManager blocks) {
    this.blocks = blocks;
  }

  @Nullable DatanodeStorageInfo find(Target side) {
    DatanodeDescriptor node = blocks.getDatanodeManager().getDatanode(side.nodeUuid());
    return node == null ? null : node.getStorageInfo(side.storageId());
  }

  boolean isUsable(DatanodeStorageInfo target) {
    return StorageLookup.isUsable(target, blocks.getDatanodeManager().getStaleInterval());
  }

  /**
   * Whether the target's node has a replica of the block, or waits for one. A damaged replica there
   * is healed in place, not copied over.
   */
  boolean isTaken(DatanodeStorageInfo target, BlockInfo block, List<DatanodeDescriptor> holders) {
    List<DatanodeStorageInfo> pending = blocks.pendingReconstruction.getTargets(block);
    return holders.contains(target.getDatanodeDescriptor())
        || pending != null
            && pending.stream()
                .anyMatch(
                    each -> each.getDatanodeDescriptor().equals(target.getDatanodeDescriptor()));
  }

  /** Tells a node to send a block. */
  Copy handOut(
      BlockInfo block, long superchunkId, DatanodeDescriptor source, DatanodeStorageInfo target) {
    source.addBlockToBeReplicated(block, new DatanodeStorageInfo[] {target});
    DatanodeStorageInfo.incrementBlocksScheduled(target);
    blocks.pendingReconstruction.increment(block, target);
    return new Copy(
        block.getBlockId(),
        block.getGenerationStamp(),
        block.getNumBytes(),
        superchunkId,
        source.getDatanodeUuid(),
        new Target(target.getStorageID(), target.getDatanodeDescriptor().getDatanodeUuid()));
  }
}
