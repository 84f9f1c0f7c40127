/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the hooks of a volume what FsDatasetImpl does with finalized replicas past its volumes: it
 * changes them in place, moves them, and takes note of what the directory scanner has found.
 *
 * <p>Reaches, package-private in FsDatasetImpl: volumeMap. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class FinalizedReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(FinalizedReplicas.class);

  private final ParityFsDataset dataset;
  private final DatasetHookChain hooks;

  FinalizedReplicas(ParityFsDataset dataset, DatasetHookChain hooks) {
    this.dataset = dataset;
    this.hooks = hooks;
  }

  /** What HDFS does with a replica. */
  @FunctionalInterface
  interface Step {
    void run() throws IOException;
  }

  /** A replica may have been cut or given another generation stamp without being finalized. */
  void changedInPlace(String pool, long blockId) throws IOException {
    ReplicaInfo seen = dataset.volumeMap.get(pool, blockId);
    if (seen == null || !(seen.getVolume() instanceof ParityVolume volume)) {
      return;
    }
    try (AutoCloseDataSetLock lock = dataset.lockReplica(pool, volume, blockId)) {
      ReplicaInfo replica = dataset.volumeMap.get(pool, blockId);
      // Reopened or deleted by another thread since: then that one has called the hooks.
      if (replica != null && replica.getState() == ReplicaState.FINALIZED) {
        volume
            .hooks()
            .finalizing(
                pool,
                blockId,
                replica.getGenerationStamp(),
                new File(replica.getBlockURI()),
                new File(replica.getMetadataURI()),
                replica.getNumBytes());
      }
    }
  }

  /** A file found by the directory scanner, on a volume with hooks. */
  void found(String pool, ParityVolume volume, ScanInfo found, Step check) {
    try (AutoCloseDataSetLock lock = dataset.lockReplica(pool, volume, found.getBlockId())) {
      if (ScannedFiles.announce(
          dataset.volumeMap.get(pool, found.getBlockId()), pool, volume, found)) {
        check.run();
      }
    } catch (IOException e) {
      // The scanner would give up its whole round; this file is seen again in the next one.
      LOG.error(
          "Cannot take note of a file found by the directory scanner: blockId={}, file={}",
          found.getBlockId(),
          found.getBlockFile(),
          e);
    }
  }

  /** Whether the hooks of its volume keep a replica where it is. */
  boolean isPinned(ExtendedBlock block) {
    ReplicaInfo replica = dataset.volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    return replica != null
        && replica.getVolume() instanceof ParityVolume volume
        && volume.hooks().isPinned(block.getBlockPoolId(), block.getBlockId());
  }

  /** A replica is about to be moved to another volume. */
  VolumeHooks.Move beginMove(ExtendedBlock block) throws IOException {
    ReplicaInfo replica = dataset.volumeMap.get(block.getBlockPoolId(), block.getBlockId());
    if (replica != null && replica.getVolume() instanceof ParityVolume volume) {
      return volume.hooks().moving(block.getBlockPoolId(), block.getBlockId());
    }
    if (!hooks.pairsVolumes()) {
      return () -> {};
    }
    throw new IOException(
        "Cannot move replica: block="
            + block
            + ", expected no DiskBalancer, Mover or storage policy satisfier on a DataNode with"
            + " paired volumes");
  }
}
