/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.CorruptReplicasMap.Reason;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Mark;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Describes a block and its replicas as a record; the caller holds the lock for reading.
 *
 * <p>Reaches, package-private: BlockManager.corruptReplicas; CorruptReplicasMap. Checked for Hadoop
 * 3.5.0. Stateless.
 */
final class BlockDescriptions {
  private BlockDescriptions() {}

  /** The block; empty: there is none of that id. */
  static Optional<StoredBlock> of(BlockManager blocks, Block id) {
    BlockInfo block = blocks.getStoredBlock(id);
    if (block == null || block.isDeleted()) {
      return Optional.empty();
    }
    List<String> storageIds = new ArrayList<>();
    List<Mark> marks = new ArrayList<>();
    for (DatanodeStorageInfo storage : blocks.getStorages(block)) {
      storageIds.add(storage.getStorageID());
      mark(blocks, block, storage).ifPresent(marks::add);
    }
    if (!block.isComplete()) {
      addWritten(block, storageIds);
    }
    return Optional.of(
        new StoredBlock(
            block.getBlockId(),
            block.getGenerationStamp(),
            block.getNumBytes(),
            block.isComplete(),
            blocks.countNodes(block).liveReplicas(),
            marks,
            block.getReplication(),
            storageIds));
  }

  /** HDFS marks a node; it has one replica of a block at most. */
  private static Optional<Mark> mark(
      BlockManager blocks, BlockInfo block, DatanodeStorageInfo storage) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    if (!blocks.corruptReplicas.isReplicaCorrupt(block, node)) {
      return Optional.empty();
    }
    boolean isRead =
        Reason.CORRUPTION_REPORTED
            .name()
            .equals(blocks.corruptReplicas.getCorruptReason(block, node));
    return Optional.of(new Mark(storage.getStorageID(), isRead));
  }

  /**
   * Replicas of an open block are no stored ones: the block remembers where they are written, and
   * lease recovery will ask there.
   */
  private static void addWritten(BlockInfo block, List<String> storageIds) {
    for (DatanodeStorageInfo storage :
        block.getUnderConstructionFeature().getExpectedStorageLocations()) {
      if (!storageIds.contains(storage.getStorageID())) {
        storageIds.add(storage.getStorageID());
      }
    }
  }
}
