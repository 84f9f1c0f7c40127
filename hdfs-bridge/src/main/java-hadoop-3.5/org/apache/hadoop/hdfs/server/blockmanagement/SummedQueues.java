/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.function.ToLongFunction;

/**
 * Queues that consist of several, in the counts that lines of Hadoop differ in: Hadoop 3.5 counts
 * blocks whose replicas are badly distributed, 3.4 does not.
 *
 * <p>Reaches: LowRedundancyBlocks.getBadlyDistributedBlocks, package-private. Checked for Hadoop
 * 3.5.0. Thread-safe as LowRedundancyBlocks is.
 */
abstract class SummedQueues extends LowRedundancyBlocks {
  /** Of all queues together. */
  abstract long sumLong(ToLongFunction<LowRedundancyBlocks> count);

  @Override
  long getBadlyDistributedBlocks() {
    return sumLong(LowRedundancyBlocks::getBadlyDistributedBlocks);
  }
}
