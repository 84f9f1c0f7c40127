/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.BlockIterator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The blocks of a volume without those that its hooks keep where they are, for DiskBalancer: that
 * abandons a volume after a few replicas that it cannot move. For one thread, as what it is around.
 */
final class MovableBlocks implements BlockIterator {
  /** DiskBalancer.DiskBalancerMover's name for its iterators. */
  static final String NAME = "DiskBalancerSource";

  private static final Logger LOG = LoggerFactory.getLogger(MovableBlocks.class);
  private final BlockIterator all;
  private final VolumeHooks hooks;

  MovableBlocks(BlockIterator all, VolumeHooks hooks) {
    this.all = all;
    this.hooks = hooks;
  }

  @Override
  public @Nullable ExtendedBlock nextBlock() throws IOException {
    while (true) {
      ExtendedBlock block = all.nextBlock();
      if (block == null || isMovable(block)) {
        return block;
      }
    }
  }

  private boolean isMovable(ExtendedBlock block) {
    try (VolumeHooks.Move asked = hooks.moving(block.getBlockPoolId(), block.getBlockId())) {
      return true;
    } catch (IOException e) {
      LOG.info("The disk balancer passes over a replica: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public boolean atEnd() {
    return all.atEnd();
  }

  @Override
  public void rewind() {
    all.rewind();
  }

  @Override
  public void save() throws IOException {
    all.save();
  }

  @Override
  public void setMaxStalenessMs(long maxStalenessMs) {
    all.setMaxStalenessMs(maxStalenessMs);
  }

  @Override
  public long getIterStartMs() {
    return all.getIterStartMs();
  }

  @Override
  public long getLastSavedMs() {
    return all.getLastSavedMs();
  }

  @Override
  public String getBlockPoolId() {
    return all.getBlockPoolId();
  }

  @Override
  public void close() throws IOException {
    all.close();
  }
}
