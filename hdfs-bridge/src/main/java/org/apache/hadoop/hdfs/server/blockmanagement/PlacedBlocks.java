/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.ProtectionMarks;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/**
 * Where the NameNode has placed blocks.
 *
 * <p>Reaches, package-private in this package: DatanodeStorageInfo.getState;
 * BlockManager.getStorages; BlockUnderConstructionFeature's locations. Read under the namesystem's
 * read lock. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class PlacedBlocks {
  private final FSNamesystem namesystem;

  public PlacedBlocks(FSNamesystem namesystem) {
    this.namesystem = namesystem;
  }

  /**
   * A storage that a block was placed on.
   *
   * @param live whether its node sends heartbeats, and it has not failed
   */
  public record Location(String nodeUuid, String storageId, boolean live) {}

  /**
   * What the file of a block says.
   *
   * @param wantedReplicas as many as it asks for
   * @param isProtected whether it lies where new blocks are protected
   * @param maxBlockBytes size that the block may grow to
   */
  public record Owner(long inodeId, int wantedReplicas, boolean isProtected, long maxBlockBytes) {}

  /**
   * A block.
   *
   * @param complete false while it is written
   * @param stored whether a finalized replica is known: an open block was written before then, and
   *     is appended to, truncated or recovered
   * @param locations of a block that is written, where its replicas are expected; else, where they
   *     are stored
   */
  public record PlacedBlock(
      long generationStamp,
      boolean complete,
      boolean striped,
      boolean stored,
      Owner owner,
      List<Location> locations) {
    public PlacedBlock {
      locations = List.copyOf(locations);
    }
  }

  /** The blocks that the namespace has, by id; all under one hold of the lock. */
  public Map<Long, PlacedBlock> find(Collection<Long> blockIds) {
    Map<Long, PlacedBlock> found = new HashMap<>();
    NameNodeLock.ALL.readLock(namesystem);
    try {
      for (long blockId : blockIds) {
        BlockInfo block = namesystem.getBlockManager().getStoredBlock(new Block(blockId));
        if (block != null && !block.isDeleted()) {
          found.put(blockId, describe(block));
        }
      }
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, "findPlacedBlocks");
    }
    return found;
  }

  /** Id of the newest block that was placed; later ones have higher ids. */
  public long lastAllocated() {
    return namesystem.getBlockManager().getBlockIdManager().getLastAllocatedContiguousBlockId();
  }

  private PlacedBlock describe(BlockInfo block) {
    List<Location> locations = new ArrayList<>();
    if (block.isComplete()) {
      for (DatanodeStorageInfo storage : namesystem.getBlockManager().getStorages(block)) {
        locations.add(location(storage));
      }
    } else {
      for (DatanodeStorageInfo storage :
          block.getUnderConstructionFeature().getExpectedStorageLocations()) {
        locations.add(location(storage));
      }
    }
    INode file = namesystem.getFSDirectory().getInode(block.getBlockCollectionId());
    return new PlacedBlock(
        block.getGenerationStamp(),
        block.isComplete(),
        block.isStriped(),
        block.numNodes() > 0,
        new Owner(
            block.getBlockCollectionId(),
            block.getReplication(),
            file != null && ProtectionMarks.isProtected(file),
            file != null && file.isFile()
                ? file.asFile().getPreferredBlockSize()
                : block.getNumBytes()),
        locations);
  }

  private static Location location(DatanodeStorageInfo storage) {
    DatanodeDescriptor node = storage.getDatanodeDescriptor();
    return new Location(
        node.getDatanodeUuid(),
        storage.getStorageID(),
        node.isAlive() && storage.getState() == DatanodeStorage.State.NORMAL);
  }
}
