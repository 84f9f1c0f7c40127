/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.namenode;

import io.hdfsparity.bridge.namenode.PairPlacement.Target;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Blocks of superchunks that lack a replica, as the NameNode knows them. HDFS counts them but never
 * copies them: that is for who asks here. Thread-safe; takes locks of the NameNode for short times.
 */
public interface DegradedBlocks {
  /** How many blocks of a superchunk lack a replica. */
  record Degraded(long superchunkId, int blocks) {}

  /**
   * Superchunks with blocks that lack a replica.
   *
   * @param hasLookedAtAll false: there may be more. HDFS has not looked at all blocks since this
   *     NameNode has become the active one.
   * @param unknownBlocks blocks that lack a replica, and whose superchunk is not known
   */
  record Lacking(Set<Long> superchunkIds, boolean hasLookedAtAll, int unknownBlocks) {
    public Lacking {
      superchunkIds = Set.copyOf(superchunkIds);
    }

    /** Whether these are all superchunks with blocks that lack a replica. */
    public boolean isComplete() {
      return hasLookedAtAll && unknownBlocks == 0;
    }
  }

  /** A copy that a DataNode was told to make. */
  record Copy(
      long blockId,
      long generationStamp,
      long lengthBytes,
      long superchunkId,
      String sourceNodeUuid,
      Target target) {}

  /** What has become of a copy. */
  enum Outcome {
    PENDING,
    /** The target has reported its replica. */
    COPIED,
    /**
     * Nobody waits for it: the block was deleted or written to, or HDFS's own time limit passed.
     */
    DROPPED
  }

  /** Superchunks with blocks that lack a replica. */
  List<Degraded> superchunks();

  /** The same, and whether these are all. */
  Lacking lacking();

  /**
   * Whether one of some storages has a replica of a block that lacks another one, and whose
   * superchunk is not known. With very many such blocks it says so without a look.
   */
  boolean hasUnknownBlock(Collection<String> storageIds);

  /**
   * A block without a good replica in service, but on the storages that were asked about.
   *
   * @param superchunkId empty: not known; of a block that is being moved, either one
   * @param isThere whether one of the storages has a good replica, as HDFS knows it
   * @param damagedOn other storages, with replicas that are marked as damaged
   */
  record LastBlock(
      long blockId, OptionalLong superchunkId, boolean isThere, Set<String> damagedOn) {
    public LastBlock {
      damagedOn = Set.copyOf(damagedOn);
    }
  }

  /**
   * Such blocks.
   *
   * @param hasReported false: HDFS may not know all replicas on the storages. Their node is dead,
   *     or has not reported its blocks since it came back.
   */
  record LastBlocks(boolean hasReported, List<LastBlock> blocks) {
    public LastBlocks {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * Blocks of superchunks that have no good replica that can be counted on but on some storages.
   * Replicas do not count that are marked, chosen for deletion, left out of the pipeline of a block
   * that is being written, or on storages that have failed, or on nodes that are dead,
   * decommissioned or silent. Of blocks that lack a replica those are found, too, that the storages
   * do not have. Blocks that no storage has are left out. Empty: so many lack a replica that it
   * would take too long.
   *
   * @param isSilent whether a storage may be gone though HDFS counts it; called under a lock, so it
   *     must not block
   * @param copies superchunks of blocks that are being copied, by the blocks' ids
   */
  Optional<LastBlocks> lastOn(
      Collection<String> storageIds, Predicate<String> isSilent, Map<Long, Long> copies);

  /** Number of these blocks, also of those whose superchunk is not known. */
  long blockCount();

  /**
   * Of these, the ones that a storage has, so that they can be copied, without those that were seen
   * with both replicas of their superchunk: they wait until their files ask for two. A file that is
   * open cannot be asked to. Empty: HDFS has not looked at all blocks since this NameNode has
   * become the active one.
   */
  OptionalLong copyable();

  /**
   * Looks at blocks of a superchunk, each call at the next ones, and has those copied that can be:
   * from a good replica to the place that the superchunk has for the missing one.
   *
   * @param limit how many blocks are looked at
   * @param mayCopyFrom whether a node, by UUID, may send one more copy; true begins one
   * @return the copies that were handed out
   */
  List<Copy> handOut(long superchunkId, int limit, Predicate<String> mayCopyFrom);

  /** A block, as it was seen, and the side of a superchunk that it is to be copied to. */
  record CopyRequest(long blockId, long generationStamp, long superchunkId, Target target) {}

  /** What has come of a wanted copy. */
  enum CopyStart {
    BEGUN,
    /** Not now: nodes that have the block send others. */
    BUSY,
    /**
     * The block is gone or was changed, the target is not in service, or its node has the block.
     */
    REFUSED
  }

  /**
   * Has a block copied that need not lack a replica.
   *
   * @param mayCopyFrom whether a node, by UUID, may send one more copy; true begins one
   * @param begun is given the copy before any DataNode can know of it; must not block
   */
  CopyStart copyTo(CopyRequest wanted, Predicate<String> mayCopyFrom, Consumer<Copy> begun);

  /** What has become of copies, in their order. */
  List<Outcome> outcomes(List<Copy> copies);

  /** Waits no longer for copies, so that their blocks can be handed out again. */
  void abandon(Collection<Copy> copies);

  /** A block whose superchunk is not known, and where its replicas are. */
  record Unfiled(long blockId, List<String> storageIds) {
    public Unfiled {
      storageIds = List.copyOf(storageIds);
    }
  }

  /**
   * Looks again at blocks whose superchunk was not known.
   *
   * @param limit how many are returned
   * @return some of those whose superchunk is still not known; the next call goes on behind them
   */
  List<Unfiled> refile(int limit);

  /**
   * A file is to have all replicas that it asks for: HDFS makes those that its superchunks do not
   * give, and waits no longer for the file to ask for two. Forgotten when many others follow.
   */
  void giveAllReplicas(long inodeId);
}
