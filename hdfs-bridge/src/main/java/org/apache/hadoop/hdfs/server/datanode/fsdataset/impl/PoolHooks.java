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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The hooks of a volume, which hear nothing of block pools that are HDFS's alone. What has no block
 * pool is theirs: those who ask for it look at the pool themselves. Thread-safe.
 */
final class PoolHooks implements VolumeHooks {
  private static final Move NOTHING = () -> {};
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
  public boolean countsSpace() {
    return hooks.countsSpace();
  }

  @Override
  public boolean needsNamedStorage() {
    return hooks.needsNamedStorage();
  }

  @Override
  public long capacityBytes() {
    return hooks.capacityBytes();
  }

  @Override
  public long availableBytes() {
    return hooks.availableBytes();
  }

  @Override
  public long usedBytes() {
    return hooks.usedBytes();
  }

  @Override
  public boolean wantsWrites() {
    return hooks.wantsWrites();
  }

  @Override
  public @Nullable SnapshotReads snapshotReads() {
    return hooks.snapshotReads();
  }

  @Override
  public void reserve(String pool, long blockId, long maxBytes) throws IOException {
    if (!isStock.test(pool)) {
      hooks.reserve(pool, blockId, maxBytes);
    }
  }

  @Override
  public void reserveFailed(String pool, long blockId) {
    if (!isStock.test(pool)) {
      hooks.reserveFailed(pool, blockId);
    }
  }

  @Override
  public void finalizing(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    if (!isStock.test(pool)) {
      hooks.finalizing(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
    }
  }

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    if (!isStock.test(pool)) {
      hooks.reopening(pool, blockId, blockFile, metaFile, maxBytes);
    }
  }

  @Override
  public void reopenFailed(String pool, long blockId) {
    if (!isStock.test(pool)) {
      hooks.reopenFailed(pool, blockId);
    }
  }

  @Override
  public void written(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    if (!isStock.test(pool)) {
      hooks.written(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
    }
  }

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    if (!isStock.test(pool)) {
      hooks.truncating(pool, blockId, blockFile, metaFile, newLengthBytes);
    }
  }

  @Override
  public boolean removing(String pool, File file) throws IOException {
    return !isStock.test(pool) && hooks.removing(pool, file);
  }

  @Override
  public void restored(String pool, File blockFile) throws IOException {
    if (!isStock.test(pool)) {
      hooks.restored(pool, blockFile);
    }
  }

  @Override
  public void lost(String pool, long blockId) throws IOException {
    if (!isStock.test(pool)) {
      hooks.lost(pool, blockId);
    }
  }

  @Override
  public Move moving(String pool, long blockId) throws IOException {
    return isStock.test(pool) ? NOTHING : hooks.moving(pool, blockId);
  }

  @Override
  public void movingHere(String pool, long blockId) throws IOException {
    if (!isStock.test(pool)) {
      hooks.movingHere(pool, blockId);
    }
  }
}
