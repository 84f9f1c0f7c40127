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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which frames make which superchunk: reported, not stored. A manager that starts with nothing
 * knows the same as the one before it as soon as all agents have reported. Pure: time is passed in.
 * Thread-safe; reads of the view take no lock.
 *
 * <p>A superchunk takes about 400 bytes of heap here and in {@link Grants}, with its two frames
 * ({@code SuperchunkHeapTest}): for each frame its report, its view and its free units, and the
 * view of the superchunk. A frame whose numbers have changed since its view was made has two
 * reports. Names of volumes and nodes are there once.
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
  private final long startedAtMs;
  private volatile boolean allHadTime;
  private PersistentMap<String, NodeState> nodes =
      PersistentMap.empty(node -> node.report().nodeUuid());
  private PersistentMap<String, LstorState> lstors =
      PersistentMap.empty(lstor -> lstor.report().diskId());

  /** Highest epochs of superchunks, where no frame has them now. */
  private final Map<Long, Long> pastEpochs = new HashMap<>();

  private final Orders outstanding = new Orders();
  private final ReportChain chain = new ReportChain(new SecureRandom().nextLong());
  private final ClusterViewBuilder builder;
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
    this.builder = new ClusterViewBuilder(outstanding.all(), coefficients);
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
    List<FrameRef> stored = new ArrayList<>();
    for (DiskReport disk : report.disks()) {
      for (FrameReport frame : disk.frames()) {
        if (frame.pairing().filter(p -> isAnswered(outstanding.get(frame.ref()), p)).isPresent()) {
          outstanding.remove(frame.ref());
          stored.add(frame.ref());
        }
      }
    }
    nodes = nodes.with(new NodeState(whole, nowMs, NodeState.Silence.NONE));
    if (before == null
        || before.silence() != NodeState.Silence.NONE
        || !stored.isEmpty()
        || !sameStructure(before.report(), whole)) {
      rebuild(
          before == null ? List.of() : List.of(before.report()),
          Set.of(report.nodeUuid()),
          Set.of(),
          stored);
    } else {
      view = view.with(nodes, lstors);
    }
    report.disks().forEach(disk -> disk.frames().forEach(this::note));
    return OptionalLong.of(chain.taken(report.nodeUuid()));
  }

  private static boolean isAnswered(@Nullable Assignment order, Pairing stored) {
    return order != null
        && (order.pairing().equals(stored) || stored.epoch() > order.pairing().epoch());
  }

  private void note(FrameReport frame) {
    frame
        .pairing()
        .ifPresent(
            pairing -> {
              highestKnown = Math.max(highestKnown, pairing.epoch());
              SuperchunkView superchunk = view.superchunks().get(pairing.superchunkId());
              if (superchunk == null || superchunk.epoch() < pairing.epoch()) {
                pastEpochs.merge(pairing.superchunkId(), pairing.epoch(), Math::max);
              }
            });
  }

  /** Takes in a report of an Lstor daemon. */
  synchronized void report(LstorReport report, long nowMs) {
    LstorState before = lstors.get(report.diskId());
    lstors = lstors.with(new LstorState(report, nowMs, true));
    if (before == null || !before.reachable() || !before.report().equals(report)) {
      rebuild(List.of(), Set.of(), Set.of(report.diskId()), List.of());
      report.frames().forEach(this::note);
    } else {
      view = view.with(nodes, lstors);
    }
  }

  /** Notes who has been silent for too long; to be called about once a report interval. */
  synchronized void advance(long nowMs) {
    Set<String> changedNodes = new HashSet<>();
    Set<String> changedLstors = new HashSet<>();
    for (NodeState node : nodes.values()) {
      NodeState.Silence now = silenceOf(nowMs - node.reportedAtMs());
      if (now != node.silence()) {
        changedNodes.add(node.report().nodeUuid());
        nodes = nodes.with(new NodeState(node.report(), node.reportedAtMs(), now));
      }
    }
    for (LstorState lstor : lstors.values()) {
      boolean reachable = nowMs - lstor.reportedAtMs() <= silence.staleMs();
      if (reachable != lstor.reachable()) {
        changedLstors.add(lstor.report().diskId());
        lstors = lstors.with(new LstorState(lstor.report(), lstor.reportedAtMs(), reachable));
      }
    }
    if (!allHadTime && nowMs - startedAtMs > silence.deadMs()) {
      allHadTime = true;
      changedLstors.addAll(builder.frames().lstorsAlone());
      rebuild(update(List.of(), changedNodes, changedLstors), true, List.of());
    } else if (!changedNodes.isEmpty() || !changedLstors.isEmpty()) {
      rebuild(List.of(), changedNodes, changedLstors, List.of());
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
    rebuild(
        List.of(),
        builder.frames().nodesOf(diskId),
        lstors.containsKey(diskId) ? Set.of(diskId) : Set.of(),
        List.of());
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
      outstanding.put(a);
      ordered.merge(a.pairing().superchunkId(), a.pairing().epoch(), Math::max);
      highestKnown = Math.max(highestKnown, a.pairing().epoch());
    }
    rebuild(List.of(), Set.of(), Set.of(), assignments.stream().map(Assignment::frame).toList());
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
    SuperchunkView superchunk = view.superchunks().get(superchunkId);
    long past = pastEpochs.getOrDefault(superchunkId, 0L);
    return superchunk == null ? past : Math.max(past, superchunk.epoch());
  }

  private long epochOf(FrameRef frame) {
    return builder.frames().highestOf(frame).map(Pairing::epoch).orElse(0L);
  }

  /**
   * What the frames of a node shall store: orders of this manager, and halves of pairs that an
   * earlier one began.
   */
  synchronized List<Assignment> assignmentsFor(String nodeUuid) {
    List<Assignment> result = new ArrayList<>();
    NodeState node = nodes.get(nodeUuid);
    if (node == null) {
      return result;
    }
    for (String storageId : volumes(node.report())) {
      for (FrameRef ref : outstanding.on(storageId)) {
        if (view.frame(ref)
            .filter(f -> f.nodeUuid().equals(nodeUuid) && f.health().alive())
            .isPresent()) {
          result.add(outstanding.all().get(ref));
        }
      }
    }
    for (Assignment a : view.completions().values()) {
      FrameView frame = view.frame(a.frame()).orElseThrow();
      if (frame.nodeUuid().equals(nodeUuid) && outstanding.get(a.frame()) == null) {
        result.add(a);
      }
    }
    return result;
  }

  /** Orders not yet stored. */
  synchronized List<Assignment> outstanding() {
    return List.copyOf(outstanding.all().values());
  }

  private static Set<String> volumes(NodeReport report) {
    Set<String> volumes = new TreeSet<>();
    report.disks().forEach(disk -> disk.frames().forEach(f -> volumes.add(f.storageId())));
    return volumes;
  }

  private FrameIndex.Update update(
      List<NodeReport> earlier, Set<String> changedNodes, Set<String> changedLstors) {
    return new FrameIndex.Update(
        nodes, lstors, earlier, changedNodes, changedLstors, failedByAdmin, allHadTime);
  }

  private void rebuild(
      List<NodeReport> earlier,
      Set<String> changedNodes,
      Set<String> changedLstors,
      Collection<FrameRef> changedOrders) {
    rebuild(update(earlier, changedNodes, changedLstors), false, changedOrders);
  }

  private void rebuild(
      FrameIndex.Update update, boolean mayBeSettled, Collection<FrameRef> changedOrders) {
    ClusterViewBuilder.Touched touched = builder.update(update, mayBeSettled, changedOrders);
    touched.epochs().forEach((id, epoch) -> pastEpochs.merge(id, epoch, Math::max));
    view = builder.view(nodes, lstors);
    Set<FrameRef> suspects = new HashSet<>(changedOrders);
    touched.superchunkIds().forEach(id -> suspects.addAll(outstanding.of(id)));
    touched.volumes().forEach(storageId -> suspects.addAll(outstanding.on(storageId)));
    List<FrameRef> obsolete = new ArrayList<>();
    for (FrameRef ref : suspects) {
      Assignment order = outstanding.get(ref);
      if (order != null && isObsolete(order)) {
        obsolete.add(ref);
      }
    }
    if (!obsolete.isEmpty()) {
      obsolete.forEach(outstanding::remove);
      builder.update(update(List.of(), Set.of(), Set.of()), false, obsolete);
      view = builder.view(nodes, lstors);
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
