/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the policy asks where the manager could not start: no block is placed or copied. Immutable.
 */
final class RefusingPlacement implements PairPlacement {
  private final String failure;

  /**
   * @param failure why there is no manager
   */
  RefusingPlacement(String failure) {
    this.failure = failure;
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
