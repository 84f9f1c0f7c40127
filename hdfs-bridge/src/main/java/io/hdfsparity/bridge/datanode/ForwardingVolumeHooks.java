/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.jspecify.annotations.Nullable;

/**
 * Passes every call on to other hooks, which may change while it is in use. Thread-safe if what it
 * asks for them is.
 */
public abstract class ForwardingVolumeHooks implements VolumeHooks {
  /** For subclasses. */
  protected ForwardingVolumeHooks() {}

  /** Who serves calls that name no block. */
  protected abstract VolumeHooks target();

  /** Who serves calls about a block of a block pool. */
  protected abstract VolumeHooks target(String blockPoolId, long blockId);

  /** Who serves calls about a file; one that is no block's counts as block 0. */
  private VolumeHooks target(String pool, File file) {
    return target(pool, Block.getBlockId(file.getName()));
  }

  @Override
  public boolean wantsWrites() {
    return target().wantsWrites();
  }

  @Override
  public @Nullable SnapshotReads snapshotReads() {
    return target().snapshotReads();
  }

  @Override
  public void reserve(String pool, long blockId, long maxBytes) throws IOException {
    target(pool, blockId).reserve(pool, blockId, maxBytes);
  }

  @Override
  public void reserveCopy(String pool, long blockId, long sourceBlockId, long maxBytes)
      throws IOException {
    target(pool, blockId).reserveCopy(pool, blockId, sourceBlockId, maxBytes);
  }

  @Override
  public void reserveFailed(String pool, long blockId) {
    target(pool, blockId).reserveFailed(pool, blockId);
  }

  @Override
  public void beforeFinalizing(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    target(pool, blockId)
        .beforeFinalizing(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void finalizeFailed(String pool, long blockId) {
    target(pool, blockId).finalizeFailed(pool, blockId);
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
    target(pool, blockId)
        .finalizing(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void beforeReopening(String pool, long blockId, long maxBytes) throws IOException {
    target(pool, blockId).beforeReopening(pool, blockId, maxBytes);
  }

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    target(pool, blockId).reopening(pool, blockId, blockFile, metaFile, maxBytes);
  }

  @Override
  public void reopenFailed(String pool, long blockId) {
    target(pool, blockId).reopenFailed(pool, blockId);
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
    target(pool, blockId).written(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    target(pool, blockId).truncating(pool, blockId, blockFile, metaFile, newLengthBytes);
  }

  @Override
  public boolean removing(String pool, File file) throws IOException {
    return target(pool, file).removing(pool, file);
  }

  @Override
  public void restored(String pool, File blockFile) throws IOException {
    target(pool, blockFile).restored(pool, blockFile);
  }

  @Override
  public void lost(String pool, long blockId) throws IOException {
    target(pool, blockId).lost(pool, blockId);
  }

  @Override
  public Move moving(String pool, long blockId) throws IOException {
    return target(pool, blockId).moving(pool, blockId);
  }

  @Override
  public void movingHere(String pool, long blockId) throws IOException {
    target(pool, blockId).movingHere(pool, blockId);
  }

  @Override
  public boolean isPinned(String pool, long blockId) {
    return target(pool, blockId).isPinned(pool, blockId);
  }
}
