/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Passes every call on to other hooks, which may change while it is in use. Thread-safe if what it
 * asks for them is.
 */
public abstract class ForwardingVolumeHooks implements VolumeHooks {
  /** For subclasses. */
  protected ForwardingVolumeHooks() {}

  /** Who serves calls that name no block pool. */
  protected abstract VolumeHooks target();

  /** Who serves calls about a block pool. */
  protected abstract VolumeHooks target(String blockPoolId);

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
    target(pool).reserve(pool, blockId, maxBytes);
  }

  @Override
  public void reserveCopy(String pool, long blockId, long sourceBlockId, long maxBytes)
      throws IOException {
    target(pool).reserveCopy(pool, blockId, sourceBlockId, maxBytes);
  }

  @Override
  public void reserveFailed(String pool, long blockId) {
    target(pool).reserveFailed(pool, blockId);
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
    target(pool).finalizing(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    target(pool).reopening(pool, blockId, blockFile, metaFile, maxBytes);
  }

  @Override
  public void reopenFailed(String pool, long blockId) {
    target(pool).reopenFailed(pool, blockId);
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
    target(pool).written(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    target(pool).truncating(pool, blockId, blockFile, metaFile, newLengthBytes);
  }

  @Override
  public boolean removing(String pool, File file) throws IOException {
    return target(pool).removing(pool, file);
  }

  @Override
  public void restored(String pool, File blockFile) throws IOException {
    target(pool).restored(pool, blockFile);
  }

  @Override
  public void lost(String pool, long blockId) throws IOException {
    target(pool).lost(pool, blockId);
  }

  @Override
  public Move moving(String pool, long blockId) throws IOException {
    return target(pool).moving(pool, blockId);
  }

  @Override
  public void movingHere(String pool, long blockId) throws IOException {
    target(pool).movingHere(pool, blockId);
  }

  @Override
  public boolean isPinned(String pool, long blockId) {
    return target(pool).isPinned(pool, blockId);
  }
}
