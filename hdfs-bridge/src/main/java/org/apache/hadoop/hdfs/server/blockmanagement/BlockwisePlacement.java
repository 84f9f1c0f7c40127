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
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Placement where replicas in superchunks and replicas that are HDFS's alone lie on the same
 * storages. What is HDFS's alone is placed by Hadoop's default policy, over all nodes. For existing
 * blocks it depends on the block, which {@link NotedBlocks} knows.
 *
 * <p>Reaches, package-private: the methods of BlockPlacementPolicyDefault. Checked for Hadoop
 * 3.5.0. Thread-safe.
 */
final class BlockwisePlacement {
  private static final Logger LOG = LoggerFactory.getLogger(BlockwisePlacement.class);

  /** Of a block that has all it can have. */
  private static final BlockPlacementStatus SATISFIED = new BlockPlacementStatusDefault(1, 1, 1);

  /** Of a block that lacks a replica in its superchunk. */
  private static final BlockPlacementStatus LACKING = new BlockPlacementStatusDefault(1, 2, 2);

  private final BlockPlacementPolicyDefault plain = new BlockPlacementPolicyDefault();
  private volatile Supplier<Optional<NotedBlocks>> noted = Optional::empty;

  void initialize(
      Configuration conf,
      @Nullable FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap hosts) {
    plain.initialize(conf, stats, clusterMap, hosts);
  }

  /** Who places what is HDFS's alone. */
  BlockPlacementPolicyDefault plain() {
    return plain;
  }

  /** From now on asks there which block it is. */
  void know(Supplier<Optional<NotedBlocks>> blocks) {
    noted = blocks;
  }

  /** Whether blocks in superchunks are kept from HDFS's own re-replication. */
  boolean knowsBlocks() {
    return noted.get().isPresent();
  }

  /**
   * Whether replicas are where they should be. A block with both replicas of its superchunk is,
   * whatever the racks. One that lacks a replica there is not, however many others it has: so HDFS
   * queues it, and it is copied to its superchunk. One whose file wants one replica needs no side.
   */
  BlockPlacementStatus verify(DatanodeInfo[] locations, int replicas) {
    NotedBlocks known = noted.get().orElse(null);
    List<DatanodeDescriptor> nodes = new ArrayList<>();
    for (DatanodeInfo location : locations) {
      if (location instanceof DatanodeDescriptor node) {
        nodes.add(node);
      }
    }
    if (known == null || nodes.size() < locations.length || replicas < PairPlacementPolicy.PAIR) {
      return plain.verifyBlockPlacement(locations, replicas);
    }
    Optional<BlockInfo> block = known.lastOn(nodes);
    List<String> storageIds =
        block.stream()
            .flatMap(each -> nodes.stream().map(each::findStorageInfo))
            .map(DatanodeStorageInfo::getStorageID)
            .toList();
    Optional<Home> home =
        block
            .flatMap(each -> known.superchunks().of(each.getBlockId(), storageIds))
            .filter(each -> !each.sides().isEmpty());
    if (home.isEmpty()) {
      return plain.verifyBlockPlacement(locations, replicas);
    }
    return home.get().isWhole(storageIds) ? SATISFIED : LACKING;
  }

  /** Replicas that HDFS may delete, and how it would choose. */
  record Surplus(
      Collection<DatanodeStorageInfo> available,
      Collection<DatanodeStorageInfo> candidates,
      int expected,
      List<StorageType> excessTypes,
      @Nullable DatanodeDescriptor addedNode,
      @Nullable DatanodeDescriptor deleteHint) {}

  /**
   * Which replicas of a block with too many may go. Of a block that is HDFS's alone, those that
   * HDFS chooses. Of one in a superchunk, those outside it, once both replicas in it are there and
   * good; if its file wants one replica, also one of these. While a side is missing, the one on
   * another disk of its node, which is in its way. Of any other, none: an excess replica costs
   * space, a wrong deletion costs bytes.
   */
  List<DatanodeStorageInfo> excess(PairPlacement asked, Surplus surplus) {
    NotedBlocks known = noted.get().orElse(null);
    BlockInfo block =
        known == null ? null : known.last(List.copyOf(surplus.available())).orElse(null);
    if (known == null || block == null) {
      return List.of();
    }
    BlockSuperchunks superchunks = known.superchunks();
    List<String> present = SuperchunkRouter.ids(surplus.available());
    List<String> all = storages(block);
    if (superchunks.isProvenPlain(block.getBlockId(), all)) {
      return plain.chooseReplicasToDelete(
          surplus.available(),
          surplus.candidates(),
          surplus.expected(),
          surplus.excessTypes(),
          surplus.addedNode(),
          surplus.deleteHint());
    }
    Optional<Home> home = superchunks.of(block.getBlockId(), present);
    if (home.isPresent() && home.get().isWhole(present)) {
      return outside(home.get(), surplus);
    }
    Optional<DatanodeStorageInfo> besideSide =
        home.flatMap(each -> each.lacking(present)).flatMap(side -> besideSide(side, surplus));
    if (besideSide.isEmpty()) {
      asked.excessUndecided(block.getBlockId(), all);
      return List.of();
    }
    LOG.info(
        "Deleting the replica of {} on {}: another disk of its node is to have it",
        block,
        besideSide.get());
    return List.of(besideSide.get());
  }

  /** A replica on another disk of the side's node, where the side gets none beside it. */
  private static Optional<DatanodeStorageInfo> besideSide(Target side, Surplus surplus) {
    return surplus.available().size() <= surplus.expected()
        ? Optional.empty()
        : surplus.candidates().stream()
            .filter(
                storage ->
                    storage.getDatanodeDescriptor().getDatanodeUuid().equals(side.nodeUuid())
                        && !storage.getStorageID().equals(side.storageId()))
            .findFirst();
  }

  private static List<DatanodeStorageInfo> outside(Home home, Surplus surplus) {
    Set<String> sides =
        home.sides().stream().map(Target::storageId).collect(Collectors.toUnmodifiableSet());
    List<DatanodeStorageInfo> order = new ArrayList<>(surplus.candidates());
    order.sort(
        Comparator.comparing(
                (DatanodeStorageInfo storage) -> sides.contains(storage.getStorageID()))
            .thenComparing(storage -> !surplus.excessTypes().contains(storage.getStorageType()))
            .thenComparing(storage -> !storage.getDatanodeDescriptor().equals(surplus.deleteHint()))
            .thenComparing(DatanodeStorageInfo::getRemaining));
    boolean wantsPair = surplus.expected() >= PairPlacementPolicy.PAIR;
    return order.stream()
        .filter(storage -> !wantsPair || !sides.contains(storage.getStorageID()))
        .limit(Math.max(0, surplus.available().size() - surplus.expected()))
        .toList();
  }

  /** All of a block, also those that do not count. */
  private static List<String> storages(BlockInfo block) {
    List<String> storageIds = new ArrayList<>();
    block.getStorageInfos().forEachRemaining(each -> storageIds.add(each.getStorageID()));
    return storageIds;
  }
}
