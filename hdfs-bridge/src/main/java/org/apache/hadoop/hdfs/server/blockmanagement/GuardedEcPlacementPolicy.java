/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.net.NetworkTopology;

/**
 * Hadoop's own placement of erasure-coded blocks, with the {@link BlockMapGuard}: the value of
 * {@code dfs.block.placement.ec.classname} in every NameNode of a cluster whose files change their
 * level. Places blocks as its superclass does. Thread-safe as that.
 */
public class GuardedEcPlacementPolicy extends BlockPlacementPolicyRackFaultTolerant {
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
    super.initialize(conf, stats, clusterMap, host2datanodeMap);
    if (stats != null) {
      BlockMapGuardInstaller.install(stats);
    }
  }
}
