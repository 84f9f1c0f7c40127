/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlock;
import io.hdfsparity.bridge.namenode.DegradedBlocks.LastBlocks;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;

/**
 * Looks for blocks that have no good replica but on some storages. A block with a replica that is
 * damaged or missing lacks one, so it is queued or being copied; only blocks that are being written
 * are not, and those are found by their damaged replicas.
 *
 * <p>Reaches, package-private: BlockManager.corruptReplicas, isExcess; CorruptReplicasMap;
 * DatanodeStorageInfo. Checked for Hadoop 3.5.0. The caller holds the block manager's lock. For one
 * look.
 */
final class LastGoodReplicas {
  private final BlockManager blocks;
  private final SuperchunkRouter router;
  private final BlockSuperchunks superchunks;
  private final Set<String> wanted;
  private final Predicate<String> isSilent;
  private final Map<DatanodeStorageInfo, Boolean> answers = new HashMap<>();
  private final Map<Long, LastBlock> found = new LinkedHashMap<>();

  /**
   * @param wanted storages that may fail
   * @param isSilent whether a storage may be gone already; asked once for each
   */
  LastGoodReplicas(
      BlockManager blocks,
      SuperchunkRouter router,
      BlockSuperchunks superchunks,
      Collection<String> wanted,
      Predicate<String> isSilent) {
    this.blocks = blocks;
    this.router = router;
    this.superchunks = superchunks;
    this.wanted = Set.copyOf(wanted);
    this.isSilent = isSilent;
  }

  /**
   * Looks at all of these blocks.
   *
   * @param copies superchunks of blocks that are being copied, by the blocks' ids
   */
  LastBlocks look(CoveredQueues queues, Map<Long, Long> copies) {
    queues.forEach(this::lookAtQueued);
    copies.forEach(
        (blockId, superchunkId) -> {
          BlockInfo block = blocks.getStoredBlock(new Block(blockId));
          if (block != null) {
            look(block, OptionalLong.of(superchunkId));
          }
        });
    for (Block marked : blocks.corruptReplicas.getCorruptBlocksSet()) {
      BlockInfo block = blocks.getStoredBlock(marked);
      if (block != null && !block.isStriped() && !found.containsKey(block.getBlockId())) {
        lookAtMarked(block);
      }
    }
    return new LastBlocks(haveReported(), List.copyOf(found.values()));
  }

  private void lookAtQueued(BlockInfo block, long key) {
    if (key != CoveredQueues.NOWHERE) {
      look(block, key == CoveredQueues.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(key));
    }
  }

  private void lookAtMarked(BlockInfo block) {
    List<String> all = SuperchunkRouter.ids(List.of(blocks.getStorages(block)));
    OptionalLong key = router.keyOf(block);
    Optional<Home> home = superchunks.of(block.getBlockId(), all);
    if (home.isPresent()) {
      look(block, OptionalLong.of(home.get().superchunkId()));
    } else if (key.isPresent()) {
      lookAtQueued(block, key.getAsLong());
    }
  }

  private void look(BlockInfo block, OptionalLong superchunkId) {
    boolean isThere = false;
    Set<String> damagedOn = new HashSet<>();
    for (DatanodeStorageInfo storage : blocks.getStorages(block)) {
      boolean isWanted = wanted.contains(storage.getStorageID());
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      if (blocks.corruptReplicas.isReplicaCorrupt(block, node)) {
        if (!isWanted) {
          damagedOn.add(storage.getStorageID());
        }
      } else if (isWanted) {
        isThere = true;
      } else if (stays(storage) && !blocks.isExcess(node, block)) {
        return;
      }
    }
    found.put(
        block.getBlockId(), new LastBlock(block.getBlockId(), superchunkId, isThere, damagedOn));
  }

  /** Whether a replica there is to be counted on. */
  private boolean stays(DatanodeStorageInfo storage) {
    return answers.computeIfAbsent(
        storage,
        its ->
            its.getDatanodeDescriptor().isAlive()
                && !its.getDatanodeDescriptor().isDecommissioned()
                && !isSilent.test(its.getStorageID()));
  }

  /** Whether HDFS knows what the storages have: a node that comes back reports it later. */
  private boolean haveReported() {
    Set<String> reported = new HashSet<>();
    for (DatanodeDescriptor node : blocks.getDatanodeManager().getDatanodes()) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        if (node.isAlive() && storage.getBlockReportCount() > 0) {
          reported.add(storage.getStorageID());
        }
      }
    }
    return reported.containsAll(wanted);
  }
}
