/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumMap;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's own placement of erasure-coded blocks, with the {@link BlockMapGuard}: the value of
 * {@code dfs.block.placement.ec.classname} in every NameNode of a cluster whose files change their
 * level, or that has erasure-coded files beside paired replicas. Places blocks as its superclass
 * does, but on no node whose storages belong to the pairs of a {@link PairPlacementPolicy}, and
 * where that is the policy of replicas, with the {@link UnpairedLoad} of the other nodes.
 *
 * <p>Reaches, package-private: BlockPlacementPolicyDefault.isGoodDatanode, which every choice of a
 * node goes through, and excludeNodeByLoad; the constructor of NotEnoughReplicasException. Checked
 * for Hadoop 3.5.0. Thread-safe.
 */
public class GuardedEcPlacementPolicy extends BlockPlacementPolicyRackFaultTolerant {
  private volatile @Nullable BlockManager blocks;
  private volatile @Nullable UnpairedLoad load;

  /**
   * {@inheritDoc}
   *
   * @param stats null where a policy is made to judge places only: by fsck in the NameNode, by
   *     Balancer and Mover in processes of their own. These have no map of blocks to guard.
   */
  @Override
  public void initialize(
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap host2datanodeMap) {
    FSClusterStats seen = stats;
    if (stats != null) {
      blocks = BlockMapGuardInstaller.install(stats);
      if (PairPlacementPolicy.isConfigured(conf)) {
        UnpairedLoad own = new UnpairedLoad(stats, clusterMap, this::isForPairs);
        load = own;
        seen = own;
      }
    }
    super.initialize(conf, seen, clusterMap, host2datanodeMap);
  }

  /** The block manager whose map is guarded; null where a policy only judges places. */
  final @Nullable BlockManager blocks() {
    return blocks;
  }

  @Override
  boolean isGoodDatanode(
      DatanodeDescriptor node,
      int maxTargetPerRack,
      boolean considerLoad,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    return !isForPairs(node)
        && super.isGoodDatanode(node, maxTargetPerRack, considerLoad, results, avoidStaleNodes);
  }

  @Override
  boolean excludeNodeByLoad(DatanodeDescriptor node) {
    return UnpairedLoad.isTooBusy(load, () -> super.excludeNodeByLoad(node));
  }

  /**
   * Hadoop 3.5.0 looks for the fullest rack of those chosen so far, and throws where none is: as
   * when every node is for pairs. The writer shall get the error that there are too few nodes
   * instead.
   */
  @Override
  protected Node chooseTargetInOrder(
      int numOfReplicas,
      Node writer,
      Set<Node> excludedNodes,
      long blocksize,
      int maxNodesPerRack,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes,
      boolean newBlock,
      EnumMap<StorageType, Integer> storageTypes)
      throws NotEnoughReplicasException {
    try {
      return super.chooseTargetInOrder(
          numOfReplicas,
          writer,
          excludedNodes,
          blocksize,
          maxNodesPerRack,
          results,
          avoidStaleNodes,
          newBlock,
          storageTypes);
    } catch (NoSuchElementException e) {
      NotEnoughReplicasException none =
          new NotEnoughReplicasException(
              "Cannot place a block: nodes=0, expected " + numOfReplicas);
      none.initCause(e);
      throw none;
    }
  }

  /** Asked each time, since a reconfiguration makes new policies. */
  private boolean isForPairs(DatanodeDescriptor node) {
    BlockManager manager = blocks;
    return manager != null
        && manager.getBlockPlacementPolicy() instanceof PairPlacementPolicy pairs
        && pairs.owns(node);
  }
}
