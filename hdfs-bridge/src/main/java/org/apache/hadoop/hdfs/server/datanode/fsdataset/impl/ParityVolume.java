/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DF;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.Storage.StorageDirectory;
import org.apache.hadoop.hdfs.server.datanode.DatanodeUtil;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.PacketReportingReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaBeingWritten;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi.ScanInfo;

/**
 * A volume with hooks: asks them before a replica is made, reopened or finalized, and takes its
 * capacity from them.
 *
 * <p>Reaches, all package-private in FsVolumeImpl: its constructor, addFinalizedBlock,
 * getBlockPoolUsed, getActualNonDfsUsed, getDfAvailable, getFinalizedDir's siblings getRbwDir and
 * getTmpDir (protected). Checked for Hadoop 3.5.0. Thread-safe; Hadoop calls it under the lock of
 * the block's directory.
 *
 * <p>Not final: Hadoop's own tests, which are run with it, put a spy around the volume.
 */
public class ParityVolume extends FsVolumeImpl {
  private final VolumeHooks hooks;
  private final RefusedDeletes refusedDeletes;
  private final boolean pairsVolumes;
  private volatile boolean isStarting;

  ParityVolume(
      ParityFsDataset dataset,
      String storageId,
      StorageDirectory directory,
      FileIoProvider fileIo,
      Configuration conf,
      DF usage,
      VolumeHooks hooks,
      RefusedDeletes refusedDeletes,
      Added added)
      throws IOException {
    super(dataset, storageId, directory, fileIo, conf, usage);
    this.hooks = hooks;
    this.refusedDeletes = refusedDeletes;
    pairsVolumes = dataset.pairsVolumes();
    isStarting = added == Added.LATER;
  }

  /** When a volume was added. */
  enum Added {
    /** With the DataNode: its hooks start with the block pool. */
    AT_START,
    /** While it runs: until its hooks have started, nothing is reported of it nor written to it. */
    LATER
  }

  boolean isStarting() {
    return isStarting;
  }

  /** Its hooks have started. */
  void started() {
    isStarting = false;
  }

  VolumeHooks hooks() {
    return hooks;
  }

  /** As {@link RefusedDeletes#take}. */
  List<ScanInfo> takeRefusedDeletes(String pool, LongPredicate isWanted) {
    return refusedDeletes.take(pool, isWanted, this);
  }

  /** {@inheritDoc} Without those that the DataNode has on another volume already. */
  @Override
  void getVolumeMap(String pool, ReplicaMap replicas, RamDiskReplicaTracker lazy)
      throws IOException {
    super.getVolumeMap(pool, replicas, lazy);
    if (isStarting) {
      DuplicateReplicas.delete(pool, replicas, ((FsDatasetImpl) getDataset()).volumeMap);
    }
  }

  @Override
  public long getAvailable() throws IOException {
    return isStarting ? 0 : super.getAvailable();
  }

  @Override
  public ReplicaInPipeline createRbw(ExtendedBlock block) throws IOException {
    String pool = block.getBlockPoolId();
    refuseLeftOvers(pool, block.getBlockId());
    hooks.reserve(pool, block.getBlockId(), block.getNumBytes());
    try {
      return reporting(pool, super.createRbw(block));
    } catch (IOException | RuntimeException e) {
      hooks.reserveFailed(pool, block.getBlockId());
      throw e;
    }
  }

  @Override
  public ReplicaInPipeline createTemporary(ExtendedBlock block) throws IOException {
    String pool = block.getBlockPoolId();
    refuseLeftOvers(pool, block.getBlockId());
    hooks.reserve(pool, block.getBlockId(), block.getNumBytes());
    try {
      return super.createTemporary(block);
    } catch (IOException | RuntimeException e) {
      hooks.reserveFailed(pool, block.getBlockId());
      throw e;
    }
  }

  // Hooks know a replica by its block id. While files of an earlier replica of the same block are
  // still being deleted
  // (asynchronously, after it left the replica map), a new one must not be announced: the late
  // removing() would hit it.
  private void refuseLeftOvers(String blockPoolId, long blockId) throws IOException {
    String name = Block.BLOCK_FILE_PREFIX + blockId;
    File[] places = {
      new File(DatanodeUtil.idToBlockDir(getFinalizedDir(blockPoolId), blockId), name),
      new File(getRbwDir(blockPoolId), name),
      new File(getTmpDir(blockPoolId), name)
    };
    for (File place : places) {
      if (getFileIoProvider().exists(this, place)) {
        throw new IOException(
            "Cannot create replica: block="
                + name
                + ", expected no file of an earlier replica, which may still be being deleted, file="
                + place);
      }
    }
  }

