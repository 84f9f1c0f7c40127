/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.FrameReport;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which frames make which superchunk: reported, not stored. A manager that starts with nothing
 * knows the same as the one before it as soon as all agents have reported. Pure: time is passed in.
 * Thread-safe; reads of the view take no lock.
 *
 * <p>A superchunk takes about 1.2 KB of heap here and in {@link Grants}, two frames in all ({@code
 * SuperchunkHeapTest}): for each frame the report that the view was made of and the newest one, its
 * highest pairing and its free units, and for the superchunk its view and its highest epoch. Names
 * of volumes and nodes are there once.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>An epoch that this map hands out is higher than every epoch known of that superchunk and of
 *       that frame.
 *   <li>An assignment is repeated in every answer until the frame reports it stored, or a higher
 *       epoch makes it obsolete.
 * </ul>
 */
final class SuperchunkMap {
  private final ManagerOptions.Silence silence;
  private final Coefficients coefficients;
  private final long startedAtMs;
  private volatile boolean allHadTime;
  private final Map<String, NodeState> nodes = new HashMap<>();
  private final Map<String, LstorState> lstors = new HashMap<>();
  private final Map<FrameRef, Pairing> highestSeen = new HashMap<>();
  private final Map<Long, Long> highestEpochs = new HashMap<>();
  private final Map<FrameRef, Assignment> outstanding = new LinkedHashMap<>();

  private final ReportChain chain = new ReportChain(new SecureRandom().nextLong());
  private long highestKnown;

  /** Highest epoch that this manager has ever ordered, by superchunk. */
  private final Map<Long, Long> ordered = new HashMap<>();

  private final Set<String> failedByAdmin = new TreeSet<>();
  private volatile ClusterView view = ClusterView.empty();

  /**
   * @param silence after which a node gets no new blocks, and its frames are gone
   * @param coefficients of the sides of pairs that this map completes
   * @param startedAtMs now; frames that are new to this map have the same time to report
   */
  SuperchunkMap(ManagerOptions.Silence silence, Coefficients coefficients, long startedAtMs) {
    this.startedAtMs = startedAtMs;
    this.silence = silence;
    this.coefficients = coefficients;
  }

  /** What all reports so far say. */
  ClusterView view() {
    return view;
  }

  /** Whether this map is so old that who has not reported is gone. */
  boolean allHadTime() {
    return allHadTime;
  }

  /**
   * Takes in a report of a DataNode's agent.
   *
   * @return receipt; empty: the report is incremental and does not continue the last one that was
   *     taken in. It changed nothing.
   */
  synchronized OptionalLong report(NodeReport report, long nowMs) {
    NodeState before = nodes.get(report.nodeUuid());
    NodeReport whole =
        chain.expand(Optional.ofNullable(before).map(NodeState::report), report).orElse(null);
    if (whole == null) {
      return OptionalLong.empty();
    }
    nodes.put(report.nodeUuid(), new NodeState(whole, nowMs, NodeState.Silence.NONE));
    for (DiskReport disk : report.disks()) {
      for (FrameReport frame : disk.frames()) {
        frame
            .pairing()
            .ifPresent(
                p -> {
                  note(p);
                  highestSeen.merge(
                      frame.ref(), p, (old, now) -> now.epoch() >= old.epoch() ? now : old);
                  outstanding.computeIfPresent(
                      frame.ref(),
                      (id, order) ->
                          order.pairing().equals(p) || p.epoch() > order.pairing().epoch()
                              ? null
                              : order);
                });
      }
    }
    if (before == null
        || before.silence() != NodeState.Silence.NONE
        || !sameStructure(before.report(), whole)) {
      rebuild();
    } else {
      refreshNode(whole, nowMs);
    }
    return OptionalLong.of(chain.taken(report.nodeUuid()));
  }

  private void note(Pairing pairing) {
    highestEpochs.merge(pairing.superchunkId(), pairing.epoch(), Math::max);
    highestKnown = Math.max(highestKnown, pairing.epoch());
  }

  /** Takes in a report of an Lstor daemon. */
  synchronized void report(LstorReport report, long nowMs) {
    report.frames().forEach(f -> f.pairing().ifPresent(this::note));
    LstorState before = lstors.put(report.diskId(), new LstorState(report, nowMs, true));
    if (before == null || !before.reachable() || !before.report().equals(report)) {
      rebuild();
    }
  }

  /** Notes who has been silent for too long; to be called about once a report interval. */
  synchronized void advance(long nowMs) {
    boolean changed = !allHadTime && nowMs - startedAtMs > silence.deadMs();
    if (changed) {
      allHadTime = true;
    }
    for (Map.Entry<String, NodeState> e : nodes.entrySet()) {
      NodeState node = e.getValue();
      NodeState.Silence now = silenceOf(nowMs - node.reportedAtMs());
      if (now != node.silence()) {
        e.setValue(new NodeState(node.report(), node.reportedAtMs(), now));
        changed = true;
      }
    }
    for (Map.Entry<String, LstorState> e : lstors.entrySet()) {
      LstorState lstor = e.getValue();
      boolean reachable = nowMs - lstor.reportedAtMs() <= silence.staleMs();
      if (reachable != lstor.reachable()) {
        e.setValue(new LstorState(lstor.report(), lstor.reportedAtMs(), reachable));
        changed = true;
      }
    }
    if (changed) {
      rebuild();
    }
  }

  private NodeState.Silence silenceOf(long ageMs) {
    if (ageMs > silence.deadMs()) {
      return NodeState.Silence.DEAD;
    }
    return ageMs > silence.staleMs() ? NodeState.Silence.STALE : NodeState.Silence.NONE;
  }

