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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Looks for blocks that have no good replica but on some storages: at those that the storages have,
 * at those that lack a replica or are being copied, at those with a damaged one, and at those that
 * are being written. A DataNode that fails while a client appends leaves neither a mark nor an
 * entry in a queue; then only the pipeline says where the bytes are.
 *
 * <p>Reaches, package-private: BlockManager.corruptReplicas, isExcess; CorruptReplicasMap;
 * DatanodeStorageInfo. Checked for Hadoop 3.5.0. The caller holds the lock of namespace and blocks.
 * For one look.
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

  /** Where a block is. */
  private record Places(boolean areWanted, boolean areElsewhere, Set<String> damagedOn) {}

  /**
   * Looks at all of these blocks.
   *
   * @param copies superchunks of blocks that are being copied, by the blocks' ids
   * @param open blocks that are being written
   */
  LastBlocks look(CoveredQueues queues, Map<Long, Long> copies, Collection<BlockInfo> open) {
    queues.forEachLacking(this::lookAtQueued);
    copies.forEach(
        (blockId, superchunkId) -> {
          BlockInfo block = blocks.getStoredBlock(new Block(blockId));
          if (block != null) {
            look(block, OptionalLong.of(superchunkId));
          }
        });
    for (Block marked : blocks.corruptReplicas.getCorruptBlocksSet()) {
      BlockInfo block = blocks.getStoredBlock(marked);
      if (block != null) {
        lookIfCovered(block);
      }
    }
    open.forEach(this::lookIfCovered);
    Set<String> reported = new HashSet<>();
    for (DatanodeDescriptor node : blocks.getDatanodeManager().getDatanodes()) {
      for (DatanodeStorageInfo storage : node.getStorageInfos()) {
        if (wanted.contains(storage.getStorageID())) {
          storage.getBlockIterator().forEachRemaining(this::lookIfCovered);
          // A node that comes back reports its blocks later.
          if (node.isAlive() && storage.getBlockReportCount() > 0) {
            reported.add(storage.getStorageID());
          }
        }
      }
    }
    return new LastBlocks(reported.containsAll(wanted), List.copyOf(found.values()));
  }

  private void lookAtQueued(BlockInfo block, long key) {
    if (key != CoveredQueues.NOWHERE) {
      look(block, key == CoveredQueues.UNKNOWN ? OptionalLong.empty() : OptionalLong.of(key));
    }
  }

  /** Most blocks have a replica elsewhere, which is seen before anything is looked up. */
  private void lookIfCovered(BlockInfo block) {
    if (block.isStriped()
        || found.containsKey(block.getBlockId())
        || places(block).areElsewhere()) {
      return;
    }
    Set<DatanodeStorageInfo> all = new LinkedHashSet<>(List.of(blocks.getStorages(block)));
    all.addAll(pipeline(block));
    Optional<Home> home = superchunks.of(block.getBlockId(), SuperchunkRouter.ids(all));
    if (home.isPresent()) {
      look(block, OptionalLong.of(home.get().superchunkId()));
    } else {
      router.keyOf(block).ifPresent(key -> lookAtQueued(block, key));
    }
  }

  private void look(BlockInfo block, OptionalLong superchunkId) {
    Places places = places(block);
    if (!places.areElsewhere()) {
      found.put(
          block.getBlockId(),
          new LastBlock(block.getBlockId(), superchunkId, places.areWanted(), places.damagedOn()));
    }
  }

  private Places places(BlockInfo block) {
    boolean areWanted = false;
    Set<String> damagedOn = Set.of();
    List<DatanodeStorageInfo> pipeline = pipeline(block);
    for (DatanodeStorageInfo storage : blocks.getStorages(block)) {
      if (isDamaged(block, storage)) {
        if (!isWanted(storage)) {
          damagedOn = new HashSet<>(damagedOn);
          damagedOn.add(storage.getStorageID());
        }
      } else if (isWanted(storage)) {
        areWanted = true;
      } else if ((pipeline.isEmpty() || pipeline.contains(storage)) && isGood(block, storage)) {
        return new Places(areWanted, true, damagedOn);
      }
    }
    for (DatanodeStorageInfo storage : pipeline) {
      if (isWanted(storage)) {
        areWanted = true;
      } else if (!isDamaged(block, storage) && isGood(block, storage)) {
        return new Places(areWanted, true, damagedOn);
      }
    }
    return new Places(areWanted, false, damagedOn);
  }

  /**
   * Where a block is being written; others have old replicas of it. Empty: it is not, or unknown.
   */
  private static List<DatanodeStorageInfo> pipeline(BlockInfo block) {
    BlockUnderConstructionFeature writing = block.getUnderConstructionFeature();
    return block.isComplete() || writing == null
        ? List.of()
        : List.of(writing.getExpectedStorageLocations());
  }

  private boolean isWanted(DatanodeStorageInfo storage) {
    return wanted.contains(storage.getStorageID());
  }

  private boolean isDamaged(BlockInfo block, DatanodeStorageInfo storage) {
    return blocks.corruptReplicas.isReplicaCorrupt(block, storage.getDatanodeDescriptor());
  }

  private boolean isGood(BlockInfo block, DatanodeStorageInfo storage) {
    return stays(storage) && !blocks.isExcess(storage.getDatanodeDescriptor(), block);
  }

  /** Whether a replica there is to be counted on. */
  private boolean stays(DatanodeStorageInfo storage) {
    return answers.computeIfAbsent(
        storage,
        its ->
            its.getState() == DatanodeStorage.State.NORMAL
                && its.getDatanodeDescriptor().isAlive()
                && !its.getDatanodeDescriptor().isDecommissioned()
                && !isSilent.test(its.getStorageID()));
  }
}
