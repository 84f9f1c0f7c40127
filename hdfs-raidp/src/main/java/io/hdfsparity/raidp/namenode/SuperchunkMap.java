/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.Coefficients;
import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.LstorReport;
import io.hdfsparity.raidp.wire.message.NodeReport;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which frames make which superchunk: reported, not stored. A manager that starts with nothing
 * knows the same as the one before it as soon as all agents have reported. Pure: time is passed in.
 * Thread-safe; reads of the view take no lock.
 *
 * <p>A superchunk takes about 300 bytes of heap here and in {@link Grants} ({@code
 * ManagerScaleTest}): of each frame state, numbers, view and free units, and its own view.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>An epoch that this map hands out is higher than every epoch known of that superchunk and of
 *       that frame.
 *   <li>An assignment is repeated in every answer until the frame reports it stored, what another
 *       manager has ordered makes it obsolete, or this manager's NameNode is not the active one.
 *   <li>A change whose work fails half-way leaves the view as it was. The view is rebuilt from all
 *       reports before the next change, and a report that failed is not among them. If that fails
 *       too, no change is made, and the view stays.
 * </ul>
 */
final class SuperchunkMap {
  private static final Logger LOG = LoggerFactory.getLogger(SuperchunkMap.class);

  private final ManagerOptions.Silence silence;
  private final long startedAtMs;
  private volatile boolean allHadTime;
  private PersistentMap<String, NodeState> nodes =
      PersistentMap.empty(node -> node.report().nodeUuid());
  private PersistentMap<String, LstorState> lstors =
      PersistentMap.empty(lstor -> lstor.report().diskId());

  private final KnownEpochs epochs = new KnownEpochs();
  private final Orders outstanding = new Orders();
  private final ReportChain chain = new ReportChain(new SecureRandom().nextLong());
  private final Coefficients coefficients;
  private final Builders builders;
  private ClusterViewBuilder builder;

  /** What was known of frames before the change that is worked on. */
  private PersistentMap<FrameRef, FrameIndex.Passed> passedBefore;

  /** A change is worked on, or its work has failed. */
  private volatile boolean isBroken;

  private long livesSeen;
  private final AtomicLong neighborChanges = new AtomicLong();
  private final Set<String> failedByAdmin = new TreeSet<>();
  private volatile ClusterView view = ClusterView.empty();

  /**
   * @param silence after which a node gets no new blocks, and its frames are gone
   * @param coefficients of the sides of pairs that this map completes
   * @param startedAtMs now; frames that are new to this map have the same time to report
   */
  SuperchunkMap(ManagerOptions.Silence silence, Coefficients coefficients, long startedAtMs) {
    this(silence, coefficients, startedAtMs, ClusterViewBuilder::new);
  }

  SuperchunkMap(
      ManagerOptions.Silence silence,
      Coefficients coefficients,
      long startedAtMs,
      Builders builders) {
    this.startedAtMs = startedAtMs;
    this.silence = silence;
    this.coefficients = coefficients;
    this.builders = builders;
    this.passedBefore = PersistentMap.empty(FrameIndex.Passed::ref);
    this.builder = builder();
  }

  private ClusterViewBuilder builder() {
    return builders.make(outstanding.all(), coefficients, new FrameIndex(passedBefore));
  }

  /** Makes what works on reports; one for all reports from the first on. */
  @FunctionalInterface
  interface Builders {
    ClusterViewBuilder make(
        Map<FrameRef, Assignment> orders, Coefficients coefficients, FrameIndex frames);
  }

  /** What else takes reports in. */
  @FunctionalInterface
  interface Taken {
    /**
     * The map has taken a report in. Called in the order of the reports, under the map's lock.
     *
     * @param isOther more of it has changed than numbers
     */
    void taken(boolean isOther);
  }

  /** What all reports so far say. */
  ClusterView view() {
    return view;
  }

