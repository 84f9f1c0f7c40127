/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds blocks that lack a side of their superchunk although they have as many replicas as their
 * file asks for. {@link OneSidedBlocks} knows those that this NameNode has placed itself; after a
 * failover or a restart nothing does, and HDFS looks for no replica.
 *
 * <p>Sides with the same blocks report the same number of rows. Of a superchunk for which that is
 * not so in two looks, the rows of both sides are listed and compared. Two sides that lack as many
 * blocks as each other are not found: {@code hdfs raidp -fsck} names those.
 *
 * <p>Asks DataNodes. Not thread-safe; time is passed in.
 */
final class UnequalSides {
  private static final Logger LOG = LoggerFactory.getLogger(UnequalSides.class);

  private static final long MIN_PERIOD_MS = 60_000;

  /** A look at a superchunk costs some microseconds: that is 2 to 5 percent of a processor. */
  private static final long SUPERCHUNKS_A_MS = 10;

  /** Superchunks whose rows are listed in a round. */
  static final int MAX_LISTINGS = 16;

  /** Superchunks that are kept between looks; of more, the others are found later. */
  private static final int MAX_KEPT = 100_000;

  private static final long FIRST_PAUSE_MS = 300_000;
  private static final long LAST_PAUSE_MS = 6 * 3_600_000;

  private final FrameRows rows;
  private final LongFunction<Optional<StoredBlock>> find;
  private final LongConsumer lacksSide;
  private final GrowingPauses<String> failedNodes = GrowingPauses.ofNodes();
  private final GrowingPauses<Long> compared =
      new GrowingPauses<>(FIRST_PAUSE_MS, LAST_PAUSE_MS, MAX_KEPT);
  private final Queue<Long> toCompare = new ArrayDeque<>();
  private Set<Long> unequalBefore = new HashSet<>();
  private long nextLookMs = Long.MIN_VALUE;

  /**
   * @param find a block, unless it is deleted
   * @param lacksSide is given blocks that lack a side, and have enough replicas for HDFS
   */
  UnequalSides(FrameRows rows, LongFunction<Optional<StoredBlock>> find, LongConsumer lacksSide) {
    this.rows = rows;
    this.find = find;
    this.lacksSide = lacksSide;
  }

  /** Looks at the reports every few minutes, and compares the next superchunks. */
  void round(ClusterView view, long nowMs) {
    if (nowMs >= nextLookMs) {
      nextLookMs = nowMs + Math.max(MIN_PERIOD_MS, view.superchunks().size() / SUPERCHUNKS_A_MS);
      look(view, nowMs);
    }
    for (int i = 0; i < MAX_LISTINGS && !toCompare.isEmpty(); i++) {
      SuperchunkView superchunk = view.superchunks().get(toCompare.remove());
      if (superchunk != null && isUnequal(view, superchunk)) {
        compare(view, superchunk, nowMs);
      }
    }
  }

  /** Another NameNode is active: what was found here may be forgotten when this one is again. */
  void clear() {
    compared.clear();
    failedNodes.clear();
    toCompare.clear();
    unequalBefore = new HashSet<>();
    nextLookMs = Long.MIN_VALUE;
  }

  private void look(ClusterView view, long nowMs) {
    Set<Long> unequal = new HashSet<>();
    toCompare.clear();
    for (SuperchunkView superchunk : view.all()) {
      long id = superchunk.id();
      if (unequal.size() < MAX_KEPT
          && isUnequal(view, superchunk)
          && !compared.isPaused(id, nowMs)) {
        unequal.add(id);
        if (unequalBefore.contains(id)) {
          toCompare.add(id);
        }
      }
    }
    unequalBefore = unequal;
  }

  private static boolean isUnequal(ClusterView view, SuperchunkView superchunk) {
    return superchunk.state() == SuperchunkState.ACTIVE
        && view.blocks(superchunk.leader()) != view.blocks(superchunk.follower());
  }

  private void compare(ClusterView view, SuperchunkView superchunk, long nowMs) {
    Optional<Set<Long>> leader = blockIds(view, superchunk, superchunk.leader(), nowMs);
    Optional<Set<Long>> follower =
        leader.flatMap(any -> blockIds(view, superchunk, superchunk.follower(), nowMs));
    if (follower.isEmpty()) {
      return;
    }
    compared.failed(superchunk.id(), nowMs);
    Set<Long> onOne = new HashSet<>(leader.get());
    onOne.addAll(follower.get());
    leader.get().retainAll(follower.get());
    onOne.removeAll(leader.get());
    Set<String> sides =
        superchunk.holders().stream()
            .map(FrameView::storageId)
            .collect(Collectors.toUnmodifiableSet());
    List<Long> found =
        onOne.stream()
            .filter(id -> find.apply(id).filter(block -> lacksSide(block, sides)).isPresent())
            .toList();
    if (!found.isEmpty()) {
      LOG.info("Blocks lack a side of superchunk {}: {}", superchunk.id(), found.size());
      found.forEach(lacksSide::accept);
    }
  }

  private static boolean lacksSide(StoredBlock block, Set<String> sides) {
    return block.complete()
        && block.wantedReplicas() > 1
        && block.liveReplicas() >= block.wantedReplicas()
        && !block.storageIds().containsAll(sides);
  }

  /** Blocks with rows on a side; empty when its DataNode cannot be asked now. */
  private Optional<Set<Long>> blockIds(
      ClusterView view, SuperchunkView superchunk, FrameView side, long nowMs) {
    Optional<PeerAddress> peer = RebuildOrders.peer(view, side.nodeUuid());
    if (peer.isEmpty() || failedNodes.isPaused(side.nodeUuid(), nowMs)) {
      return Optional.empty();
    }
    try {
      List<Long> listed =
          rows.blockIds(peer.get(), side.storageId(), OptionalLong.of(superchunk.id()));
      failedNodes.succeeded(side.nodeUuid());
      return Optional.of(new HashSet<>(listed));
    } catch (IOException e) {
      failedNodes.failed(side.nodeUuid(), nowMs);
      LOG.warn("Cannot list the rows of frame {}; trying again: {}", side.ref(), e.toString());
      return Optional.empty();
    }
  }
}
