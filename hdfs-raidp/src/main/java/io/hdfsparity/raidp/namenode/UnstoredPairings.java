/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.raidp.namenode.NodeState.Silence;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Assignment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Disks whose DataNodes report in time and do not store the pairings that they are ordered to
 * store: the data directory may be full or read-only. A recovery waits for such a pairing for a
 * limited time, and then leaves the disk alone for a growing pause, so that all other superchunks
 * go on. Not thread-safe: the coordinator calls it under its lock; time is passed in.
 */
final class UnstoredPairings {
  private static final long FIRST_PAUSE_MS = 60_000;
  private static final long LAST_PAUSE_MS = 600_000;
  private static final int MAX_KEPT = 10_000;

  private final long limitMs;
  private final GrowingPauses<String> pauses =
      new GrowingPauses<>(FIRST_PAUSE_MS, LAST_PAUSE_MS, MAX_KEPT);

  /** Of moves that wait for pairings to be stored, by superchunk. */
  private final Map<Long, Begun> begun = new HashMap<>();

  /** Of pairs that one side only has stored, without a move, by superchunk. */
  private final Map<Long, Begun> halves = new HashMap<>();

  /** What was found, by disk. */
  private final Map<String, Problem> found = new TreeMap<>();

  private record Begun(long epoch, long atMs) {}

  /**
   * @param limitMs after which a DataNode that reports should have stored a pairing: some report
   *     intervals
   */
  UnstoredPairings(long limitMs) {
    this.limitMs = limitMs;
  }

  /**
   * Looks at a move whose pairings have yet to be stored.
   *
   * @param outstanding orders that are not stored
   * @return why it is not waited for any more
   */
  Optional<String> check(
      ClusterView view, RecoveryMove move, List<Assignment> outstanding, long nowMs) {
    List<Assignment> own =
        outstanding.stream()
            .filter(order -> order.pairing().superchunkId() == move.superchunkId())
            .toList();
    List<String> late = late(view, begun, move.superchunkId(), move.epoch(), own, nowMs);
    if (late.isEmpty()) {
      return Optional.empty();
    }
    begun.remove(move.superchunkId());
    return Optional.of(String.join("; ", late));
  }

  /**
   * Looks at the pairs that one side only has stored. No move waits for them: an earlier manager
   * ordered them, or the move is over. To be called between rounds, before {@link #pausedDisks}.
   */
  void checkHalves(ClusterView view, long nowMs) {
    Collection<Assignment> completions = view.completions().values();
    Set<Long> there = new HashSet<>();
    for (Assignment order : completions) {
      long id = order.pairing().superchunkId();
      there.add(id);
      if (!isPaused(view, order, nowMs)) {
        late(view, halves, id, order.pairing().epoch(), List.of(order), nowMs);
      }
    }
    halves.keySet().retainAll(there);
  }

  private boolean isPaused(ClusterView view, Assignment order, long nowMs) {
    return view.frame(order.frame()).filter(f -> pauses.isPaused(f.diskId(), nowMs)).isPresent();
  }

  /** Notes the disks of orders that their nodes have not stored in time. */
  private List<String> late(
      ClusterView view,
      Map<Long, Begun> waits,
      long superchunkId,
      long epoch,
      List<Assignment> orders,
      long nowMs) {
    Begun since = waits.get(superchunkId);
    if (since == null || since.epoch() != epoch) {
      since = new Begun(epoch, nowMs);
      waits.put(superchunkId, since);
    }
    List<String> late = new ArrayList<>();
    for (Assignment order : orders) {
      FrameView frame = view.frame(order.frame()).orElse(null);
      NodeState node = frame == null ? null : view.nodes().get(frame.nodeUuid());
      if (node != null
          && node.silence() == Silence.NONE
          && node.reportedAtMs() - since.atMs() > limitMs) {
        late.add(note(view, frame, node, nowMs));
      }
    }
    return late;
  }

  private String note(ClusterView view, FrameView frame, NodeState node, long nowMs) {
    String detail =
        ErrorMessage.to("store a pairing")
            .value("frame", view.name(frame.ref()))
            .value("node", node.report().node().hostName())
            .expected(
                "it to be stored within "
                    + limitMs / 1_000
                    + " s; see the DataNode's log, and make room in the data directory or make it"
                    + " writable")
            .message();
    pauses.failed(frame.diskId(), nowMs);
    found.put(frame.diskId(), new Problem(Problem.Kind.PAIRING_NOT_STORED, frame.diskId(), detail));
    return detail;
  }

  /** A move does not wait for pairings any more. */
  void ended(long superchunkId) {
    begun.remove(superchunkId);
  }

  /** Disks that get no pairings for now. */
  Set<String> pausedDisks(long nowMs) {
    Set<String> paused = new TreeSet<>(found.keySet());
    paused.removeIf(diskId -> !pauses.isPaused(diskId, nowMs));
    return paused;
  }

  /** What is wrong with them. */
  List<Problem> problems(long nowMs) {
    return pausedDisks(nowMs).stream().map(found::get).toList();
  }

  /** Superchunks that get no new side for now, as their survivors are on such disks; by id. */
  Map<Long, Waiting> waiting(ClusterView view, long nowMs) {
    Map<Long, Waiting> waiting = new TreeMap<>();
    Set<String> paused = pausedDisks(nowMs);
    if (paused.isEmpty()) {
      return waiting;
    }
    for (SuperchunkView superchunk : view.in(SuperchunkState.DEGRADED)) {
      superchunk
          .survivor()
          .filter(survivor -> paused.contains(survivor.diskId()))
          .ifPresent(
              survivor ->
                  waiting.put(
                      superchunk.id(),
                      new Waiting(
                          superchunk.id(),
                          Problem.Kind.PAIRING_NOT_STORED.name(),
                          found.get(survivor.diskId()).detail())));
    }
    return waiting;
  }

  /** Forgets all: an administrator may have mended them. */
  void clear() {
    pauses.clear();
    begun.clear();
    halves.clear();
    found.clear();
  }
}
