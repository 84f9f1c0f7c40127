/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The hooks that HDFS holds of a volume: they refuse while the disk is refused, and are served by
 * its frame once the disk has an Lstor again. Thread-safe.
 */
final class VolumeSwitch implements VolumeHooks {
  private final Path directory;
  private final String storageId;
  private volatile VolumeHooks target;

  VolumeSwitch(Path directory, String storageId, VolumeHooks target) {
    this.directory = directory;
    this.storageId = storageId;
    this.target = target;
  }

  Path directory() {
    return directory;
  }

  String storageId() {
    return storageId;
  }

  void serveBy(VolumeHooks hooks) {
    target = hooks;
  }

  @Override
  public long capacityBytes() {
    return target.capacityBytes();
  }

  @Override
  public long availableBytes() {
    return target.availableBytes();
  }

  @Override
  public long usedBytes() {
    return target.usedBytes();
  }

  @Override
  public void reserve(String pool, long blockId, long maxBytes) throws IOException {
    target.reserve(pool, blockId, maxBytes);
  }

  @Override
  public void reserveFailed(String pool, long blockId) {
    target.reserveFailed(pool, blockId);
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
    target.finalizing(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    target.reopening(pool, blockId, blockFile, metaFile, maxBytes);
  }

  @Override
  public void reopenFailed(String pool, long blockId) {
    target.reopenFailed(pool, blockId);
  }

  @Override
  public boolean wantsWrites() {
    return target.wantsWrites();
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
    target.written(pool, blockId, generationStamp, blockFile, metaFile, lengthBytes);
  }

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    target.truncating(pool, blockId, blockFile, metaFile, newLengthBytes);
  }

  @Override
  public boolean removing(String pool, File file) throws IOException {
    return target.removing(pool, file);
  }

  @Override
  public void restored(String pool, File blockFile) throws IOException {
    target.restored(pool, blockFile);
  }

  @Override
  public void lost(String pool, long blockId) throws IOException {
    target.lost(pool, blockId);
  }
}
