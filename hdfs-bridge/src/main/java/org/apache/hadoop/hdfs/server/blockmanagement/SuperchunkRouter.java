/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Says in which queue a block that lacks replicas belongs.
 *
 * <p>Reaches, package-private: BlockManager.corruptReplicas, getExpectedRedundancyNum;
 * CorruptReplicasMap. Checked for Hadoop 3.5.0. Thread-safe, for holders of the block manager's
 * lock.
 */
final class SuperchunkRouter implements CoveredQueues.Router {
  private final BlockManager blocks;
  private final PairPlacement placement;
  private final BlockSuperchunks superchunks;
  private final UnloweredFiles unlowered;

  /**
   * @param placement tells which nodes are left to HDFS
   * @param superchunks tells where a block belongs
   * @param unlowered files that ask for more replicas than a superchunk has
   */
  SuperchunkRouter(
      BlockManager blocks,
      PairPlacement placement,
      BlockSuperchunks superchunks,
      UnloweredFiles unlowered) {
    this.blocks = blocks;
    this.placement = placement;
    this.superchunks = superchunks;
    this.unlowered = unlowered;
  }

  /**
   * {@inheritDoc}
   *
   * <p>A block is HDFS's if it has replicas, and all on nodes that are left to HDFS, or if it is
   * known that no row of it exists. In doubt it is not.
   */
  @Override
  public OptionalLong keyOf(BlockInfo block) {
    if (block.isStriped()) {
      return OptionalLong.empty();
    }
    List<DatanodeStorageInfo> all = List.of(blocks.getStorages(block));
    boolean plain = true;
    for (DatanodeStorageInfo storage : all) {
      plain &= placement.leavesToHdfs(storage.getDatanodeDescriptor().getDatanodeUuid());
    }
    List<String> storageIds = good(block, all);
    if (storageIds.isEmpty()) {
      return OptionalLong.of(CoveredQueues.NOWHERE);
    }
    if (plain || superchunks.isPlain(block.getBlockId(), ids(all))) {
      return OptionalLong.empty();
    }
    Optional<Home> home = superchunks.of(block.getBlockId(), storageIds);
    if (home.isPresent()
        && (isForHdfs(block, home.get(), all) || needsReplicaElsewhere(block, home.get(), all))) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(home.map(Home::superchunkId).orElse(CoveredQueues.UNKNOWN));
  }

  /**
   * Whether a block has all that its superchunk can give it, and its file has asked for more for
   * long: a snapshot may want the third replica, or a block of the file cannot be covered.
   */
  private boolean isForHdfs(BlockInfo block, Home home, List<DatanodeStorageInfo> all) {
    return block.getReplication() > PairPlacementPolicy.PAIR
        && unlowered.isOverdue(block.getBlockCollectionId())
        && home.isWhole(
            ids(
                all.stream()
                    .filter(
                        storage ->
                            storage.getDatanodeDescriptor().isInService()
                                && !isCorrupt(block, storage))
                    .toList()));
  }

  /**
   * Whether the node of the side that a block lacks has it on another disk, and may not delete it
   * yet. A node has no block twice. So HDFS first makes a replica elsewhere; then the one beside
   * the side is deleted ({@link BlockwisePlacement#excess}), and the side gets its own.
   */
  private boolean needsReplicaElsewhere(BlockInfo block, Home home, List<DatanodeStorageInfo> all) {
    return isBesideSide(block, home, all)
        && blocks.countNodes(block).liveReplicas() <= blocks.getExpectedRedundancyNum(block);
  }

  /** Whether the node of the side that a block lacks has a good replica on another disk. */
  private boolean isBesideSide(BlockInfo block, Home home, List<DatanodeStorageInfo> all) {
    return home.lacking(good(block, all))
        .filter(
            side ->
                all.stream()
                    .anyMatch(
                        storage ->
                            isOnNode(storage, side)
                                && storage.getDatanodeDescriptor().isInService()
                                && !isCorrupt(block, storage)
                                && !blocks.isExcess(storage.getDatanodeDescriptor(), block)))
        .isPresent();
  }

  /** As above; so it is in the way of a copy. */
  boolean isBesideSide(BlockInfo block, Home home) {
    return isBesideSide(block, home, List.of(blocks.getStorages(block)));
  }

  private static boolean isOnNode(DatanodeStorageInfo storage, Target side) {
    return storage.getDatanodeDescriptor().getDatanodeUuid().equals(side.nodeUuid())
        && !storage.getStorageID().equals(side.storageId());
  }

  private boolean isCorrupt(BlockInfo block, DatanodeStorageInfo storage) {
    return blocks.corruptReplicas.isReplicaCorrupt(block, storage.getDatanodeDescriptor());
  }

  static List<String> ids(Collection<DatanodeStorageInfo> storages) {
    return storages.stream().map(DatanodeStorageInfo::getStorageID).toList();
  }

  /** Storages of a block that is not known: each says for itself whether it has a row. */
  List<String> toAsk(BlockInfo block) {
    return ids(List.of(blocks.getStorages(block)));
  }

  /**
   * Those whose replica is not marked as corrupt; all, if each is. A replica outside the block's
   * superchunk is given up by such a mark, and its volume may share another one with the survivor.
   */
  private List<String> good(BlockInfo block, List<DatanodeStorageInfo> all) {
    List<String> storageIds =
        ids(all.stream().filter(storage -> !isCorrupt(block, storage)).toList());
    return storageIds.isEmpty() ? ids(all) : storageIds;
  }
}
