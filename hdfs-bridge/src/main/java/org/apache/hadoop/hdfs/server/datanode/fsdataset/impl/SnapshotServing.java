/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs.BlockReportReplica;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.datanode.DataNode.ShortCircuitFdsVersionException;
import org.apache.hadoop.hdfs.server.datanode.FinalizedReplica;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.apache.hadoop.hdfs.server.datanode.SnapshotReplica;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.Nullable;

/**
 * What the dataset does other than HDFS for replicas that a volume's {@link SnapshotReads} takes.
 *
 * <p>Reaches nothing that ParityFsDataset does not. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class SnapshotServing {
  private final SnapshotStreams streams = new SnapshotStreams();
  private final int maxReportBytes;
  private final Predicate<String> isStock;
  private final Suspects suspects;

  /** Is notified of replicas that look damaged. */
  @FunctionalInterface
  interface Suspects {
    void add(String storageId, ExtendedBlock block);
  }

  /**
   * For one dataset.
   *
   * @param maxReportBytes of a block report
   * @param isStock whether a block pool is HDFS's alone
   * @param suspects notified of replicas that readers have found damaged
   */
  SnapshotServing(int maxReportBytes, Predicate<String> isStock, Suspects suspects) {
    this.maxReportBytes = maxReportBytes;
    this.isStock = isStock;
    this.suspects = suspects;
  }

  /** Who serves a replica's reads; null: HDFS does. */
  private @Nullable SnapshotReads reads(String pool, @Nullable ReplicaInfo replica) {
    if (replica == null
        || isStock.test(pool)
        || replica.getState() != ReplicaState.FINALIZED
        || !(replica.getVolume() instanceof ParityVolume volume)) {
      return null;
    }
    SnapshotReads reads = volume.hooks().snapshotReads();
    return reads != null && reads.takes(replica.getBlockId()) ? reads : null;
  }

  /** The replica as a sender may see it: without the cached checksum of its last chunk. */
  @Nullable ReplicaInfo view(String pool, @Nullable ReplicaInfo replica) {
    return replica instanceof FinalizedReplica complete && reads(pool, replica) != null
        ? new SnapshotReplica(complete)
        : replica;
  }

  /** Opens the checksum file; null if HDFS is to. */
  @Nullable LengthInputStream meta(String pool, @Nullable ReplicaInfo replica) throws IOException {
    SnapshotReads reads = reads(pool, replica);
    if (reads == null || replica == null) {
      return null;
    }
    Runnable onDamage = onDamage(pool, replica);
    try {
      return streams.meta(reads, request(pool, replica), onDamage);
    } catch (ChecksumException e) {
      onDamage.run();
      throw e;
    }
  }

  /**
   * As BlockSender does where it sends a file: the block scanner looks at it soon, and reports what
   * it finds.
   */
  private Runnable onDamage(String pool, ReplicaInfo replica) {
    if (ReadCallers.current() == ReadCaller.SCANNER) {
      return () -> {};
    }
    ExtendedBlock block = new ExtendedBlock(pool, replica);
    return () -> suspects.add(replica.getStorageUuid(), block);
  }

  /** Opens the block file; null if HDFS is to. */
  @Nullable InputStream data(String pool, @Nullable ReplicaInfo replica, long offset)
      throws IOException {
    SnapshotReads reads = reads(pool, replica);
    if (reads == null || replica == null) {
      return null;
    }
    if (ReadCallers.isShortCircuit()) {
      throw new ShortCircuitFdsVersionException(
          "Cannot read replica by short circuit: block="
              + replica.getBlockId()
              + ", expected a read through the DataNode: its bytes may change in place");
    }
    Runnable onDamage = onDamage(pool, replica);
    try {
      return streams.data(reads, request(pool, replica), offset, onDamage);
    } catch (ChecksumException e) {
      onDamage.run();
      throw e;
    }
  }

  /**
   * Refuses to tell where the files of a replica are: a client that opens them itself (the older
   * kind of short circuit) sees them without their changes, and keeps the path as long as it lives.
   *
   * @throws IOException for a replica whose bytes may change in place; the client reads through the
   *     DataNode then
   */
  void requireNoLocalPath(String pool, @Nullable ReplicaInfo replica) throws IOException {
    if (replica != null && reads(pool, replica) != null) {
      throw new IOException(
          "Cannot tell the files of a replica: block="
              + replica.getBlockId()
              + ", expected a read through the DataNode: its bytes may change in place");
    }
  }

  private static SnapshotReads.Request request(String pool, ReplicaInfo replica)
      throws IOException {
    return new SnapshotReads.Request(
        pool,
        replica.getBlockId(),
        replica.getGenerationStamp(),
        replica.getNumBytes(),
        new File(replica.getBlockURI()),
        new File(replica.getMetadataURI()),
        ReadCallers.proven(replica.getBlockId()));
  }

  /** Whether a replica must stay where it is. */
  boolean isPinned(String pool, @Nullable ReplicaInfo replica) {
    SnapshotReads reads = reads(pool, replica);
    return reads != null && replica != null && reads.isPinned(replica.getBlockId());
  }

  /** Those of the blocks that may be cached in memory: cached bytes are not looked at again. */
  long[] cacheable(long[] blockIds, ReplicaMap replicas, String pool) {
    return Arrays.stream(blockIds)
        .filter(id -> reads(pool, replicas.get(pool, id)) == null)
        .toArray();
  }

  /** Reports without the replicas that are withheld. */
  Map<DatanodeStorage, BlockListAsLongs> visible(
      String pool, Map<DatanodeStorage, BlockListAsLongs> reports, List<FsVolumeImpl> volumes) {
    Map<DatanodeStorage, BlockListAsLongs> visible = new HashMap<>(reports);
    visible.replaceAll(
        (storage, blocks) -> {
          for (FsVolumeImpl volume : volumes) {
            if (volume.getStorageID().equals(storage.getStorageID())
                && volume instanceof ParityVolume parity) {
              return visible(pool, parity, blocks);
            }
          }
          return blocks;
        });
    return visible;
  }

  private BlockListAsLongs visible(String pool, ParityVolume volume, BlockListAsLongs blocks) {
    if (volume.isStarting()) {
      return BlockListAsLongs.EMPTY;
    }
    SnapshotReads reads = volume.hooks().snapshotReads();
    return reads == null || isStock.test(pool) ? blocks : without(reads.withheld(), blocks);
  }

  private BlockListAsLongs without(Set<Long> withheld, BlockListAsLongs blocks) {
    if (withheld.isEmpty()) {
      return blocks;
    }
    BlockListAsLongs.Builder rest = BlockListAsLongs.builder(maxReportBytes);
    for (BlockReportReplica replica : blocks) {
      if (!withheld.contains(replica.getBlockId())) {
        rest.add(replica);
      }
    }
    return rest.build();
  }
}
