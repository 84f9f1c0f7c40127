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
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;
import org.apache.hadoop.hdfs.ExtendedBlockId;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.LocalReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaHandler;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.VolumeFailures;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;
import org.apache.hadoop.util.DiskChecker.DiskErrorException;
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

  @Override
  public long availableBytes(String storageId) throws IOException {
    return dataset.parityVolume(storageId).getAvailable();
  }

  @Override
  public void reportDamaged(String storageId, long blockId) {
    ReplicaInfo replica = dataset.volumeMap.get(blockPoolId(), blockId);
    if (replica == null || !replica.getVolume().getStorageID().equals(storageId)) {
      return;
    }
    try {
      dataset.datanode.reportBadBlocks(new ExtendedBlock(blockPoolId(), replica));
    } catch (IOException e) {
      LOG.warn("Cannot report a damaged replica: block={} storageId={}", blockId, storageId, e);
    }
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
  public boolean replaceFiles(
      String storageId, long blockId, long generationStamp, long lengthBytes, File data, File meta)
      throws IOException {
    ParityVolume volume = dataset.parityVolume(storageId);
    try (AutoCloseDataSetLock lock = dataset.lockReplica(blockPoolId(), volume, blockId)) {
      ReplicaInfo replica = dataset.volumeMap.get(blockPoolId(), blockId);
      if (!(replica instanceof FinalizedReplica finalized)
          || replica.getVolume() != volume
          || replica.getGenerationStamp() != generationStamp
          || replica.getNumBytes() != lengthBytes) {
        return false;
      }
      // After a crash between the two, the data are right and the old checksum file says so or not:
      // never the reverse.
      Path home = new File(finalized.getBlockURI()).toPath();
      Files.move(data.toPath(), home, StandardCopyOption.ATOMIC_MOVE);
      Files.move(
          meta.toPath(),
          new File(finalized.getMetadataURI()).toPath(),
          StandardCopyOption.ATOMIC_MOVE);
      // It was read from the old checksum file, if at all.
      finalized.setLastPartialChunkChecksum(null);
      try (FileChannel directory = FileChannel.open(home.getParent(), StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
    // Clients on this machine may hold the old files open.
    dataset
        .datanode
        .getShortCircuitRegistry()
        .processBlockInvalidation(new ExtendedBlockId(blockId, blockPoolId()));
    return true;
  }

  @Override
  public void breakHardLinks(String storageId, long blockId) throws IOException {
    ReplicaInfo seen = dataset.volumeMap.get(blockPoolId(), blockId);
    if (seen != null) {
      try (AutoCloseDataSetLock lock =
          dataset.lockReplica(blockPoolId(), seen.getVolume(), blockId)) {
        if (dataset.volumeMap.get(blockPoolId(), blockId) instanceof FinalizedReplica replica
            && replica.getVolume().getStorageID().equals(storageId)) {
          FsVolumeSpi volume = replica.getVolume();
          HardLinks.breakLinks(
              volume.getFileIoProvider(),
              volume,
              new File(replica.getBlockURI()),
              new File(replica.getMetadataURI()));
          replica.setLastPartialChunkChecksum(null);
          return;
        }
      }
    }
    throw new IOException(
        "Cannot change replica in place: block="
            + blockId
            + ", expected a finalized one on storageId="
            + storageId);
  }

  @Override
  public void discard(String storageId, long blockId, long generationStamp) throws IOException {
    ReplicaInfo replica = dataset.volumeMap.get(blockPoolId(), blockId);
    if (replica == null) {
      // Hadoop has dropped it from its map already, perhaps without being heard by every NameNode.
      dataset.datanode.notifyNamenodeDeletedBlock(
          new ExtendedBlock(blockPoolId(), blockId, 0, generationStamp), storageId);
      return;
    }
    // As it is now: a client that recovers it after all gives it another generation stamp.
    Block discarded = new Block(replica);
    ReplicaState state = replica.getState();
    boolean isLeftBehind =
        (state == ReplicaState.RBW || state == ReplicaState.RWR)
            && discarded.getGenerationStamp() < generationStamp;
    boolean isAsOrdered =
        state == ReplicaState.FINALIZED && discarded.getGenerationStamp() <= generationStamp;
    if (!replica.getVolume().getStorageID().equals(storageId) || !isAsOrdered && !isLeftBehind) {
      throw new IOException(
          "Cannot discard replica: block="
              + discarded
              + " state="
              + state
              + " storageId="
              + replica.getVolume().getStorageID()
              + ", expected on "
              + storageId
              + " a finalized one with a generation stamp up to "
              + generationStamp
              + ", or one being written with an earlier one");
    }
    if (replica instanceof ReplicaInPipeline written) {
      written.stopWriter(dataset.datanode.getDnConf().getXceiverStopTimeout());
    }
    dataset.invalidate(blockPoolId(), new Block[] {discarded});
  }

  @Override
  public void findRefusedDeletes(String storageId, LongPredicate isWanted) throws IOException {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (volume.getStorageID().equals(storageId) && volume instanceof ParityVolume parityVolume) {
        for (ScanInfo found : parityVolume.takeRefusedDeletes(blockPoolId(), isWanted)) {
          dataset.checkAndUpdate(blockPoolId(), found);
        }
      }
    }
  }

  /** At once: the DataNode's own checks are skipped for 15 minutes after one. */
  @Override
  public boolean checkDisk(String storageId) {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (volume.getStorageID().equals(storageId)) {
        try {
          volume.check(null);
          DiskIoCheck.check(volume.getTmpDir(blockPoolId()));
          return true;
        } catch (DiskErrorException e) {
          declareFailed(List.of(storageId), e.toString());
          return false;
        } catch (IOException e) {
          LOG.info(
              "Block pool is not on the volume: storageId={} cause={}", storageId, e.toString());
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void checkDiskLater(String storageId) {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (volume.getStorageID().equals(storageId)) {
        dataset.datanode.checkDiskErrorAsync(volume);
      }
    }
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
    VolumeFailures.handle(dataset.datanode, failed);
  }
}