  /** A disk that an administrator declared failed counts as gone from now on. */
  synchronized void declareFailed(String diskId) {
    failedByAdmin.add(diskId);
    rebuild();
  }

  synchronized List<String> failedDisksOf(String nodeUuid) {
    return failedByAdmin.stream()
        .filter(d -> view.disks().containsKey(d) && view.disks().get(d).nodeUuid().equals(nodeUuid))
        .toList();
  }

  /**
   * Hands out pairings until they are stored.
   *
   * @throws IllegalArgumentException when an epoch is not higher than all that are known of its
   *     superchunk and frame
   */
  synchronized void assign(Collection<Assignment> assignments) {
    for (Assignment a : assignments) {
      long floor = Math.max(highestEpoch(a.pairing().superchunkId()), epochOf(a.frame()));
      if (a.pairing().epoch() <= floor) {
        throw new IllegalArgumentException("Cannot assign: " + a + ", expected epoch > " + floor);
      }
    }
    for (Assignment a : assignments) {
      outstanding.put(a.frame(), a);
      ordered.merge(a.pairing().superchunkId(), a.pairing().epoch(), Math::max);
      highestKnown = Math.max(highestKnown, a.pairing().epoch());
    }
    rebuild();
  }

  /** An epoch that nobody has had: for the superchunk and for every frame that shall store it. */
  synchronized long nextEpoch(long superchunkId, Collection<FrameRef> frames) {
    long highest = highestEpoch(superchunkId);
    highest = Math.max(highest, ordered.getOrDefault(superchunkId, 0L));
    for (FrameRef frame : frames) {
      Assignment order = outstanding.get(frame);
      highest =
          Math.max(highest, Math.max(epochOf(frame), order == null ? 0 : order.pairing().epoch()));
    }
    return Math.addExact(highest, 1);
  }

  /** Highest epoch of any superchunk that was reported or ordered; 0: none. */
  synchronized long highestEpoch() {
    return highestKnown;
  }

  private long highestEpoch(long superchunkId) {
    return highestEpochs.getOrDefault(superchunkId, 0L);
  }

  private long epochOf(FrameRef frame) {
    Pairing seen = highestSeen.get(frame);
    return seen == null ? 0 : seen.epoch();
  }

  /**
   * What the frames of a node shall store: orders of this manager, and halves of pairs that an
   * earlier one began.
   */
  synchronized List<Assignment> assignmentsFor(String nodeUuid) {
    List<Assignment> result = new ArrayList<>();
    for (Assignment a : outstanding.values()) {
      if (view.frame(a.frame())
          .filter(f -> f.nodeUuid().equals(nodeUuid) && f.health().alive())
          .isPresent()) {
        result.add(a);
      }
    }
    for (Assignment a : view.completions().values()) {
      FrameView frame = view.frame(a.frame()).orElseThrow();
      if (frame.nodeUuid().equals(nodeUuid) && !outstanding.containsKey(a.frame())) {
        result.add(a);
      }
    }
    return result;
  }

  /** Orders not yet stored. */
  synchronized List<Assignment> outstanding() {
    return List.copyOf(outstanding.values());
  }

  private void rebuild() {
    view =
        new ClusterViewBuilder(
                nodes.values(),
                lstors.values(),
                failedByAdmin,
                highestSeen,
                outstanding,
                coefficients,
                allHadTime)
            .build();
    boolean dropped = outstanding.values().removeIf(this::isObsolete);
    if (dropped) {
      rebuild();
    }
  }

  /**
   * A superchunk that went on under a higher epoch makes older orders obsolete, and a dead frame
   * can store nothing: if it comes back, what its partner has stored is derived again. Nor does a
   * frame store what another one of its volume has stored, or give up what it holds: an earlier
   * manager has ordered that.
   */
  private boolean isObsolete(Assignment order) {
    SuperchunkView superchunk = view.superchunks().get(order.pairing().superchunkId());
    FrameView frame = view.frame(order.frame()).orElse(null);
    if (frame == null
        || !frame.health().alive()
        || view.superchunkOf(frame)
            .filter(s -> s.id() != order.pairing().superchunkId())
            .isPresent()) {
      return true;
    }
    return superchunk != null
        && (superchunk.epoch() > order.pairing().epoch()
            || superchunk.epoch() == order.pairing().epoch()
                && superchunk.holders().stream().anyMatch(f -> hasInsteadOf(f, order.frame())));
  }

  private static boolean hasInsteadOf(FrameView holder, FrameRef ordered) {
    return holder.storageId().equals(ordered.storageId()) && !holder.ref().equals(ordered);
  }

  /** Takes over numbers that change all the time without deriving everything again. */
  private void refreshNode(NodeReport report, long nowMs) {
    view = view.withNode(new NodeState(report, nowMs, NodeState.Silence.NONE));
  }

  private static boolean sameStructure(NodeReport a, NodeReport b) {
    return structure(a).equals(structure(b));
  }

  private static List<Object> structure(NodeReport r) {
    List<Object> parts =
        new ArrayList<>(
            List.of(
                r.node().hostName(),
                r.node().peerHost(),
                r.node().peerPort(),
                r.node().incarnation()));
    for (DiskReport d : r.disks()) {
      parts.addAll(List.of(d.diskId(), d.path(), d.state(), d.geometry(), d.failure()));
      for (FrameReport f : d.frames()) {
        parts.addAll(
            List.of(
                f.storageId(),
                f.frameIndex(),
                f.pairing(),
                f.failed(),
                f.load().blocks() == 0,
                f.load().limboBytes() == 0));
      }
    }
    return parts;
  }
}
