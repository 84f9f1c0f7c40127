/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's map of corrupt replicas, which also notes the block that a thread has asked for last. HDFS
 * asks for it right before it asks the placement policy which replicas to delete
 * (BlockManager.processExtraRedundancyBlockWithoutPostpone), and whether they are well placed
 * (getBlockPlacementStatus), and does not tell the policy the block.
 *
 * <p>Replaces BlockManager.corruptReplicas, and shares its content. Reaches
 * CorruptReplicasMap.corruptReplicasMap, totalCorruptBlocks, totalCorruptECBlockGroups (private).
 * Checked for Hadoop 3.5.0. Thread-safe as CorruptReplicasMap is.
 */
final class NotedBlocks extends CorruptReplicasMap {
  private static final String[] CONTENT = {
    "corruptReplicasMap", "totalCorruptBlocks", "totalCorruptECBlockGroups"
  };

  private final BlockManager blocks;
  private final ThreadLocal<@Nullable Block> last = new ThreadLocal<>();
  private volatile BlockSuperchunks superchunks;

  private NotedBlocks(BlockManager blocks, BlockSuperchunks superchunks) {
    this.blocks = blocks;
    this.superchunks = superchunks;
  }

  /**
   * Puts itself in the place of the map of a NameNode, unless that has been done.
   *
   * @param superchunks where blocks belong, from now on
   * @throws IllegalStateException when this Hadoop is another one
   */
  static void install(BlockManager blocks, FSNamesystem namesystem, BlockSuperchunks superchunks) {
    NameNodeLock.ALL.writeLock(namesystem);
    try {
      if (blocks.corruptReplicas instanceof NotedBlocks installed) {
        installed.superchunks = superchunks;
        return;
      }
      NotedBlocks noted = new NotedBlocks(blocks, superchunks);
      for (String name : CONTENT) {
        Field field = PrivateFields.of(CorruptReplicasMap.class, name);
        PrivateFields.set(field, noted, PrivateFields.get(field, blocks.corruptReplicas));
      }
      PrivateFields.set(PrivateFields.of(BlockManager.class, "corruptReplicas"), blocks, noted);
    } finally {
      NameNodeLock.ALL.writeUnlock(namesystem, "installNotedBlocks");
    }
  }

  /** That of a NameNode, if it has one. */
  static Optional<NotedBlocks> of(BlockManager blocks) {
    return blocks.corruptReplicas instanceof NotedBlocks noted
        ? Optional.of(noted)
        : Optional.empty();
  }

  /** Where blocks belong. */
  BlockSuperchunks superchunks() {
    return superchunks;
  }

  /**
   * The block that this thread has asked for last, if it is a replicated one that has a replica on
   * each of these nodes.
   */
  Optional<BlockInfo> lastOn(Collection<DatanodeDescriptor> nodes) {
    Block noted = last.get();
    BlockInfo block = noted == null ? null : blocks.getStoredBlock(noted);
    return block != null
            && !block.isDeleted()
            && !block.isStriped()
            && !nodes.isEmpty()
            && nodes.stream().allMatch(node -> block.findStorageInfo(node) != null)
        ? Optional.of(block)
        : Optional.empty();
  }

  /** As above, by storages. */
  Optional<BlockInfo> last(Collection<DatanodeStorageInfo> storages) {
    return lastOn(storages.stream().map(DatanodeStorageInfo::getDatanodeDescriptor).toList())
        .filter(
            block -> storages.stream().allMatch(storage -> block.findStorageInfo(storage) >= 0));
  }

  @Override
  @Nullable Collection<DatanodeDescriptor> getNodes(Block block) {
    last.set(block);
    return super.getNodes(block);
  }
}
