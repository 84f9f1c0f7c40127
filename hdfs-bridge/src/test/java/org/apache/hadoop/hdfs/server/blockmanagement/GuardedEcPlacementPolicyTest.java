/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.apache.hadoop.net.NetworkTopology;
import org.junit.jupiter.api.Test;

/** The policy where there is no NameNode's map of blocks. */
class GuardedEcPlacementPolicyTest {
  /** As Balancer, Dispatcher and NamenodeFsck make theirs: without statistics. */
  @Test
  void isMadeWithoutStatisticsToJudgePlaces() {
    Configuration conf = new HdfsConfiguration();
    conf.set(
        DFSConfigKeys.DFS_BLOCK_PLACEMENT_EC_CLASSNAME_KEY,
        GuardedEcPlacementPolicy.class.getName());
    BlockPlacementPolicies policies =
        new BlockPlacementPolicies(conf, null, NetworkTopology.getInstance(conf), null);
    assertThat(policies.getPolicy(BlockType.STRIPED)).isInstanceOf(GuardedEcPlacementPolicy.class);
  }
}
