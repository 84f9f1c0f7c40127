/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.adoption;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Superchunks, DataNodes and the NameNode as an adoption sees them. */
public interface AdoptionCluster {
  /** What has become of a file whose blocks are all covered. */
  enum Lowering {
    LOWERED,
    /** It asks for two replicas already, or for fewer. */
    NOT_HIGHER,
    /** Its new blocks are not protected. */
    NOT_PROTECTED,
    /** It is written, or has a block that was not named as it is now. */
    CHANGED,
    GONE
  }

  /** What has come of asking for a copy. */
  enum CopyStart {
    BEGUN,
    /** Not now; to be asked for again. */
    BUSY,
    /** The block was changed or deleted, or the other side cannot take it. */
    REFUSED
  }

  /** An active superchunk. */
  Optional<SharedSuperchunk> active(long superchunkId);

  /** Whether two of these storages share an active superchunk, with or without room. */
  boolean areShared(List<String> storageIds);

  /** Of the active superchunks that two of these storages share, the one with most room for it. */
  Optional<SharedSuperchunk> roomiest(List<String> storageIds, long lengthBytes);

  /**
   * Of the active superchunks that one of these storages is a side of, the one with most room for
   * it whose other side is on a node in service that has none of these storages.
   */
  Optional<CopyPlan> copyTarget(List<String> storageIds, long lengthBytes);

  /**
   * How a block comes whole into a superchunk that one of these storages has a row of it in; empty:
   * the node of the other side has one of these storages, or is not in service.
   */
  Optional<CopyPlan> copyInto(SharedSuperchunk superchunk, List<String> storageIds);

  /** Has a block copied to the far side, if its generation stamp is still this one. */
  CopyStart copy(long blockId, long generationStamp, CopyPlan plan);

  /** Whether a copy of a block is under way; it has a time limit. */
  boolean isCopying(long blockId);

  /**
   * The adoption of a block was left on the way: one side may have a row of it, and the other none.
   */
  void mayLackSide(long blockId);

  /** Promises room on both sides; false: there is none any more. */
  boolean promise(SharedSuperchunk superchunk, long lengthBytes);

  /**
   * Rows of blocks on a storage, those of deleted replicas left out.
   *
   * @throws IOException also when the node has just failed to answer
   */
  List<BlockRow> findRows(String storageId, List<Long> blockIds) throws IOException;

  /**
   * Has a storage take replicas in.
   *
   * @return those that it has taken, or has already
   */
  List<Long> cover(String storageId, SharedSuperchunk superchunk, List<Long> blockIds)
      throws IOException;

  /**
   * Lowers the replication of a file to two, if all its blocks are as named.
   *
   * @param settled generation stamps by block id
   */
  Lowering lower(long inodeId, Map<Long, Long> settled) throws IOException;
}
