/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps frames that came back too late from standing in the way: their replicas count for HDFS,
 * which then sees two and makes none on the new partner. Of a block that lacks a side of its
 * superchunk, HDFS is made to look for that; the stray counts meanwhile, as the other side may
 * fail. It is abandoned when both sides have the block, or the one that its file wants. Rows say
 * which replicas are a frame's; no other one is abandoned.
 *
 * <p>Asks DataNodes. Not thread-safe; time is passed in.
 */
final class StraySweeper {
  private static final Logger LOG = LoggerFactory.getLogger(StraySweeper.class);
  private static final long PERIOD_MS = 3_000;
  private static final int MAX_PER_SWEEP = 1_000;

  /** Frames whose rows are listed in a sweep; the next one goes on behind them. */
  static final int MAX_LISTINGS = 32;

  private final Namespace namespace;
  private final FrameRows rows;
  private final LongConsumer lacksSide;
  private final GrowingPauses<String> failed = GrowingPauses.ofNodes();
  private final Set<String> notified = new HashSet<>();
  private long nextMs;

  /** Where the next sweep begins, among the frames of that moment. */
  private int nextFrame;

  /**
   * @param lacksSide is given blocks that lack a side of their superchunk, and have a stray instead
   */
  StraySweeper(Namespace namespace, FrameRows rows, LongConsumer lacksSide) {
    this.namespace = namespace;
    this.rows = rows;
    this.lacksSide = lacksSide;
  }

  /** Looks through superseded frames, every few seconds. */
  void sweep(ClusterView view, long nowMs) {
    if (view.frames().superseded().isEmpty()) {
      notified.clear();
      return;
    }
    if (nowMs < nextMs) {
      return;
    }
    nextMs = nowMs + PERIOD_MS;
    Map<String, Node> nodes = ShapeOfCluster.byUuid(namespace.nodes());
    ShapeOfCluster shape = new ShapeOfCluster(view, nodes, List.of());
    int budget = MAX_PER_SWEEP;
    int listings = 0;
    List<FrameView> frames = view.frames().superseded();
    int first = nextFrame % frames.size();
    for (int i = 0; i < frames.size() && listings < MAX_LISTINGS; i++) {
      nextFrame = (first + i + 1) % frames.size();
      FrameView frame = frames.get((first + i) % frames.size());
      // Replicas of a node that is being decommissioned do not count for HDFS anyway.
      if (!shape.isLeaving(frame.nodeUuid()) && !failed.isPaused(frame.nodeUuid(), nowMs)) {
        listings++;
        for (long blockId : blockIds(view, frame, nowMs)) {
          budget -= look(view, frame, blockId, budget > 0) ? 1 : 0;
        }
      }
    }
  }

  /**
   * Looks at a block as it is now: listing rows takes long, and a mark is not taken back.
   *
   * @return whether its replica in the frame was given up
   */
  private boolean look(ClusterView view, FrameView stray, long blockId, boolean mayGiveUp) {
    StoredBlock block = namespace.block(blockId).orElse(null);
    SuperchunkView home =
        view.superchunks().get(stray.pairing().map(Pairing::superchunkId).orElse(-1L));
    if (block == null
        || !block.complete()
        || !block.storageIds().contains(stray.storageId())
        || home == null
        || home.state() != SuperchunkState.ACTIVE) {
      return false;
    }
    if (goodSides(home, block) < Math.min(home.holders().size(), block.wantedReplicas())) {
      if (block.liveReplicas() >= block.wantedReplicas()) {
        lacksSide.accept(blockId);
      }
      return false;
    }
    boolean isSide =
        home.holders().stream().anyMatch(side -> side.storageId().equals(stray.storageId()));
    return !isSide
        && mayGiveUp
        && notified.add(blockId + "@" + stray.storageId())
        && namespace.giveUp(block, stray.storageId());
  }

  private static long goodSides(SuperchunkView home, StoredBlock block) {
    return home.holders().stream()
        .map(FrameView::storageId)
        .filter(side -> block.storageIds().contains(side) && block.markAt(side).isEmpty())
        .count();
  }

  /** Blocks with rows in a frame; none when its DataNode cannot be asked now. */
  private List<Long> blockIds(ClusterView view, FrameView frame, long nowMs) {
    Optional<PeerAddress> peer = RebuildOrders.peer(view, frame.nodeUuid());
    Optional<Long> superchunkId = frame.pairing().map(Pairing::superchunkId);
    if (peer.isEmpty() || superchunkId.isEmpty()) {
      return List.of();
    }
    try {
      List<Long> listed =
          rows.blockIds(peer.get(), frame.storageId(), OptionalLong.of(superchunkId.get()));
      failed.succeeded(frame.nodeUuid());
      return listed;
    } catch (IOException e) {
      failed.failed(frame.nodeUuid(), nowMs);
      LOG.warn("Cannot list the rows of frame {}; trying again: {}", frame.ref(), e.toString());
      return List.of();
    }
  }
}
