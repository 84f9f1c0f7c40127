/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import io.hdfsparity.raidp.adoption.AdoptionCluster.CopyStart;
import io.hdfsparity.raidp.layout.BalanceSpec;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Superchunks, DataNodes and the NameNode as a balance sees them. */
public interface BalanceCluster {
  /** Disks and superchunks as they are now. */
  BalanceSpec spec(double thresholdPercent);

  /** Bytes of a unit, of which blocks take whole ones. */
  long unitBytes();

  /** An active superchunk that no recovery moves. */
  Optional<SharedSuperchunk> active(long superchunkId);

  /**
   * Rows of a superchunk on its leader.
   *
   * @throws IOException also when the node has just failed to answer
   */
  List<BlockRow> rowsOf(SharedSuperchunk superchunk) throws IOException;

  /**
   * Rows of blocks on a storage, at most one for each, also those in limbo, and those that may
   * come.
   *
   * @throws IOException also when the node has just failed to answer
   */
  List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException;

  /** A block, unless it is deleted. */
  Optional<Replicas> block(long blockId);

  /**
   * Promises room on both sides, for a time that {@link #renew} makes longer; false: there is none
   * any more.
   */
  boolean promise(SharedSuperchunk superchunk, long lengthBytes);

  /**
   * Makes the latest promises of room on a side of a superchunk last from now on: the way of a
   * block may take longer than a promise lasts. To be repeated every few seconds.
   *
   * @param blocks that are still to come there
   */
  void renew(SharedSuperchunk superchunk, String storageId, int blocks);

  /** Has a block copied to the far side, if its generation stamp is still this one. */
  CopyStart copy(long blockId, long generationStamp, CopyPlan plan);

  /** Whether a copy of a block is under way; it has a time limit. */
  boolean isCopying(long blockId);

  /**
   * A block is on its way to another superchunk: HDFS is to keep all its replicas. Counts for a
   * minute, so it is to be repeated.
   */
  void moves(long blockId, SharedSuperchunk to);

  /** Whether old replicas may be given up for those in a superchunk: no side of it may be gone. */
  boolean mayTakeOver(SharedSuperchunk to);

  /** From now on a block is in this superchunk: HDFS is to delete its other replicas. */
  void moved(long blockId, SharedSuperchunk to);

  /** A block is left on its way, in its old superchunk: HDFS is to look at what it has. */
  void left(long blockId, SharedSuperchunk from);

  /**
   * A block at one moment.
   *
   * @param settled it is complete, its file wants two replicas, and none is damaged
   * @param live replicas that count for HDFS
   * @param storageIds of all its replicas
   */
  record Replicas(
      long generationStamp, long lengthBytes, boolean settled, int live, List<String> storageIds) {
    public Replicas {
      storageIds = List.copyOf(storageIds);
    }
  }
}
