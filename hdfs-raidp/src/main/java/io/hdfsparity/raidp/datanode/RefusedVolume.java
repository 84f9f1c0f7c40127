/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;

/**
 * The hooks of a volume of a disk that could not be opened: its replicas are read, and nothing of
 * them changes, because no parity would follow. Thread-safe.
 */
class RefusedVolume implements VolumeHooks {
  private final RefusedDisk disk;

  RefusedVolume(RefusedDisk disk) {
    this.disk = disk;
  }

  /** Whether what HDFS does to the replica of a block concerns no parity. */
  boolean isPlain(long blockId) {
    return false;
  }

  final IOException refused(String operation) {
    return disk.refused(operation);
  }

  final void requirePlain(long blockId, String operation) throws IOException {
    if (!isPlain(blockId)) {
      throw refused(operation + " block " + blockId);
    }
  }

  @Override
  public long capacityBytes() {
    return 0;
  }

  @Override
  public long availableBytes() {
    return 0;
  }

  @Override
  public long usedBytes() {
    return 0;
  }

  @Override
  public void reserve(String pool, long blockId, long maxBytes) throws IOException {
    throw refused("create block " + blockId);
  }

  @Override
  public void reserveFailed(String pool, long blockId) {}

  @Override
  public void finalizing(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    requirePlain(blockId, "finalize");
  }

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    requirePlain(blockId, "append to");
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
    requirePlain(blockId, "write");
  }

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    requirePlain(blockId, "truncate");
  }

  @Override
  public boolean removing(String pool, File file) throws IOException {
    throw refused("delete file " + file);
  }

  @Override
  public void restored(String pool, File blockFile) throws IOException {
    throw refused("take in file " + blockFile);
  }
}
