/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.ForwardingVolumeHooks;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.util.function.Predicate;

/**
 * The hooks of a volume, which hear nothing of block pools that are HDFS's alone. What has no block
 * pool is theirs: those who ask for it look at the pool themselves. Thread-safe.
 */
final class PoolHooks extends ForwardingVolumeHooks {
  private final VolumeHooks hooks;
  private final Predicate<String> isStock;

  /**
   * Of a volume.
   *
   * @param isStock whether a block pool is HDFS's alone
   */
  PoolHooks(VolumeHooks hooks, Predicate<String> isStock) {
    this.hooks = hooks;
    this.isStock = isStock;
  }

  @Override
  protected VolumeHooks target() {
    return hooks;
  }

  @Override
  protected VolumeHooks target(String pool, long blockId) {
    return isStock.test(pool) ? NoVolumeHooks.INSTANCE : hooks;
  }
}
