/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.ForwardingVolumeHooks;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.jspecify.annotations.Nullable;

/**
 * The hooks of a volume that two features share: calls about units of erasure-coded files go to one
 * of them, all others to the one that has the replicas. Thread-safe if both are.
 */
final class SharedVolumeHooks extends ForwardingVolumeHooks {
  private final VolumeHooks replicas;
  private final VolumeHooks units;

  SharedVolumeHooks(VolumeHooks replicas, VolumeHooks units) {
    this.replicas = replicas;
    this.units = units;
  }

  @Override
  protected VolumeHooks target() {
    return replicas;
  }

  @Override
  protected VolumeHooks target(String blockPoolId, long blockId) {
    return BlockType.fromBlockId(blockId) == BlockType.STRIPED ? units : replicas;
  }

  @Override
  public @Nullable SnapshotReads snapshotReads() {
    SnapshotReads ofReplicas = replicas.snapshotReads();
    return ofReplicas == null ? units.snapshotReads() : ofReplicas;
  }

  @Override
  public boolean wantsWrites() {
    return replicas.wantsWrites() || units.wantsWrites();
  }
}
