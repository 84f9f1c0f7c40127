/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

/**
 * Has HDFS rebuild what a block lacks, as BlockManager.updateNeededReconstructions does, which is
 * private.
 *
 * <p>Reaches, package-private: BlockManager.neededReconstruction, hasEnoughEffectiveReplicas;
 * LowRedundancyBlocks.add. Checked for Hadoop 3.5.0. Stateless.
 */
final class LackingBlocks {
  private LackingBlocks() {}

  /**
   * Queues a block that lacks replicas, units or racks; the caller holds the lock for writing.
   *
   * @param pending replicas that are being made
   */
  static void queue(BlockManager blocks, BlockInfo block, int pending) {
    NumberReplicas count = blocks.countNodes(block);
    if (!blocks.hasEnoughEffectiveReplicas(block, count, pending)) {
      blocks.neededReconstruction.add(
          block,
          count.liveReplicas(),
          count.readOnlyReplicas(),
          count.outOfServiceReplicas(),
          blocks.getExpectedRedundancyNum(block));
    }
  }
}
