/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.status.HadoopLine;
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
 * does.
 *
 * <p>Reaches, package-private: the constructor of NotEnoughReplicasException. Checked for Hadoop
 * 3.5.0. Thread-safe.
 */
public class GuardedEcPlacementPolicy extends BlockPlacementPolicyRackFaultTolerant {
  private volatile @Nullable BlockManager blocks;

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
    HadoopLine.current().require();
    if (stats != null) {
      blocks = BlockMapGuardInstaller.install(stats);
    }
    super.initialize(conf, stats, clusterMap, host2datanodeMap);
  }

  /** The block manager whose map is guarded; null where a policy only judges places. */
  final @Nullable BlockManager blocks() {
    return blocks;
  }

  /**
   * Hadoop 3.5.0 looks for the fullest rack of those chosen so far, and throws where none is: as
   * when no node is good. The writer shall get the error that there are too few nodes instead.
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
}
