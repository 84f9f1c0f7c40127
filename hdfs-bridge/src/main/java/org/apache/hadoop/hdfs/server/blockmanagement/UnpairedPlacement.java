/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;
import org.apache.hadoop.net.NodeBase;
import org.jspecify.annotations.Nullable;

/**
 * Hadoop's own placement of replicas among the nodes that a {@link PairPlacementPolicy} leaves to
 * it, as if there were no others: for blocks that lie on such nodes already.
 *
 * <p>Reaches, package-private: BlockPlacementPolicyDefault.isGoodDatanode, which every choice of a
 * node goes through, and excludeNodeByLoad. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class UnpairedPlacement extends BlockPlacementPolicyDefault {
  private final Predicate<DatanodeDescriptor> mayTake;
  private volatile @Nullable UnpairedLoad load;

  /**
   * @param mayTake which nodes may be chosen
   */
  UnpairedPlacement(Predicate<DatanodeDescriptor> mayTake) {
    this.mayTake = mayTake;
  }

  /**
   * {@inheritDoc}
   *
   * @param stats null where a policy is made to judge places only
   */
  @Override
  public void initialize(
      Configuration conf,
      FSClusterStats stats,
      NetworkTopology clusterMap,
      Host2NodesMap host2datanodeMap) {
    UnpairedLoad own = stats == null ? null : new UnpairedLoad(stats, clusterMap, mayTake.negate());
    load = own;
    super.initialize(conf, own, clusterMap, host2datanodeMap);
  }

  @Override
  boolean isGoodDatanode(
      DatanodeDescriptor node,
      int maxTargetPerRack,
      boolean considerLoad,
      List<DatanodeStorageInfo> results,
      boolean avoidStaleNodes) {
    return mayTake.test(node)
        && super.isGoodDatanode(node, maxTargetPerRack, considerLoad, results, avoidStaleNodes);
  }

  @Override
  boolean excludeNodeByLoad(DatanodeDescriptor node) {
    return UnpairedLoad.isTooBusy(load, () -> super.excludeNodeByLoad(node));
  }

  /** Where the nodes to choose from are in one rack, it may take all replicas. */
  @Override
  protected int[] getMaxNodesPerRack(int numOfChosen, int numOfReplicas) {
    int[] most = super.getMaxNodesPerRack(numOfChosen, numOfReplicas);
    Set<String> racks = new HashSet<>();
    for (Node leaf : clusterMap.getLeaves(NodeBase.ROOT)) {
      if (leaf instanceof DatanodeDescriptor node && mayTake.test(node)) {
        racks.add(node.getNetworkLocation());
      }
    }
    return racks.size() > 1 ? most : new int[] {most[0], numOfChosen + most[0]};
  }
}
