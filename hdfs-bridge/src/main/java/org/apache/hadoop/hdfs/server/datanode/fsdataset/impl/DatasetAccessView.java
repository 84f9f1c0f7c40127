/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What hooks may do to the dataset.
 *
 * <p>Reaches: FsDatasetImpl.volumeMap and FsDatasetImpl.datanode (package-private fields),
 * ReplicaMap. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class DatasetAccessView implements DatasetAccess {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetAccessView.class);
  private final ParityFsDataset dataset;

  DatasetAccessView(ParityFsDataset dataset) {
    this.dataset = dataset;
  }

  @Override
  public String blockPoolId() {
    return dataset.blockPoolId();
  }

  @Override
  public List<ReplicaView> replicas(String storageId) {
    List<ReplicaView> views = new ArrayList<>();
    dataset.volumeMap.replicas(
        blockPoolId(),
        iterator -> {
          while (iterator.hasNext()) {
            ReplicaInfo replica = iterator.next();
            if (replica.getVolume().getStorageID().equals(storageId)) {
              views.add(view(replica));
            }
          }
        });
    return views;
  }

  @Override
  public @Nullable ReplicaView replica(String storageId, long blockId) {
    ReplicaInfo replica = dataset.volumeMap.get(blockPoolId(), blockId);
    return replica == null || !replica.getVolume().getStorageID().equals(storageId)
        ? null
        : view(replica);
  }

  private static ReplicaView view(ReplicaInfo replica) {
    return new ReplicaView(
        replica.getBlockId(),
        replica.getGenerationStamp(),
        replica.getBytesOnDisk(),
        replica.getState().name(),
        new File(replica.getBlockURI()),
        new File(replica.getMetadataURI()));
  }

  @Override
  public void install(
      String storageId, long blockId, long generationStamp, long lengthBytes, ReplicaSource source)
      throws IOException {
    ParityVolume volume = dataset.parityVolume(storageId);
    ExtendedBlock block = new ExtendedBlock(blockPoolId(), blockId, lengthBytes, generationStamp);
    try (ReplicaHandler handler =
        dataset.createTemporary(volume.getStorageType(), storageId, block, false)) {
      LocalReplicaInPipeline replica = (LocalReplicaInPipeline) handler.getReplica();
      try {
        write(volume, replica, lengthBytes, source);
        dataset.finalizeBlock(block, true);
      } catch (IOException | RuntimeException e) {
        replica.releaseAllBytesReserved();
        try {
          dataset.unfinalizeBlock(block);
        } catch (IOException | RuntimeException cleanup) {
          e.addSuppressed(cleanup);
        }
        throw e;
      }
    }
    dataset.datanode.notifyNamenodeReceivedBlock(block, "", storageId, false);
  }

  private static void write(
      FsVolumeSpi volume, LocalReplicaInPipeline replica, long lengthBytes, ReplicaSource source)
      throws IOException {
    FileIoProvider files = volume.getFileIoProvider();
    try (FileOutputStream data = files.getFileOutputStream(volume, replica.getBlockFile());
        FileOutputStream meta = files.getFileOutputStream(volume, replica.getMetaFile())) {
      source.writeTo(data::write, meta::write);
      files.sync(volume, data);
      files.sync(volume, meta);
    }
    if (replica.getBlockFile().length() != lengthBytes) {
      throw new IOException(
          "Cannot install replica: lengthBytes="
              + replica.getBlockFile().length()
              + ", expected "
              + lengthBytes
              + ", file="
              + replica.getBlockFile());
    }
    replica.setNumBytes(lengthBytes);
    replica.setLastChecksumAndDataLen(lengthBytes, null);
    replica.setBytesAcked(lengthBytes);
  }

  @Override
  public void declareFailed(List<String> storageIds, String reason) {
    Set<FsVolumeSpi> failed = new HashSet<>();
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (storageIds.contains(volume.getStorageID())) {
        failed.add(volume);
      }
    }
    LOG.warn(
        "Declaring volumes failed: storageIds={}, inService={}, reason={}",
        storageIds,
        failed.size(),
        reason);
    dataset.datanode.handleVolumeFailures(failed);
  }

  @Override
  public void checkVolume(String storageId) {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (volume.getStorageID().equals(storageId)) {
        dataset.datanode.checkDiskErrorAsync(volume);
      }
    }
  }
}
