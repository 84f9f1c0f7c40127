/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;

/**
 * Copies to new sides that may never end: HDFS gives their receivers no blocks, or no block has
 * come for long, as the receiver is full or its source does not send. They stay under way, and
 * their sources keep all blocks; the recovery only does not wait for them before it begins what is
 * next.
 *
 * <p>Not thread-safe: the coordinator calls it under its lock; time is passed in.
 */
final class StalledCopies {
  /** Why a superchunk waits. */
  static final String REASON = "COPY_STALLED";

  /** Longer than HDFS waits before it orders a failed copy again. */
  static final long MAX_IDLE_MS = 600_000;

  /** Of copies under way, by superchunk. */
  private final Map<Long, Progress> progress = new HashMap<>();

  /** Copies in whose place others were begun that no pair has stored yet, by superchunk. */
  private final Map<Long, RecoveryMove> replaced = new HashMap<>();

  private record Progress(long epoch, RebuildCounts counts, long sinceMs) {
    boolean isSame(RecoveryMove move) {
      return epoch == move.epoch() && counts.equals(move.counts());
    }
  }

  /**
   * Looks at the moves under way.
   *
   * @param nodes as the NameNode knows them, by uuid
   * @return those that are not waited for, by superchunk
   */
  Map<Long, Waiting> look(
      ClusterView view, Map<Long, RecoveryMove> moves, Map<String, Node> nodes, long nowMs) {
    progress.keySet().retainAll(moves.keySet());
    ShapeOfCluster.AdminStates states = new ShapeOfCluster.AdminStates(nodes);
    Map<Long, Waiting> stalled = new TreeMap<>();
    for (RecoveryMove move : moves.values()) {
      if (move.phase() == Phase.COPYING) {
        why(view, states, move, nowMs)
            .ifPresent(why -> stalled.put(move.superchunkId(), waiting(view, move, why)));
      }
    }
    return stalled;
  }

  private static Waiting waiting(ClusterView view, RecoveryMove move, String why) {
    RebuildCounts counts = move.counts();
    return new Waiting(
        move.superchunkId(),
        REASON,
        "its new side "
            + view.name(move.receiver().frame())
            + (counts.blocksTotal() == 0
                ? " may lack blocks"
                : " lacks " + (counts.blocksTotal() - counts.blocksDone()) + " blocks")
            + ", which stay on the other side: "
            + why);
  }

  private Optional<String> why(
      ClusterView view, ShapeOfCluster.AdminStates states, RecoveryMove move, long nowMs) {
    Progress last = progress.get(move.superchunkId());
    if (last == null || !last.isSame(move)) {
      last = new Progress(move.epoch(), move.counts(), nowMs);
      progress.put(move.superchunkId(), last);
    }
    String receiver = move.receiver().nodeUuid();
    if (states.isLeaving(receiver)) {
      return Optional.of("its DataNode is being decommissioned; it gets another one");
    }
    if (view.superchunks().get(move.superchunkId()).holders().stream()
        .anyMatch(side -> !move.isTo(side) && states.isLeaving(side.nodeUuid()))) {
      return Optional.of(
          "the DataNode of the other side is being decommissioned, and HDFS copies from such a node"
              + " only beside one in service; take it back into service until they are copied");
    }
    if (states.isInMaintenance(receiver)) {
      return Optional.of("its DataNode is in maintenance; end that to have them copied");
    }
    return nowMs - last.sinceMs() < MAX_IDLE_MS
        ? Optional.empty()
        : Optional.of(
            "none was copied for "
                + MAX_IDLE_MS / 1_000
                + " s; see the logs of both DataNodes, and make room on the disk of the new side");
  }

  /** Notes a copy whose superchunk is to get another receiver. */
  void replaced(RecoveryMove copy) {
    replaced.put(copy.superchunkId(), copy);
  }

  /**
   * Looks what has become of the move that was begun in place of a copy.
   *
   * @param before the move one step earlier
   * @return the copy, which goes on: the other move has failed before its pair was stored, and the
   *     side that the copy fills has yet to get its blocks
   */
  Optional<RecoveryMove> restored(RecoveryMove before, RecoveryMove now) {
    if (now.phase() == Phase.ASSIGNING) {
      return Optional.empty();
    }
    return Optional.ofNullable(replaced.remove(now.superchunkId()))
        .filter(copy -> before.phase() == Phase.ASSIGNING && now.phase() == Phase.FAILED);
  }

  /** Forgets all. */
  void clear() {
    replaced.clear();
    progress.clear();
  }
}
