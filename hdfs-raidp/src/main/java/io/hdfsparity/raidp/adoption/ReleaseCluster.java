/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Superchunks, DataNodes and the NameNode as a release sees them. */
public interface ReleaseCluster {
  /** What has become of the replication of a file. */
  enum Raising {
    /** It asks for enough replicas, or for one only. */
    ENOUGH,
    PROTECTED,
    OPEN,
    FEWER_IN_SNAPSHOT,
    NO_QUOTA,
    GONE
  }

  /**
   * The superchunk of a row, under the epoch of its frame: an active one with that side, or one
   * that went on without it.
   */
  Optional<SharedSuperchunk> home(BlockRow row);

  /**
   * Rows of blocks on a storage, also those in limbo, and those that may come.
   *
   * @throws IOException also when the node has just failed to answer
   */
  List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException;

  /**
   * Raises the replication of a file that asks for fewer, and has HDFS make the replicas without
   * waiting for the file to be lowered.
   */
  Raising raise(long inodeId, int replication) throws IOException;

  /**
   * Has a storage let replicas leave a superchunk, and stay.
   *
   * @param generationStamps by block id
   * @param isFresh whether what was seen of the blocks still counts, asked right before the order,
   *     which the storage's node refuses when it was long on its way
   */
  void release(
      String storageId,
      SharedSuperchunk superchunk,
      Map<Long, Long> generationStamps,
      BooleanSupplier isFresh)
      throws IOException;

  /** No storage has a row of these blocks any more. */
  void released(Collection<Long> blockIds);
}