  @Override
  public ReplicaInPipeline convertTemporaryToRbw(ExtendedBlock block, ReplicaInfo temporary)
      throws IOException {
    String pool = block.getBlockPoolId();
    long blockId = block.getBlockId();
    hooks.reopening(
        pool,
        blockId,
        new File(temporary.getBlockURI()),
        new File(temporary.getMetadataURI()),
        VolumeHooks.MAX_BYTES_UNKNOWN);
    try {
      return reporting(pool, super.convertTemporaryToRbw(block, temporary));
    } catch (IOException | RuntimeException e) {
      hooks.reopenFailed(pool, blockId);
      throw e;
    }
  }

  @Override
  public ReplicaInPipeline append(
      String blockPoolId, ReplicaInfo replica, long newGenerationStamp, long maxBytes)
      throws IOException {
    long blockId = replica.getBlockId();
    hooks.reopening(
        blockPoolId,
        blockId,
        new File(replica.getBlockURI()),
        new File(replica.getMetadataURI()),
        maxBytes);
    try {
      return reporting(
          blockPoolId, super.append(blockPoolId, replica, newGenerationStamp, maxBytes));
    } catch (IOException | RuntimeException e) {
      hooks.reopenFailed(blockPoolId, blockId);
      throw e;
    }
  }

  @Override
  public ReplicaInPipeline updateRURCopyOnTruncate(
      ReplicaInfo replica,
      String blockPoolId,
      long newBlockId,
      long recoveryId,
      long newLengthBytes)
      throws IOException {
    refuseLeftOvers(blockPoolId, newBlockId);
    // The copy is made whole before it is cut.
    hooks.reserveCopy(
        blockPoolId,
        newBlockId,
        replica.getBlockId(),
        Math.max(replica.getNumBytes(), newLengthBytes));
    try {
      return super.updateRURCopyOnTruncate(
          replica, blockPoolId, newBlockId, recoveryId, newLengthBytes);
    } catch (IOException | RuntimeException e) {
      hooks.reserveFailed(blockPoolId, newBlockId);
      throw e;
    }
  }

  @Override
  ReplicaInfo addFinalizedBlock(
      String blockPoolId, Block block, ReplicaInfo replica, long reservedBytes) throws IOException {
    hooks.finalizing(
        blockPoolId,
        block.getBlockId(),
        block.getGenerationStamp(),
        new File(replica.getBlockURI()),
        new File(replica.getMetadataURI()),
        block.getNumBytes());
    return super.addFinalizedBlock(blockPoolId, block, replica, reservedBytes);
  }

  private ReplicaInPipeline reporting(String blockPoolId, ReplicaInPipeline replica) {
    return hooks.wantsWrites() && replica instanceof ReplicaBeingWritten rbw
        ? new PacketReportingReplica(rbw, blockPoolId, hooks)
        : replica;
  }

  @Override
  public ReplicaInfo moveBlockToTmpLocation(
      ExtendedBlock block, ReplicaInfo replica, int bufferBytes, Configuration conf)
      throws IOException {
    hooks.movingHere(block.getBlockPoolId(), block.getBlockId());
    return super.moveBlockToTmpLocation(block, replica, bufferBytes, conf);
  }

  @Override
  public ReplicaInfo hardLinkBlockToTmpLocation(ExtendedBlock block, ReplicaInfo replica)
      throws IOException {
    hooks.movingHere(block.getBlockPoolId(), block.getBlockId());
    return super.hardLinkBlockToTmpLocation(block, replica);
  }

  @Override
  public BlockIterator newBlockIterator(String blockPoolId, String name) {
    BlockIterator all = super.newBlockIterator(blockPoolId, name);
    return name.equals(MovableBlocks.NAME) ? new MovableBlocks(all, hooks) : all;
  }

  @Override
  public File[] copyBlockToLazyPersistLocation(
      String blockPoolId,
      long blockId,
      long generationStamp,
      ReplicaInfo replica,
      int bufferBytes,
      Configuration conf)
      throws IOException {
    if (pairsVolumes) {
      throw new IOException(
          "Cannot move a replica from memory to this volume: blockId="
              + blockId
              + ", expected none to be persisted lazily where volumes are paired, storageId="
              + getStorageID());
    }
    hooks.movingHere(blockPoolId, blockId);
    return super.copyBlockToLazyPersistLocation(
        blockPoolId, blockId, generationStamp, replica, bufferBytes, conf);
  }
}
