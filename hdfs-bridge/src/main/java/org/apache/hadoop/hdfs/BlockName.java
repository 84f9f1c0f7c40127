/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;

/**
 * What tells a block or block group from all others. An id alone does not: a client of a Router
 * sees the blocks of several namespaces, and ids begin at the same number in each.
 *
 * @param poolId of the block pool, which every namespace has one of
 */
public record BlockName(String poolId, long id) {
  /** Of a block, of a unit, or of a block group. */
  public static BlockName of(LocatedBlock located) {
    ExtendedBlock block = located.getBlock();
    return new BlockName(block.getBlockPoolId(), block.getBlockId());
  }

  /** Of the block group that a unit is of. */
  static BlockName ofGroup(LocatedBlock unit) {
    BlockName name = of(unit);
    return new BlockName(
        name.poolId(), name.id() - StripedBlockUtil.getBlockIndex(unit.getBlock().getLocalBlock()));
  }
}
