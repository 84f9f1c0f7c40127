/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes what the directory scanner found to the hooks of its volume. The caller holds the lock of
 * the block's directory. Stateless.
 */
final class ScannedFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ScannedFiles.class);

  private ScannedFiles() {}

  /**
   * Tells the hooks what FsDatasetImpl.checkAndUpdate is about to do.
   *
   * @param known the replica in the dataset's map
   * @return false when it must not do it
   */
  static boolean announce(
      @Nullable ReplicaInfo known, String pool, ParityVolume volume, ScanInfo found)
      throws IOException {
    long blockId = found.getBlockId();
    if (known != null && known.getState() != ReplicaState.FINALIZED) {
      return true; // The dataset ignores it.
    }
    File block = existing(found.getBlockFile());
    File meta = existing(found.getMetaFile());
    if (block == null) {
      if (known == null) {
        // The dataset would delete it with the DataNode's own FileIoProvider, past the hooks.
        if (meta != null && !volume.getFileIoProvider().delete(volume, meta)) {
          LOG.warn("Cannot delete a checksum file without a block: file={}; it stays", meta);
        }
        return false;
      }
      if (known.getVolume() == volume && !known.blockDataExists()) {
        volume.hooks().lost(pool, blockId);
      }
      return true;
    }
    if (known == null || !known.blockDataExists()) {
      volume.hooks().restored(pool, block);
      return true;
    }
    if (known.getBlockURI().equals(block.toURI())) {
      if (block.length() != known.getNumBytes()) {
        volume.hooks().restored(pool, block);
      }
      return true;
    }
    if (isMovable(known, pool) && isMovable(volume, pool, blockId)) {
      return true; // The dataset keeps one, as after a move that was cut short.
    }
    // Two files of one block. Which to keep is Hadoop's choice by generation stamp and length; the
    // hooks know blocks by id,
    // so a choice made here could hit the wrong one.
    LOG.error(
        "Cannot resolve duplicate replica: blockId={}, expected one file, known={}, file={}; both stay",
        blockId,
        known.getBlockURI(),
        block);
    return false;
  }

  private static boolean isMovable(ReplicaInfo known, String pool) {
    return !(known.getVolume() instanceof ParityVolume volume)
        || isMovable(volume, pool, known.getBlockId());
  }

  private static boolean isMovable(ParityVolume volume, String pool, long blockId) {
    try (VolumeHooks.Move asked = volume.hooks().moving(pool, blockId)) {
      return true;
    } catch (IOException e) {
      LOG.debug("A replica is not HDFS's alone: blockId={}", blockId, e);
      return false;
    }
  }

  private static @Nullable File existing(@Nullable File file) {
    return file != null && file.exists() ? file : null;
  }
}
