/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * Which storages can have rows of blocks, and which can be asked for them now. Thread-safe; asks
 * nobody but in {@link #refresh}.
 */
final class RowStorages {
  /**
   * After so long without a report the agent of a DataNode is gone, and not only away: HDFS has
   * declared the node dead before, or goes on with it alone. Nothing that is copied waits for its
   * rows then; what is deleted does.
   */
  static final long GONE_MS = 900_000;

  private static final long REFRESH_MS = 10_000;

  private final Supplier<ClusterView> views;
  private final Supplier<List<Node>> nodes;
  private final Predicate<String> leavesToHdfs;
  private final BooleanSupplier allHadTime;
  private final LongSupplier clockMs;
  private final long startedAtMs;
  private volatile Map<String, String> nodeByStorage = Map.of();
  private volatile boolean incomplete = true;
  private long refreshedAtMs = Long.MIN_VALUE / 2;

  /** What is known of the rows of a storage. */
  enum Rows {
    /** It has none, or none that anybody could read: its node, or the roster, has said so. */
    NONE,
    /** Its node is silent for long: no answer is awaited, but none was given either. */
    GONE,
    /** Its DataNode can be asked now. */
    TO_ASK,
    /** Its DataNode is expected to report. */
    AWAITED
  }

  /**
   * @param nodes of the NameNode, with their storages
   * @param leavesToHdfs whether a node, by its uuid, has no pairs
   * @param allHadTime whether each node had the time to report to this manager
   */
  RowStorages(
      Supplier<ClusterView> views,
      Supplier<List<Node>> nodes,
      Predicate<String> leavesToHdfs,
      BooleanSupplier allHadTime,
      LongSupplier clockMs) {
    this.views = views;
    this.nodes = nodes;
    this.leavesToHdfs = leavesToHdfs;
    this.allHadTime = allHadTime;
    this.clockMs = clockMs;
    this.startedAtMs = clockMs.getAsLong();
  }

  ClusterView view() {
    return views.get();
  }

  /** What is known of the rows of a storage. */
  Rows rowsOf(ClusterView view, String storageId) {
    List<FrameView> frames = view.framesOn(storageId);
    if (!frames.isEmpty()) {
      return ofVolume(view, storageId, frames.get(0).nodeUuid());
    }
    String nodeUuid = nodeByStorage.get(storageId);
    if (nodeUuid == null) {
      incomplete = true;
      return Rows.AWAITED;
    }
    if (leavesToHdfs.test(nodeUuid)) {
      return Rows.NONE;
    }
    NodeState node = view.nodes().get(nodeUuid);
    // A report names all volumes with frames.
    return node != null && node.silence() == NodeState.Silence.NONE
        ? Rows.NONE
        : ofSilentNode(Optional.ofNullable(node));
  }

  private Rows ofVolume(ClusterView view, String storageId, String nodeUuid) {
    NodeState node = view.nodes().get(nodeUuid);
    if (node == null || node.silence() != NodeState.Silence.NONE) {
      return ofSilentNode(Optional.ofNullable(node));
    }
    // The node reports, and says that this disk has failed.
    return view.isAlive(storageId) ? Rows.TO_ASK : Rows.NONE;
  }

  private Rows ofSilentNode(Optional<NodeState> node) {
    long sinceMs = node.map(NodeState::reportedAtMs).orElse(startedAtMs);
    return allHadTime.getAsBoolean() && clockMs.getAsLong() - sinceMs >= GONE_MS
        ? Rows.GONE
        : Rows.AWAITED;
  }

  /** Looks which nodes the storages are on, if one was asked for that is not known. */
  void refresh(long nowMs) {
    if (!incomplete || nowMs - refreshedAtMs < REFRESH_MS) {
      return;
    }
    incomplete = false;
    refreshedAtMs = nowMs;
    Map<String, String> found = new HashMap<>();
    for (Node node : nodes.get()) {
      node.storages().forEach(storage -> found.put(storage.id(), node.uuid()));
    }
    nodeByStorage = Map.copyOf(found);
  }
}
