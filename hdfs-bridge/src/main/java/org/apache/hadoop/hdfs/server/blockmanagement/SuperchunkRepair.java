/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import io.hdfsparity.bridge.namenode.DegradedBlocks;
import io.hdfsparity.bridge.namenode.PairPlacement;
import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NameNodeLock;
import org.apache.hadoop.hdfs.server.namenode.OpenBlocks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has replicas of blocks of superchunks copied, as BlockManager.computeReconstructionWorkForBlocks
 * does for other blocks: it takes the same source, notes the copy as pending in the same table, and
 * counts the same replicas. Only the target is another: HDFS's placement policy is not asked, since
 * it is not given the block.
 *
 * <p>All is checked in the hold of the lock in which the copy is handed out: that the block is
 * there and complete, that the source is good, and that the target is in service and still has the
 * other side of the block's superchunk.
 *
 * <p>Reaches, package-private: BlockManager.neededReconstruction, pendingReconstruction,
 * corruptReplicas, chooseSourceDatanodes, hasEnoughEffectiveReplicas; CorruptReplicasMap;
 * LowRedundancyBlocks. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class SuperchunkRepair implements DegradedBlocks, CoveredQueues.Router {
  private static final Logger LOG = LoggerFactory.getLogger(SuperchunkRepair.class);

  /** Blocks that are looked at under one hold of the lock: some 0.1 ms. */
  static final int BATCH = 100;

  /**
   * So many blocks one after the other whose nodes cannot copy now: those of the same superchunk
   * behind them cannot either.
   */
  private static final int MAX_IN_VAIN = 8;

  /** So many blocks are looked at under one hold of the lock for reading: some 20 ms. */
  private static final int MAX_UNKNOWN = 100_000;

  /** The same for all that lack a replica: some 200 ms, for an administrator's rare question. */
  private static final int MAX_LOOKED_AT = 500_000;

  /** For so long blocks of unknown superchunks are looked at in one call. */
  private static final long REFILE_NANOS = 50_000_000;

  private final FSNamesystem namesystem;
  private final BlockManager blocks;
  private final PairPlacement placement;
  private final BlockSuperchunks superchunks;
  private final UnloweredFiles unlowered;
  private final SuperchunkRouter router;
  private final CoveredQueues queues;
  private final CopyTargets targets;
  private final ExtraCopies extra;
  private final RedundancyScan scan;

  /**
   * @param placement tells which nodes are left to HDFS
   * @param superchunks tells where a block belongs
   */
  SuperchunkRepair(FSNamesystem namesystem, PairPlacement placement, BlockSuperchunks superchunks) {
    this(namesystem, placement, superchunks, new UnloweredFiles(System::nanoTime));
  }

  /** As above, where files that ask for more are remembered by the test's clock. */
  SuperchunkRepair(
      FSNamesystem namesystem,
      PairPlacement placement,
      BlockSuperchunks superchunks,
      UnloweredFiles unlowered) {
    this.namesystem = namesystem;
    this.blocks = namesystem.getBlockManager();
    this.placement = placement;
    this.superchunks = superchunks;
    this.unlowered = unlowered;
    this.router = new SuperchunkRouter(blocks, placement, superchunks, unlowered);
    this.queues = CoveredQueues.install(blocks, namesystem);
    this.targets = new CopyTargets(blocks);
    this.scan = new RedundancyScan(namesystem);
    this.extra = new ExtraCopies(namesystem, superchunks, targets);
  }

  /** From now on keeps blocks of superchunks from HDFS. */
  void attach() {
    queues.route(this);
    NotedBlocks.install(blocks, namesystem, superchunks);
  }

  @Override
  public OptionalLong keyOf(BlockInfo block) {
    return router.keyOf(block);
  }

  @Override
  public List<Degraded> superchunks() {
    return queues.sizes().entrySet().stream()
        .map(each -> new Degraded(each.getKey(), each.getValue()))
        .toList();
  }

  @Override
  public Lacking lacking() {
    // A block that gets another key is in no queue for a moment, under the lock for writing.
    NameNodeLock.BLOCKS.readLock(namesystem);
    try {
      return new Lacking(
          queues.sizes().keySet(), scan.isDone(), queues.sizeOf(CoveredQueues.UNKNOWN));
    } finally {
      NameNodeLock.BLOCKS.readUnlock(namesystem, "listDegradedSuperchunks");
    }
  }

  @Override
  public boolean hasUnknownBlock(Collection<String> storageIds) {
    Set<String> wanted = Set.copyOf(storageIds);
    NameNodeLock.BLOCKS.readLock(namesystem);
    try {
      return queues.sizeOf(CoveredQueues.UNKNOWN) > MAX_UNKNOWN
          || queues.anyUnder(
              CoveredQueues.UNKNOWN,
              block ->
                  SuperchunkRouter.ids(List.of(blocks.getStorages(block))).stream()
                      .anyMatch(wanted::contains));
    } finally {
      NameNodeLock.BLOCKS.readUnlock(namesystem, "findUnknownSuperchunkBlocks");
    }
  }

  @Override
  public Optional<LastBlocks> lastOn(
      Collection<String> storageIds, Predicate<String> isSilent, Map<Long, Long> copies) {
    NameNodeLock.ALL.readLock(namesystem);
    try {
      return queues.copyableSize() > MAX_LOOKED_AT
          ? Optional.empty()
          : Optional.of(
              new LastGoodReplicas(blocks, router, superchunks, storageIds, isSilent)
                  .look(queues, copies, OpenBlocks.of(namesystem)));
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, "findLastSuperchunkReplicas");
    }
  }

  @Override
  public long blockCount() {
    return queues.coveredSize();
  }

  @Override
  public OptionalLong copyable() {
    NameNodeLock.BLOCKS.readLock(namesystem);
    try {
      return scan.isDone() ? OptionalLong.of(queues.copyableSize()) : OptionalLong.empty();
    } finally {
      NameNodeLock.BLOCKS.readUnlock(namesystem, "countSuperchunkBlocks");
    }
  }

  @Override
  public List<Copy> handOut(long superchunkId, int limit, Predicate<String> mayCopyFrom) {
    HandOut handOut = new HandOut(superchunkId, mayCopyFrom);
    NameNodeLock.BLOCKS.writeLock(namesystem);
    try {
      if (isAttached() && blocks.isPopulatingReplQueues() && !namesystem.isInSafeMode()) {
        handOut.run(queues.next(superchunkId, Math.min(limit, BATCH)));
      }
    } finally {
      NameNodeLock.BLOCKS.writeUnlock(namesystem, "handOutSuperchunkCopies");
    }
    if (!handOut.besideSide.isEmpty()) {
      new UndecidedBlocks(namesystem).lookAtExcess(handOut.besideSide);
    }
    handOut.tooMany.forEach(this::noteAsksForMore);
    return List.copyOf(handOut.copies);
  }

  private void noteAsksForMore(long inodeId) {
    unlowered.note(inodeId);
    placement.fileAsksForMore(inodeId);
  }

  /** Whether new blocks are placed by the same manager: one that has failed copies nothing. */
  private boolean isAttached() {
    return blocks.getBlockPlacementPolicy() instanceof PairPlacementPolicy policy
        && policy.isAttached(placement);
  }

  /** One hold of the lock. */
  private final class HandOut {
    private final long superchunkId;
    private final Predicate<String> mayCopyFrom;
    private final List<Copy> copies = new ArrayList<>();

    /** Files with a block that has a pair and is to have more. */
    private final Set<Long> tooMany = new LinkedHashSet<>();

    /** Blocks with more replicas than they need, one of which is in the way of a copy. */
    private final List<Long> besideSide = new ArrayList<>();

    private int inVain;

    HandOut(long superchunkId, Predicate<String> mayCopyFrom) {
      this.superchunkId = superchunkId;
      this.mayCopyFrom = mayCopyFrom;
    }

    void run(List<List<BlockInfo>> byPriority) {
      for (int priority = 0; priority < byPriority.size(); priority++) {
        for (BlockInfo block : byPriority.get(priority)) {
          if (inVain < MAX_IN_VAIN) {
            look(block, priority);
          }
        }
      }
    }

    private void look(BlockInfo block, int priority) {
      if (block.isDeleted() || !block.isCompleteOrCommitted()) {
        queues.remove(block, priority);
        return;
      }
      if (queues.isMisfiled(block)) {
        queueAgain(block);
        return;
      }
      List<DatanodeDescriptor> holders = new ArrayList<>();
      List<DatanodeStorageInfo> live = new ArrayList<>();
      NumberReplicas count = new NumberReplicas();
      DatanodeDescriptor[] sources =
          blocks.chooseSourceDatanodes(
              block,
              holders,
              live,
              count,
              new ArrayList<>(),
              new ArrayList<>(),
              new ArrayList<>(),
              priority);
      int pending = blocks.pendingReconstruction.getNumReplicas(block);
      if (blocks.hasEnoughEffectiveReplicas(block, count, pending)) {
        queues.remove(block, priority);
        return;
      }
      List<String> storageIds =
          live.isEmpty() ? storagesOf(block, sources) : SuperchunkRouter.ids(live);
      Optional<Home> home = superchunks.of(block.getBlockId(), storageIds);
      boolean isWhole = home.isPresent() && home.get().isWhole(storageIds);
      queues.setWhole(block, isWhole);
      if (isWhole) {
        if (block.getReplication() > PairPlacementPolicy.PAIR) {
          tooMany.add(block.getBlockCollectionId());
        }
        return;
      }
      DatanodeStorageInfo target =
          home.filter(each -> each.superchunkId() == superchunkId)
              .flatMap(each -> each.lacking(storageIds))
              .map(targets::find)
              .orElse(null);
      if (target == null) {
        return;
      }
      if (targets.isTaken(target, block, holders)) {
        if (router.isBesideSide(block, home.get())) {
          besideSide.add(block.getBlockId());
        }
        return;
      }
      if (!targets.isUsable(target)
          || sources.length == 0
          || !mayCopyFrom.test(sources[0].getDatanodeUuid())) {
        inVain++;
        return;
      }
      inVain = 0;
      copy(block, priority, sources[0], target);
      if (count.liveReplicas() + pending + 1 >= blocks.getExpectedLiveRedundancyNum(block, count)) {
        queues.remove(block, priority);
      }
    }

    /** Where nodes hold a block that are leaving: no replica of theirs counts, and they give it. */
    private List<String> storagesOf(BlockInfo block, DatanodeDescriptor[] sources) {
      List<String> storageIds = new ArrayList<>();
      for (DatanodeStorageInfo storage : blocks.getStorages(block)) {
        if (List.of(sources).contains(storage.getDatanodeDescriptor())) {
          storageIds.add(storage.getStorageID());
        }
      }
      return storageIds;
    }

    private void copy(
        BlockInfo block, int priority, DatanodeDescriptor source, DatanodeStorageInfo target) {
      LOG.debug(
          "Copying block {} of superchunk {}, priority {}: {} to {}",
          block,
          superchunkId,
          priority,
          source,
          target);
      copies.add(targets.handOut(block, superchunkId, source, target));
    }
  }

  @Override
  public void giveAllReplicas(long inodeId) {
    unlowered.giveNow(inodeId);
  }

  @Override
  public CopyStart copyTo(CopyRequest wanted, Predicate<String> mayCopyFrom, Consumer<Copy> begun) {
    return isAttached() ? extra.copyTo(wanted, mayCopyFrom, begun) : CopyStart.REFUSED;
  }

  @Override
  public List<Outcome> outcomes(List<Copy> copies) {
    List<Outcome> outcomes = new ArrayList<>();
    for (int from = 0; from < copies.size(); from += BATCH) {
      List<Copy> batch = copies.subList(from, Math.min(copies.size(), from + BATCH));
      NameNodeLock.BLOCKS.readLock(namesystem);
      try {
        batch.forEach(copy -> outcomes.add(outcome(copy)));
      } finally {
        NameNodeLock.BLOCKS.readUnlock(namesystem, "checkSuperchunkCopies");
      }
    }
    return outcomes;
  }

  private Outcome outcome(Copy copy) {
    BlockInfo block = blocks.getStoredBlock(new Block(copy.blockId()));
    if (block == null
        || block.isDeleted()
        || block.getGenerationStamp() != copy.generationStamp()) {
      return Outcome.DROPPED;
    }
    DatanodeStorageInfo target = targets.find(copy.target());
    if (target != null && block.findStorageInfo(target) >= 0) {
      return Outcome.COPIED;
    }
    List<DatanodeStorageInfo> pending = blocks.pendingReconstruction.getTargets(block);
    return pending != null && pending.stream().anyMatch(each -> isAt(each, copy.target()))
        ? Outcome.PENDING
        : Outcome.DROPPED;
  }

  private static boolean isAt(DatanodeStorageInfo storage, Target side) {
    return storage.getStorageID().equals(side.storageId());
  }

  @Override
  public void abandon(Collection<Copy> copies) {
    List<Copy> all = List.copyOf(copies);
    for (int from = 0; from < all.size(); from += BATCH) {
      List<Copy> batch = all.subList(from, Math.min(all.size(), from + BATCH));
      NameNodeLock.BLOCKS.writeLock(namesystem);
      try {
        batch.forEach(this::abandon);
      } finally {
        NameNodeLock.BLOCKS.writeUnlock(namesystem, "abandonSuperchunkCopies");
      }
    }
  }

  private void abandon(Copy copy) {
    BlockInfo block = blocks.getStoredBlock(new Block(copy.blockId()));
    List<DatanodeStorageInfo> pending =
        block == null ? null : blocks.pendingReconstruction.getTargets(block);
    if (block == null || pending == null) {
      return;
    }
    for (DatanodeStorageInfo target : pending) {
      if (isAt(target, copy.target())) {
        blocks.pendingReconstruction.decrement(block, target);
        DatanodeStorageInfo.decrementBlocksScheduled(target);
      }
    }
    if (blocks.isPopulatingReplQueues() && block.isComplete() && !block.isDeleted()) {
      LackingBlocks.queue(blocks, block, blocks.pendingReconstruction.getNumReplicas(block));
    }
  }

  @Override
  public List<Unfiled> refile(int limit) {
    long endNanos = System.nanoTime() + REFILE_NANOS;
    Set<Long> seen = new HashSet<>();
    List<Unfiled> left = new ArrayList<>();
    boolean more = true;
    while (more && System.nanoTime() < endNanos) {
      more = false;
      NameNodeLock.BLOCKS.writeLock(namesystem);
      try {
        for (List<BlockInfo> level : queues.next(CoveredQueues.UNKNOWN, BATCH)) {
          for (BlockInfo block : level) {
            more |= seen.add(block.getBlockId());
            if (queues.isMisfiled(block)) {
              queueAgain(block);
            } else if (left.size() < limit) {
              ask(block, left);
            }
          }
        }
      } finally {
        NameNodeLock.BLOCKS.writeUnlock(namesystem, "refileSuperchunkBlocks");
      }
    }
    return left;
  }

  private void ask(BlockInfo block, List<Unfiled> left) {
    List<String> storageIds = router.toAsk(block);
    if (!storageIds.isEmpty()) {
      left.add(new Unfiled(block.getBlockId(), storageIds));
    }
  }

  private void queueAgain(BlockInfo block) {
    queues.remove(block, LowRedundancyBlocks.LEVEL, blocks.getExpectedRedundancyNum(block));
    if (block.isComplete() && !block.isDeleted()) {
      LackingBlocks.queue(blocks, block, blocks.pendingReconstruction.getNumReplicas(block));
    }
  }
}
