/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps frames that came back too late from standing in the way: their replicas count for HDFS,
 * which then sees two and makes none on the new partner. Such a replica is abandoned as soon as the
 * block has another one in its superchunk. Rows say which replicas are a frame's; no other one is
 * abandoned.
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
  private final GrowingPauses<String> failed = GrowingPauses.ofNodes();
  private final Set<String> notified = new HashSet<>();
  private long nextMs;

  /** Where the next sweep begins, among the frames of that moment. */
  private int nextFrame;

  StraySweeper(Namespace namespace, FrameRows rows) {
    this.namespace = namespace;
    this.rows = rows;
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
        for (StoredBlock block : blocks(view, frame, nowMs)) {
          if (budget > 0
              && standsInTheWay(view, frame, block)
              && notified.add(block.blockId() + "@" + frame.storageId())) {
            namespace.giveUp(block, frame.storageId());
            budget--;
          }
        }
      }
    }
  }

  /** Blocks of a frame; none when its DataNode cannot be asked now. */
  private List<StoredBlock> blocks(ClusterView view, FrameView frame, long nowMs) {
    Optional<PeerAddress> peer = RebuildOrders.peer(view, frame.nodeUuid());
    Optional<Long> superchunkId = frame.pairing().map(Pairing::superchunkId);
    if (peer.isEmpty() || superchunkId.isEmpty()) {
      return List.of();
    }
    try {
      List<SlotEntry> listed =
          rows.entries(peer.get(), frame.storageId(), OptionalLong.of(superchunkId.get()));
      failed.succeeded(frame.nodeUuid());
      return listed.stream()
          .filter(row -> row.state() != SlotState.LIMBO)
          .map(row -> namespace.block(row.blockId()))
          .flatMap(Optional::stream)
          .filter(block -> block.storageIds().contains(frame.storageId()))
          .toList();
    } catch (IOException e) {
      failed.failed(frame.nodeUuid(), nowMs);
      LOG.warn("Cannot list the rows of frame {}; trying again: {}", frame.ref(), e.toString());
      return List.of();
    }
  }

  /** The block has exactly one replica in its superchunk, which works: the other one is missing. */
  private static boolean standsInTheWay(ClusterView view, FrameView stray, StoredBlock block) {
    SuperchunkView home =
        view.superchunks().get(stray.pairing().map(Pairing::superchunkId).orElse(-1L));
    return block.complete()
        && home != null
        && home.state() == SuperchunkState.ACTIVE
        && home.holders().stream()
                .filter(side -> block.storageIds().contains(side.storageId()))
                .count()
            == 1;
  }
}
