/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockType;
import org.jspecify.annotations.Nullable;

/**
 * The hooks of a volume that two features share: calls about units of erasure-coded files go to one
 * of them, calls about replicas to the other. Thread-safe if both are.
 */
final class SharedVolumeHooks implements VolumeHooks {
  private final VolumeHooks replicas;
  private final VolumeHooks units;

  SharedVolumeHooks(VolumeHooks replicas, VolumeHooks units) {
    this.replicas = replicas;
    this.units = units;
  }

  private VolumeHooks of(long blockId) {
    return BlockType.fromBlockId(blockId) == BlockType.STRIPED ? units : replicas;
  }

  /** A file that is none of a block is for who has the replicas. */
  private VolumeHooks of(File file) {
    return of(Block.getBlockId(file.getName()));
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

  @Override
  public void reserve(String blockPoolId, long blockId, long maxBytes) throws IOException {
    of(blockId).reserve(blockPoolId, blockId, maxBytes);
  }

  @Override
  public void reserveCopy(String blockPoolId, long blockId, long sourceBlockId, long maxBytes)
      throws IOException {
    of(blockId).reserveCopy(blockPoolId, blockId, sourceBlockId, maxBytes);
  }

  @Override
  public void reserveFailed(String blockPoolId, long blockId) {
    of(blockId).reserveFailed(blockPoolId, blockId);
  }

  @Override
  public void finalizing(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    of(blockId).finalizing(blockPoolId, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void reopening(
      String blockPoolId, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    of(blockId).reopening(blockPoolId, blockId, blockFile, metaFile, maxBytes);
  }

  @Override
  public void reopenFailed(String blockPoolId, long blockId) {
    of(blockId).reopenFailed(blockPoolId, blockId);
  }

  @Override
  public void written(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    of(blockId).written(blockPoolId, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void truncating(
      String blockPoolId, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    of(blockId).truncating(blockPoolId, blockId, blockFile, metaFile, newLengthBytes);
  }

  @Override
  public void lost(String blockPoolId, long blockId) throws IOException {
    of(blockId).lost(blockPoolId, blockId);
  }

  @Override
  public Move moving(String blockPoolId, long blockId) throws IOException {
    return of(blockId).moving(blockPoolId, blockId);
  }

  @Override
  public void movingHere(String blockPoolId, long blockId) throws IOException {
    of(blockId).movingHere(blockPoolId, blockId);
  }

  @Override
  public boolean isPinned(String blockPoolId, long blockId) {
    return of(blockId).isPinned(blockPoolId, blockId);
  }

  @Override
  public boolean removing(String blockPoolId, File file) throws IOException {
    return of(file).removing(blockPoolId, file);
  }

  @Override
  public void restored(String blockPoolId, File blockFile) throws IOException {
    of(blockFile).restored(blockPoolId, blockFile);
  }
}
