/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.util.function.Predicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.Replica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaAlreadyExistsException;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInPipeline;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.ReplicaUnderRecovery;
import org.jspecify.annotations.Nullable;

/**
 * Calls the hooks that may wait for other daemons, before FsDatasetImpl takes its locks to make,
 * reopen or finalize a replica. Of what it is going to refuse the hooks are not asked, as far as
 * that can be seen without a lock.
 *
 * <p>Reaches, package-private in FsDatasetImpl: volumeMap. Checked for Hadoop 3.5.0. Thread-safe;
 * callers hold no lock of the dataset.
 */
final class UnlockedHooks {
  private final ParityFsDataset dataset;
  private final DatasetPools pools;

  UnlockedHooks(ParityFsDataset dataset, DatasetPools pools) {
    this.dataset = dataset;
    this.pools = pools;
  }

  /**
   * The storage of a replica that is to be made for writing.
   *
   * @param newGenerationStamp 0: no replica of the block may be here
   */
  @Nullable String storageForRbw(
      @Nullable String named, ExtendedBlock block, long newGenerationStamp) throws IOException {
    pools.requireServing(block);
    if (newGenerationStamp == 0) {
      requireNoReplica(block, replica -> true);
    }
    return pools.storageFor(named, block);
  }

  /** The storage of a replica that is to be made as a copy. */
  @Nullable String storageForTemporary(@Nullable String named, ExtendedBlock block)
      throws IOException {
    pools.requireServing(block);
    requireNoReplica(
        block,
        replica ->
            replica.getGenerationStamp() >= block.getGenerationStamp()
                && replica.getVolume().getStorageType() != StorageType.PROVIDED);
    return pools.storageFor(named, block);
  }

  /**
   * BlockReceiver leaves another writer's replica alone only if it is refused by this exception.
   */
  private void requireNoReplica(ExtendedBlock block, Predicate<ReplicaInfo> isInTheWay)
      throws ReplicaAlreadyExistsException {
    ReplicaInfo replica = dataset.hasHooks() ? find(block) : null;
    if (replica != null && isInTheWay.test(replica)) {
      throw new ReplicaAlreadyExistsException(
          "Block "
              + block
              + " already exists in state "
              + replica.getState()
              + " and thus cannot be created.");
    }
  }

  private @Nullable ReplicaInfo find(ExtendedBlock block) {
    return dataset.volumeMap.get(block.getBlockPoolId(), block.getBlockId());
  }

  /** A finalized replica is about to be reopened. */
  void beforeAppend(ExtendedBlock block, long newGenerationStamp, long expectedBytes)
      throws IOException {
    beforeReopening(
        block,
        block.getNumBytes(),
        replica ->
            replica.getState() == ReplicaState.FINALIZED
                && replica.getGenerationStamp() >= block.getGenerationStamp()
                && replica.getGenerationStamp() <= newGenerationStamp
                && replica.getNumBytes() == expectedBytes);
  }

  /** A replica that was copied is about to be written. */
  void beforeConversion(ExtendedBlock temporary) throws IOException {
    beforeReopening(
        temporary,
        VolumeHooks.MAX_BYTES_UNKNOWN,
        replica ->
            replica.getState() == ReplicaState.TEMPORARY
                && replica.getGenerationStamp() == temporary.getGenerationStamp());
  }

  private void beforeReopening(
      ExtendedBlock block, long maxBytes, Predicate<ReplicaInfo> isReopened) throws IOException {
    ReplicaInfo replica = find(block);
    if (replica != null
        && replica.getVolume() instanceof ParityVolume volume
        && isReopened.test(replica)) {
      volume.hooks().beforeReopening(block.getBlockPoolId(), block.getBlockId(), maxBytes);
    }
  }

  /** A writer is done with a replica. The caller holds no lock. */
  void finish(ExtendedBlock block, FinalizedReplicas.Step finalize) throws IOException {
    String pool = block.getBlockPoolId();
    ReplicaInfo replica = find(block);
    // What is in another state, HDFS refuses or has finalized; under another stamp, a recovery has
    // taken it from this writer.
    if (replica == null
        || replica.getGenerationStamp() != block.getGenerationStamp()
        || !(replica.getVolume() instanceof ParityVolume volume)
        || !(replica.getState() == ReplicaState.RBW
            || replica.getState() == ReplicaState.TEMPORARY)) {
      finalize.run();
      return;
    }
    announced(
        pool,
        volume.hooks(),
        replica,
        replica.getNumBytes(),
        () -> {
          finalize.run();
          return replica;
        });
  }

  /** The end of a replica by a recovery. */
  @FunctionalInterface
  interface Ending {
    Replica run() throws IOException;
  }

  /**
   * The client of a pipeline that has failed ends a replica that has all its bytes. Its writer may
   * still be there, and may be about to finalize it: it is stopped first, as HDFS does. Else the
   * files that are announced would move away meanwhile, and a client would lose its last replica.
   */
  Replica close(ExtendedBlock block, long newGenerationStamp, long expectedBytes, Ending ending)
      throws IOException {
    if (writtenUpTo(find(block), block, newGenerationStamp) instanceof ReplicaInPipeline rbw) {
      rbw.stopWriter(dataset.datanode.getDnConf().getXceiverStopTimeout());
    }
    ReplicaInfo replica = writtenUpTo(find(block), block, newGenerationStamp);
    return replica != null
            && replica.getVolume() instanceof ParityVolume volume
            && replica.getNumBytes() == expectedBytes
            && replica.getBytesOnDisk() == expectedBytes
        ? announced(block.getBlockPoolId(), volume.hooks(), replica, expectedBytes, ending)
        : ending.run();
  }

  /** The replica, if it is being written under a stamp that a recovery may replace. */
  private static @Nullable ReplicaInfo writtenUpTo(
      @Nullable ReplicaInfo replica, ExtendedBlock block, long newGenerationStamp) {
    return replica != null
            && replica.getState() == ReplicaState.RBW
            && replica.getGenerationStamp() >= block.getGenerationStamp()
            && replica.getGenerationStamp() <= newGenerationStamp
        ? replica
        : null;
  }

  /**
   * The recovery of a block ends a replica of which it has stopped the writer, and may cut it. Of
   * one that was finalized before, the parity has the bytes that stay.
   */
  Replica endRecovery(ExtendedBlock block, long recoveryId, long lengthBytes, Ending ending)
      throws IOException {
    return find(block) instanceof ReplicaUnderRecovery recovered
            && recovered.getVolume() instanceof ParityVolume volume
            && recovered.getRecoveryID() == recoveryId
            && recovered.getOriginalReplica().getState() != ReplicaState.FINALIZED
            && recovered.getBytesOnDisk() >= lengthBytes
        ? announced(
            block.getBlockPoolId(),
            volume.hooks(),
            recovered.getOriginalReplica(),
            lengthBytes,
            ending)
        : ending.run();
  }

  private static Replica announced(
      String pool, VolumeHooks hooks, ReplicaInfo replica, long lengthBytes, Ending ending)
      throws IOException {
    hooks.beforeFinalizing(
        pool,
        replica.getBlockId(),
        replica.getGenerationStamp(),
        new File(replica.getBlockURI()),
        new File(replica.getMetadataURI()),
        lengthBytes);
    boolean isDone = false;
    try {
      Replica ended = ending.run();
      isDone = true;
      return ended;
    } finally {
      if (!isDone) {
        hooks.finalizeFailed(pool, replica.getBlockId());
      }
    }
  }
}
