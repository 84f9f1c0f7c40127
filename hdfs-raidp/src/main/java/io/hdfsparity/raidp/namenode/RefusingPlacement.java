/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the policy asks where the manager could not start: no block of a protected file is placed or
 * copied. All others are HDFS's, also those that are in superchunks since their file was protected:
 * such a block may get a replica beside its superchunk, which costs space. Until DataNodes can ask
 * ({@link UnmanagedBlocks}), no block at all is placed, as no DataNode would take it. Thread-safe.
 */
final class RefusingPlacement implements PairPlacement {
  private final String failure;
  private final ProtectedPlacement.ProtectedPaths paths;
  private volatile boolean othersAreHdfs;

  /**
   * @param failure why there is no manager
   */
  RefusingPlacement(String failure, ProtectedPlacement.ProtectedPaths paths) {
    this.failure = failure;
    this.paths = paths;
  }

  /** Why there is no manager. */
  String failure() {
    return failure;
  }

  /** From now on DataNodes are answered. */
  void leaveOthersToHdfs() {
    othersAreHdfs = true;
  }

  @Override
  public boolean isProtected(String path) throws IOException {
    return !othersAreHdfs || paths.contain(path);
  }

  @Override
  public boolean isOldName(String path) throws IOException {
    return paths.isOldName(path);
  }

  @Override
  public boolean isCopiedByHdfs(String path) throws IOException {
    return othersAreHdfs && !paths.contain(path) && !paths.isOldName(path);
  }

  @Override
  public List<Target> chooseNew(
      String path,
      int replicas,
      Optional<String> writerNodeUuid,
      List<String> favoredNodeUuids,
      Set<String> excludedNodeUuids,
      long blockBytes,
      Usable usable)
      throws PlacementRefusedException {
    throw new PlacementRefusedException(
        "Cannot place a block: path="
            + path
            + ", expected a placement manager in the NameNode; its plugin has failed: "
            + failure);
  }

  @Override
  public boolean leavesToHdfs(String nodeUuid) {
    return false;
  }
}
