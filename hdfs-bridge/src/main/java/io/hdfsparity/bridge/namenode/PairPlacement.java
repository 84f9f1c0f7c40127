/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.namenode;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides on which two storages a block of a protected file lives. Blocks in pairs and blocks that
 * are HDFS's alone lie on the same storages. The bridge's placement policy asks it with ids only
 * and translates.
 *
 * <p>Thread-safety: called concurrently by the NameNode's handlers, outside and inside its locks;
 * must not block.
 */
public interface PairPlacement {
  /** A replica target. */
  record Target(String storageId, String nodeUuid) {}

  /**
   * Whether new blocks of a file belong in pairs; else HDFS places them. Where no pair has room, a
   * file that asks for three replicas or more may get plain ones ({@link #isPlainWhenFull}).
   *
   * @param path as the client has it, which may be an old one
   */
  default boolean isProtected(String path) throws IOException {
    return true;
  }

  /** Whether a path is an old name of a file, so that nobody knows whether it is protected. */
  default boolean isOldName(String path) throws IOException {
    return false;
  }

  /** Whether a block that no pair has room for gets plain replicas instead of a refusal. */
  default boolean isPlainWhenFull() {
    return false;
  }

  /**
   * Whether HDFS copies blocks of a file that lack replicas although nobody knows which blocks are
   * in superchunks: none of that file is to be.
   */
  default boolean isCopiedByHdfs(String path) throws IOException {
    return false;
  }

  /**
   * Targets for a new block: two, or one when only one is asked for.
   *
   * @param writerNodeUuid DataNode on which the client runs, if it does
   * @param favoredNodeUuids nodes that the client asked for, most wanted first
   * @param excludedNodeUuids nodes that must not be used
   * @param usable says whether a storage is in service, alive, fresh and has room in the NameNode's
   *     eyes
   * @throws PlacementRefusedException when no pair can take the block; the message reaches the
   *     client
   */
  List<Target> chooseNew(
      String path,
      int replicas,
      Optional<String> writerNodeUuid,
      List<String> favoredNodeUuids,
      Set<String> excludedNodeUuids,
      long blockBytes,
      Usable usable)
      throws PlacementRefusedException;

  /**
   * Tells that a block has more replicas than it needs, and that it is not known whether it is in a
   * superchunk. None of them is deleted until HDFS looks at the block again.
   *
   * @param storageIds of all its replicas
   */
  default void excessUndecided(long blockId, List<String> storageIds) {}

  /**
   * Tells that a file asks for more than two replicas, and that it has a block with both replicas
   * of its superchunk.
   */
  default void fileAsksForMore(long inodeId) {}

  /**
   * Whether it is certain that no block of a pair is or ever was on a DataNode, so that a block
   * that lies on such nodes alone is HDFS's. False in doubt.
   */
  boolean leavesToHdfs(String nodeUuid);

  /** Says whether a storage can take a block now. */
  interface Usable {
    boolean test(String storageId, String nodeUuid, long blockBytes);
  }

  /** No pair can take a new block. */
  class PlacementRefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    public PlacementRefusedException(String message) {
      super(message);
    }
  }

  /** No pair that is known can take a new block, and not all pairs are known yet: to be retried. */
  final class PlacementPendingException extends PlacementRefusedException {
    private static final long serialVersionUID = 1L;

    public PlacementPendingException(String message) {
      super(message);
    }
  }
}
