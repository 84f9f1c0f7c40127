/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.DegradedBlocks.Copy;
import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyRequest;
import io.hdfsparity.bridge.namenode.DegradedBlocks.CopyStart;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has blocks that lack no replica copied to a side of a superchunk. HDFS drops a replica outside it
 * when the new one is reported.
 *
 * <p>All is checked in the hold of the lock in which the copy is handed out: that the block is
 * there, complete and as named, that a good replica can be sent, and that the target is in service
 * and its node neither has the block nor waits for it.
 *
 * <p>Reaches, package-private: BlockManager.chooseSourceDatanodes. Checked for Hadoop 3.5.0.
 * Thread-safe.
 */
final class ExtraCopies {
  private static final Logger LOG = LoggerFactory.getLogger(ExtraCopies.class);

  private final FSNamesystem namesystem;
  private final BlockManager blocks;
  private final BlockSuperchunks superchunks;
  private final CopyTargets targets;

  ExtraCopies(FSNamesystem namesystem, BlockSuperchunks superchunks, CopyTargets targets) {
    this.namesystem = namesystem;
    this.blocks = namesystem.getBlockManager();
    this.superchunks = superchunks;
    this.targets = targets;
  }

  /**
   * Hands out a copy.
   *
   * @param mayCopyFrom whether a node, by UUID, may send one more copy
   * @param begun is given the copy before any DataNode can know of it; must not block
   */
  CopyStart copyTo(CopyRequest wanted, Predicate<String> mayCopyFrom, Consumer<Copy> begun) {
    NameNodeLock.BLOCKS.writeLock(namesystem);
    try {
      if (!blocks.isPopulatingReplQueues() || namesystem.isInSafeMode()) {
        return CopyStart.BUSY;
      }
      BlockInfo block = blocks.getStoredBlock(new Block(wanted.blockId()));
      return block == null || !isAsNamed(block, wanted)
          ? CopyStart.REFUSED
          : copy(block, wanted, mayCopyFrom, begun);
    } finally {
      NameNodeLock.BLOCKS.writeUnlock(namesystem, "handOutExtraCopy");
    }
  }

  private static boolean isAsNamed(BlockInfo block, CopyRequest wanted) {
    return !block.isDeleted()
        && block.isComplete()
        && !block.isStriped()
        && block.getGenerationStamp() == wanted.generationStamp();
  }

  private CopyStart copy(
      BlockInfo block, CopyRequest wanted, Predicate<String> mayCopyFrom, Consumer<Copy> begun) {
    List<DatanodeDescriptor> holders = new ArrayList<>();
    List<DatanodeStorageInfo> live = new ArrayList<>();
    DatanodeDescriptor[] sources =
        blocks.chooseSourceDatanodes(
            block,
            holders,
            live,
            new NumberReplicas(),
            new ArrayList<>(),
            new ArrayList<>(),
            new ArrayList<>(),
            LowRedundancyBlocks.QUEUE_LOW_REDUNDANCY);
    DatanodeStorageInfo target = targets.find(wanted.target());
    boolean isElsewhere =
        superchunks
            .of(block.getBlockId(), SuperchunkRouter.ids(live))
            .filter(home -> home.superchunkId() != wanted.superchunkId())
            .isPresent();
    if (live.isEmpty()
        || isElsewhere
        || target == null
        || !targets.isUsable(target)
        || targets.isTaken(target, block, holders)) {
      return CopyStart.REFUSED;
    }
    if (sources.length == 0 || !mayCopyFrom.test(sources[0].getDatanodeUuid())) {
      return CopyStart.BUSY;
    }
    Copy copy = targets.handOut(block, wanted.superchunkId(), sources[0], target);
    LOG.debug("Copying a block into its superchunk: {}", copy);
    begun.accept(copy);
    return CopyStart.BEGUN;
  }
}
