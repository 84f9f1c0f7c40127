/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Keeps frames that came back too late from standing in the way: their replicas count for HDFS,
 * which then sees two and makes none on the new partner. Such a replica is abandoned as soon as the
 * block has another one in its superchunk.
 *
 * <p>Not thread-safe; time is passed in.
 */
final class StraySweeper {
  private static final long PERIOD_MS = 3_000;
  private static final int MAX_PER_SWEEP = 1_000;

  private final Namespace namespace;
  private final Set<String> notified = new HashSet<>();
  private long nextMs;

  StraySweeper(Namespace namespace) {
    this.namespace = namespace;
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
    for (FrameView frame : view.frames().superseded()) {
      // Replicas of a node that is being decommissioned do not count for HDFS anyway.
      if (!shape.isLeaving(frame.nodeUuid())) {
        for (StoredBlock block : namespace.blocks(frame.nodeUuid(), frame.storageId())) {
          if (budget > 0
              && standsInTheWay(view, block)
              && notified.add(block.blockId() + "@" + frame.storageId())) {
            namespace.giveUp(block, frame.storageId());
            budget--;
          }
        }
      }
    }
  }

  /** The block has exactly one replica in a working pair: the other one is missing. */
  private static boolean standsInTheWay(ClusterView view, StoredBlock block) {
    if (!block.complete()) {
      return false;
    }
    List<SuperchunkView> homes =
        block.storageIds().stream()
            .flatMap(storageId -> view.superchunksOn(storageId).stream())
            .filter(s -> s.state() == SuperchunkState.ACTIVE)
            .toList();
    return homes.size() == 1;
  }
}