  /**
   * Another number whenever the address of a node or the life of a volume may be another one. To be
   * asked before the view.
   */
  long neighborChanges() {
    return neighborChanges.get();
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
  OptionalLong report(NodeReport report, long nowMs) {
    return report(report, nowMs, isOther -> {});
  }

  /** The same, and something else takes it in too. */
  synchronized OptionalLong report(NodeReport report, long nowMs, Taken then) {
    repair();
    NodeState before = nodes.get(report.nodeUuid());
    NodeReport whole =
        chain.expand(Optional.ofNullable(before).map(NodeState::report), report).orElse(null);
    if (whole == null) {
      return OptionalLong.empty();
    }
    List<Assignment> stored = outstanding.answeredBy(report);
    boolean isOther =
        before == null
            || before.silence() != NodeState.Silence.NONE
            || !stored.isEmpty()
            || !before.report().differsInNumbersOnly(whole);
    PersistentMap<String, NodeState> nodesBefore = nodes;
    nodes = nodes.with(new NodeState(whole, nowMs, NodeState.Silence.NONE));
    if (isOther) {
      List<FrameRef> frames = stored.stream().map(Assignment::frame).toList();
      frames.forEach(outstanding::remove);
      try {
        rebuild(
            before == null ? List.of() : List.of(before.report()),
            Set.of(report.nodeUuid()),
            Set.of(),
            frames);
      } catch (RuntimeException | Error e) {
        nodes = nodesBefore;
        stored.forEach(outstanding::put);
        throw e;
      }
    } else {
      view = view.with(nodes, lstors);
    }
    if (before == null
        || before.silence() == NodeState.Silence.DEAD
        || !RebuildOrders.peer(before.report()).equals(RebuildOrders.peer(whole))) {
      neighborChanges.incrementAndGet();
    }
    report.frames().forEach(frame -> epochs.reported(frame, view));
    then.taken(isOther);
    return OptionalLong.of(chain.taken(report.nodeUuid()));
  }

  /** Whether a change has failed, and the view has to be rebuilt. */
  boolean isBroken() {
    return isBroken;
  }

  /**
   * Rebuilds the view after a change whose work has failed.
   *
   * @throws UnrepairedMapException when that fails as well
   */
  private void repair() {
    if (!isBroken) {
      return;
    }
    LOG.info("Rebuilding the view of RAIDP's superchunks, since a change to it has failed");
    ClusterView before = view;
    try {
      builder = builder();
      rebuild(
          List.of(),
          Set.copyOf(nodes.keySet()),
          Set.copyOf(lstors.keySet()),
          List.copyOf(outstanding.all().keySet()));
    } catch (RuntimeException | Error e) {
      throw new UnrepairedMapException(e);
    }
    neighborChanges.incrementAndGet();
    epochs.replaced(before, view);
  }

  /** See {@link FrameIndex#passedOf}. */
  synchronized int passedOf(String nodeUuid) {
    return builder.frames().passedOf(nodeUuid);
  }

  /** Nodes with a disk in their last reports, also dead ones. */
  synchronized Set<String> nodesOf(String diskId) {
    repair();
    return builder.frames().nodesOf(diskId);
  }

  /** Takes in a report of an Lstor daemon. */
  synchronized void report(LstorReport report, long nowMs) {
    repair();
    LstorState before = lstors.get(report.diskId());
    PersistentMap<String, LstorState> lstorsBefore = lstors;
    lstors = lstors.with(LstorState.reported(before, report, nowMs));
    if (before == null || !before.reachable() || !before.report().equals(report)) {
      try {
        rebuild(List.of(), Set.of(), Set.of(report.diskId()), List.of());
      } catch (RuntimeException | Error e) {
        lstors = lstorsBefore;
        throw e;
      }
      report.frames().forEach(frame -> epochs.reported(frame, view));
    } else {
      view = view.with(nodes, lstors);
    }
  }

  /** Notes who has been silent for too long; to be called about once a report interval. */
  synchronized void advance(long nowMs) {
    repair();
    PersistentMap<String, NodeState> nodesBefore = nodes;
    PersistentMap<String, LstorState> lstorsBefore = lstors;
    boolean allHadTimeBefore = allHadTime;
    try {
      advanceNow(nowMs);
    } catch (RuntimeException | Error e) {
      nodes = nodesBefore;
      lstors = lstorsBefore;
      allHadTime = allHadTimeBefore;
      throw e;
    }
  }

  private void advanceNow(long nowMs) {
    Set<String> changedNodes = new HashSet<>();
    Set<String> changedLstors = new HashSet<>();
    for (NodeState node : nodes.values()) {
      NodeState.Silence now = NodeState.Silence.after(nowMs - node.reportedAtMs(), silence);
      if (now != node.silence()) {
        changedNodes.add(node.report().nodeUuid());
        nodes = nodes.with(new NodeState(node.report(), node.reportedAtMs(), now));
      }
    }
    for (LstorState lstor : lstors.values()) {
      String diskId = lstor.report().diskId();
      boolean reachable = nowMs - lstor.reportedAtMs() <= silence.staleMs();
      if (nowMs - lstor.reportedAtMs() > silence.deadMs()
          && builder.frames().nodesOf(diskId).isEmpty()
          && UnneededDisks.isPassed(view, lstor.report())) {
        changedLstors.add(diskId);
        lstors = lstors.without(diskId);
      } else if (reachable != lstor.reachable()) {
        changedLstors.add(diskId);
        lstors = lstors.with(lstor.withReachable(reachable));
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

  /** A disk that an administrator declared failed counts as gone from now on. */
  synchronized void declareFailed(String diskId) {
    repair();
    boolean isNew = failedByAdmin.add(diskId);
    try {
      rebuildDisk(diskId);
    } catch (RuntimeException | Error e) {
      if (isNew) {
        failedByAdmin.remove(diskId);
      }
      throw e;
    }
  }

  /** A disk that was declared failed counts as it is reported from now on; false: it was not. */
  synchronized boolean withdrawFailed(String diskId) {
    repair();
    if (!failedByAdmin.remove(diskId)) {
      return false;
    }
    try {
      rebuildDisk(diskId);
    } catch (RuntimeException | Error e) {
      failedByAdmin.add(diskId);
      throw e;
    }
    return true;
  }

  /** All that were declared failed count as they are reported from now on. */
  synchronized void withdrawAllFailed() {
    List.copyOf(failedByAdmin).forEach(this::withdrawFailed);
  }

  private void rebuildDisk(String diskId) {
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
    repair();
    for (Assignment a : assignments) {
      long floor = Math.max(highestEpoch(a.pairing().superchunkId()), epochOf(a.frame()));
      if (a.pairing().epoch() <= floor) {
        throw new IllegalArgumentException("Cannot assign: " + a + ", expected epoch > " + floor);
      }
    }
    List<Assignment> replaced = new ArrayList<>();
    for (Assignment a : assignments) {
      Optional.ofNullable(outstanding.get(a.frame())).ifPresent(replaced::add);
      outstanding.put(a);
      epochs.ordered(a);
    }
    List<FrameRef> frames = assignments.stream().map(Assignment::frame).toList();
    rebuildFor(
        frames,
        () -> {
          frames.forEach(outstanding::remove);
          replaced.forEach(outstanding::put);
        });
  }

  private void rebuildFor(Collection<FrameRef> changedOrders, Runnable undo) {
    try {
      rebuild(List.of(), Set.of(), Set.of(), changedOrders);
    } catch (RuntimeException | Error e) {
      undo.run();
      throw e;
    }
  }

  /**
   * Forgets what no frame has reported as stored: while another manager gives the orders, these are
   * none. Their epochs stay taken, and what is half stored is completed as that of an earlier one.
   */
  synchronized void takeOrdersBack() {
    takeBack(order -> true);
  }

  /** The same of the orders for one superchunk, which nobody waits for any more. */
  synchronized void takeOrdersBack(long superchunkId) {
    takeBack(order -> order.pairing().superchunkId() == superchunkId);
  }

  private void takeBack(Predicate<Assignment> which) {
    if (outstanding().stream().anyMatch(which)) {
      repair();
      List<Assignment> withdrawn = outstanding().stream().filter(which).toList();
      List<FrameRef> frames = withdrawn.stream().map(Assignment::frame).toList();
      frames.forEach(outstanding::remove);
      rebuildFor(frames, () -> withdrawn.forEach(outstanding::put));
    }
  }

  /** An epoch that nobody has had: for the superchunk and for every frame that shall store it. */
  synchronized long nextEpoch(long superchunkId, Collection<FrameRef> frames) {
    repair();
    long highest = highestEpoch(superchunkId);
    highest = Math.max(highest, epochs.orderedOf(superchunkId));
    for (FrameRef frame : frames) {
      Assignment order = outstanding.get(frame);
      highest =
          Math.max(highest, Math.max(epochOf(frame), order == null ? 0 : order.pairing().epoch()));
    }
    return Math.addExact(highest, 1);
  }

  /** Highest epoch of any superchunk that was reported or ordered; 0: none. */
  synchronized long highestEpoch() {
    return epochs.highest();
  }

  private long highestEpoch(long superchunkId) {
    SuperchunkView superchunk = view.superchunks().get(superchunkId);
    long past = epochs.pastOf(superchunkId);
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
    repair();
    return outstanding.forNode(nodeUuid, volumesOf(nodeUuid), view, builder::completionsOn);
  }

  /** Volumes that a node has in its last report. */
  synchronized Set<String> volumesOf(String nodeUuid) {
    repair();
    return builder.frames().volumesOf(nodeUuid);
  }

  /** Orders not yet stored. */
  synchronized List<Assignment> outstanding() {
    return List.copyOf(outstanding.all().values());
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
    passedBefore = builder.frames().higher();
    isBroken = true;
    ClusterViewBuilder.Touched touched = builder.update(update, mayBeSettled, changedOrders);
    epochs.passed(touched.epochs());
    ClusterView next = builder.view(nodes, lstors);
    Set<FrameRef> suspects = new HashSet<>(changedOrders);
    touched.superchunkIds().forEach(id -> suspects.addAll(outstanding.of(id)));
    touched.volumes().forEach(storageId -> suspects.addAll(outstanding.on(storageId)));
    List<Assignment> obsolete = outstanding.obsolete(next, suspects);
    if (!obsolete.isEmpty()) {
      List<FrameRef> frames = obsolete.stream().map(Assignment::frame).toList();
      frames.forEach(outstanding::remove);
      try {
        builder.update(update(List.of(), Set.of(), Set.of()), false, frames);
        next = builder.view(nodes, lstors);
      } catch (RuntimeException | Error e) {
        obsolete.forEach(outstanding::put);
        throw e;
      }
    }
    view = next;
    isBroken = false;
    if (livesSeen != builder.frames().lives()) {
      livesSeen = builder.frames().lives();
      neighborChanges.incrementAndGet();
    }
  }
}
