/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.lstor.SlotState;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops surplus replicas where the storages of a block do not tell which of them are its
 * superchunk's: with replicas on A, B and C, AB and BC can both be superchunks. HDFS's policy then
 * chooses none, and tells these storages. The rows say the superchunk; what lies outside it is
 * given up, if both its sides have the block and no replica of it is damaged. Of two superchunks
 * that have it on both sides the one with the lower id stays.
 *
 * <p>After a failover HDFS looks at all blocks again, and so the policy tells them again. Asks
 * DataNodes. Not thread-safe; time is passed in.
 */
final class SurplusSweeper {
  private static final Logger LOG = LoggerFactory.getLogger(SurplusSweeper.class);
  private static final long PERIOD_MS = 3_000;

  /** Sets of storages that are looked at in a sweep: each costs a list of two volumes. */
  private static final int MAX_PER_SWEEP = 4;

  /** Sets of storages that wait. */
  private static final int MAX_WAITING = 1_000;

  /** So often a set of storages is looked at while it has a surplus. */
  private static final int MAX_LOOKS = 100;

  private final Namespace namespace;
  private final FrameRows rows;
  private final IntFunction<List<List<String>>> undecided;
  private final GrowingPauses<String> failed = GrowingPauses.ofNodes();
  private final Deque<Surplus> waiting = new ArrayDeque<>();
  private long nextMs;

  private record Surplus(List<String> storageIds, int looks) {}

  private enum Look {
    NOTHING_LEFT,
    SOME_LEFT,
    NODE_AWAY
  }

  /**
   * @param undecided takes storages of blocks with a surplus, at most as many as it is given
   */
  SurplusSweeper(Namespace namespace, FrameRows rows, IntFunction<List<List<String>>> undecided) {
    this.namespace = namespace;
    this.rows = rows;
    this.undecided = undecided;
  }

  /** Looks at a few sets of storages, every few seconds. */
  void sweep(ClusterView view, long nowMs) {
    if (nowMs < nextMs) {
      return;
    }
    nextMs = nowMs + PERIOD_MS;
    Set<List<String>> known = waiting.stream().map(Surplus::storageIds).collect(Collectors.toSet());
    for (List<String> storageIds : undecided.apply(MAX_WAITING - waiting.size())) {
      if (known.add(storageIds)) {
        waiting.add(new Surplus(storageIds, 0));
      }
    }
    for (int i = Math.min(MAX_PER_SWEEP, waiting.size()); i > 0; i--) {
      Surplus surplus = waiting.removeFirst();
      Look look = look(view, surplus.storageIds(), nowMs);
      if (look == Look.NODE_AWAY) {
        waiting.addLast(surplus);
      } else if (look == Look.SOME_LEFT && surplus.looks() < MAX_LOOKS) {
        waiting.addLast(new Surplus(surplus.storageIds(), surplus.looks() + 1));
      }
    }
  }

  /** Gives up what lies outside; whether some block had a surplus still. */
  private Look look(ClusterView view, List<String> storageIds, long nowMs) {
    Set<String> all = new HashSet<>(storageIds);
    Optional<FrameView> first =
        storageIds.stream().flatMap(id -> view.framesOn(id).stream()).findFirst();
    if (first.isEmpty()) {
      return Look.NOTHING_LEFT;
    }
    List<StoredBlock> blocks =
        namespace.blocks(first.get().nodeUuid(), first.get().storageId()).stream()
            // Damaged replicas are in the NameNode's list, and not in the policy's.
            .filter(block -> new HashSet<>(block.storageIds()).containsAll(all))
            .filter(block -> block.complete() && block.liveReplicas() > block.wantedReplicas())
            .toList();
    if (blocks.isEmpty()) {
      return Look.NOTHING_LEFT;
    }
    Map<Long, Map<SuperchunkView, Integer>> sidesWithRows = new HashMap<>();
    for (String storageId : storageIds) {
      if (!list(view, storageId, sidesWithRows, nowMs)) {
        return Look.NODE_AWAY;
      }
    }
    for (StoredBlock block : blocks) {
      List<SuperchunkView> whole =
          sidesWithRows.getOrDefault(block.blockId(), Map.of()).entrySet().stream()
              .filter(each -> each.getValue() == 2)
              .map(Map.Entry::getKey)
              .sorted(Comparator.comparingLong(SuperchunkView::id))
              .toList();
      // A damaged replica may be one of the two that would stay: it is healed first.
      boolean areAllGood = block.liveReplicas() == block.storageIds().size();
      if (!whole.isEmpty() && areAllGood) {
        Set<String> stay = sides(whole.get(0));
        storageIds.stream()
            .filter(storageId -> !stay.contains(storageId))
            .forEach(storageId -> namespace.giveUp(block, storageId));
      }
    }
    return Look.SOME_LEFT;
  }

  private static Set<String> sides(SuperchunkView superchunk) {
    return superchunk.holders().stream().map(FrameView::storageId).collect(Collectors.toSet());
  }

  /**
   * Counts for each block, by superchunk in service, the sides with a row of it.
   *
   * @return false if the node is away
   */
  private boolean list(
      ClusterView view,
      String storageId,
      Map<Long, Map<SuperchunkView, Integer>> sidesWithRows,
      long nowMs) {
    List<FrameView> frames = view.framesOn(storageId);
    if (frames.isEmpty()) {
      return true;
    }
    String nodeUuid = frames.get(0).nodeUuid();
    Optional<PeerAddress> peer = RebuildOrders.peer(view, nodeUuid);
    if (peer.isEmpty() || failed.isPaused(nodeUuid, nowMs)) {
      return false;
    }
    Map<Integer, SuperchunkView> byFrame = view.superchunksByFrame(storageId);
    try {
      for (SlotEntry row : rows.entries(peer.get(), storageId, OptionalLong.empty())) {
        SuperchunkView superchunk = byFrame.get(row.frameIndex());
        if (superchunk != null
            && superchunk.state() == SuperchunkState.ACTIVE
            && row.state() == SlotState.LIVE) {
          sidesWithRows
              .computeIfAbsent(row.blockId(), id -> new HashMap<>())
              .merge(superchunk, 1, Integer::sum);
        }
      }
      failed.succeeded(nodeUuid);
      return true;
    } catch (IOException e) {
      failed.failed(nodeUuid, nowMs);
      LOG.warn("Cannot list the rows of storage {}; trying again: {}", storageId, e.toString());
      return false;
    }
  }
}
