/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.level.StripedGroup;
import io.hdfsparity.bridge.verify.UnitHolder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfoStriped.StorageAndBlockIndex;
import org.jspecify.annotations.Nullable;

/**
 * Block groups whose parity is verified: where their units are, and how wrong parity is dropped.
 *
 * <p>Reaches, package-private: BlockManager.addToInvalidates, neededReconstruction,
 * pendingReconstruction, containsInvalidateBlock, getBlockIdManager;
 * BlockIdManager.getBlockGroupIdGenerator; BlockInfoStriped.getBlockOnStorage;
 * LowRedundancyBlocks.remove. Checked for Hadoop 3.5.0. Every method says which lock its caller
 * holds.
 */
public final class ParityUnits {
  private final BlockManager blocks;
  private final StripedGroups groups;

  public ParityUnits(BlockManager blocks) {
    this.blocks = blocks;
    this.groups = new StripedGroups(blocks);
  }

  /** The highest id that was given to a group; the caller holds the lock, for reading at least. */
  public long lastGroupId() {
    return blocks.getBlockIdManager().getBlockGroupIdGenerator().getCurrentValue();
  }

  /** The group of an id; null: there is none. The caller holds the lock, for reading at least. */
  public @Nullable BlockInfoStriped find(long groupId) {
    BlockInfo block = blocks.getStoredBlock(new Block(groupId));
    return block instanceof BlockInfoStriped group
            && !group.isDeleted()
            && group.getBlockId() == groupId
        ? group
        : null;
  }

  /** Whether a DataNode has a unit; the caller holds the lock, for reading at least. */
  public boolean isHeldBy(BlockInfoStriped group, String nodeUuid) {
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      if (each.getStorage().getDatanodeDescriptor().getDatanodeUuid().equals(nodeUuid)) {
        return true;
      }
    }
    return false;
  }

  /** Where its units are; the caller holds the lock, for reading at least. */
  public List<UnitHolder> holders(BlockInfoStriped group) {
    List<UnitHolder> holders = new ArrayList<>();
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      DatanodeDescriptor node = each.getStorage().getDatanodeDescriptor();
      holders.add(
          new UnitHolder(
              each.getBlockIndex(),
              node.getDatanodeUuid(),
              each.getStorage().getStorageID(),
              node.getIpAddr(),
              node.getHostName(),
              node.getXferPort()));
    }
    return holders;
  }

  /**
   * Why its parity cannot be compared; null: it can. The caller holds the lock, for reading at
   * least.
   */
  public @Nullable String obstacle(BlockInfoStriped group) {
    StripedGroup state = groups.describe(group, StripedGroups.noDeletes());
    int wanted = wantedUnits(group);
    if ((state.units().present() & wanted) != wanted) {
      return "missing units=" + names(wanted & ~state.units().present());
    }
    if (state.units().repeated() != 0 || state.units().present() != wanted) {
      return "superfluous units="
          + names(state.units().repeated() | state.units().present() & ~wanted);
    }
    if (state.corruptReplicas() > 0) {
      return "corrupt replicas=" + state.corruptReplicas();
    }
    if (state.pendingRebuilds() > 0) {
      return "units being rebuilt=" + state.pendingRebuilds();
    }
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      if (!each.getStorage().getDatanodeDescriptor().isAlive()) {
        return "unit on a dead node=" + each.getBlockIndex();
      }
    }
    return null;
  }

  /**
   * Whether a node has not sent a full report since this NameNode became active: what it holds is
   * not certain. Such units are compared, which asks the node itself, and not dropped. The caller
   * holds the lock, for reading at least.
   */
  public boolean isStale(BlockInfoStriped group) {
    return groups.describe(group, StripedGroups.noDeletes()).units().stale() != 0;
  }

  private static int wantedUnits(BlockInfoStriped group) {
    int data = (1 << group.getRealDataBlockNum()) - 1;
    int parity = (1 << group.getParityBlockNum()) - 1 << group.getDataBlockNum();
    return data | parity;
  }

  private static List<Integer> names(int units) {
    List<Integer> names = new ArrayList<>();
    for (int unit = 0; units >>> unit != 0; unit++) {
      if ((units >>> unit & 1) != 0) {
        names.add(unit);
      }
    }
    return names;
  }

  /**
   * Forgets units of a group, all together, and has them deleted. HDFS does not rebuild them before
   * {@link #rebuild}, or before something else has it look at the group: a unit cannot be rebuilt
   * on a node that has not deleted its old replica. The caller holds the lock for writing, in an
   * active NameNode.
   *
   * @return the replicas
   */
  public List<UnitHolder> drop(BlockInfoStriped group, Collection<Integer> units) {
    List<UnitHolder> dropped =
        holders(group).stream().filter(each -> units.contains(each.unit())).toList();
    List<DatanodeStorageInfo> wrong = new ArrayList<>();
    for (StorageAndBlockIndex each : group.getStorageAndIndexInfos()) {
      if (units.contains((int) each.getBlockIndex())) {
        wrong.add(each.getStorage());
      }
    }
    for (DatanodeStorageInfo storage : wrong) {
      DatanodeDescriptor node = storage.getDatanodeDescriptor();
      blocks.addToInvalidates(group.getBlockOnStorage(storage), node);
      // A node holds one unit of a group at most, so this takes no other unit with it.
      blocks.removeStoredBlock(group, node);
    }
    blocks.neededReconstruction.remove(group, LowRedundancyBlocks.LEVEL);
    return dropped;
  }

  /**
   * Whether units that were dropped are still to be deleted by their nodes; the caller holds the
   * lock, for reading at least.
   */
  public boolean isDeleting(BlockInfoStriped group, Collection<UnitHolder> dropped) {
    for (UnitHolder each : dropped) {
      DatanodeDescriptor node = blocks.getDatanodeManager().getDatanode(each.nodeUuid());
      Block replica =
          new Block(
              group.getBlockId() + each.unit(), group.getNumBytes(), group.getGenerationStamp());
      if (node != null
          && (blocks.containsInvalidateBlock(node, replica)
              || node.containsInvalidateBlock(replica))) {
        return true;
      }
    }
    return false;
  }

  /** Has missing units rebuilt; the caller holds the lock for writing. */
  public void rebuild(BlockInfoStriped group) {
    LackingBlocks.queue(blocks, group, blocks.pendingReconstruction.getNumReplicas(group));
  }

  /** A DataNode as it has registered; null: it has not. */
  public @Nullable DatanodeID registered(String nodeUuid) {
    return blocks.getDatanodeManager().getDatanode(nodeUuid);
  }
}
