/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.update.GroupFacts;
import io.hdfsparity.bridge.update.UnitPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Where the units of block groups are.
 *
 * <p>Reaches nothing that is not public, besides what {@link StripedGroups} does; it lives here
 * beside it. Checked for Hadoop 3.5.0. Holds nothing but the block manager; callers hold the
 * namesystem's lock.
 */
public final class GroupPlaces {
  private final StripedGroups groups;

  public GroupPlaces(BlockManager blocks) {
    this.groups = new StripedGroups(blocks);
  }

  /** Groups that were described since the start: what is done under the lock. */
  public long described() {
    return groups.described();
  }

  /** As {@link #describe(BlockInfo)}, of all groups of a striped file, in order. */
  public List<GroupFacts> describe(BlockInfo[] groups) {
    return Arrays.stream(groups).map(this::describe).toList();
  }

  /** What is known of a striped group and of its replicas. */
  public GroupFacts describe(BlockInfo block) {
    BlockInfoStriped group = (BlockInfoStriped) block;
    List<UnitPlace> places = new ArrayList<>();
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      DatanodeStorageInfo storage = each.getStorage();
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      places.add(
          new UnitPlace(
              each.getBlockIndex(),
              node.getDatanodeUuid(),
              node.getIpAddr(),
              storage.getStorageID(),
              storage.getStorageType().name(),
              node.isAlive() && storage.getState() != DatanodeStorage.State.FAILED));
    }
    return new GroupFacts(
        groups.describe(group, StripedGroups.noDeletes()),
        group.getBlockId(),
        group.getGenerationStamp(),
        group.getNumBytes(),
        places);
  }
}
