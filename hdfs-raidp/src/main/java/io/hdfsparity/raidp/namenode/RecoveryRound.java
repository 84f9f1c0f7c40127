/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.layout.RecoveryPlan;
import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.namenode.RecoveryMove.Receiver;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins the moves of one round: lost superchunks first; when there are none, superchunks that lack
 * blocks are filled, and others are re-paired beside them. Used once, under the coordinator's lock.
 *
 * <p><b>Invariant</b>: a superchunk that shares a dead disk with one that is filled, or waits to
 * be, is not re-paired.
 */
final class RecoveryRound {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryRound.class);

  private final SuperchunkMap map;
  private final RebuildOrders orders;
  private final RecoverySteps steps;
  private final ManagerOptions options;
  private final ClusterView view;
  private final long nowMs;
  private final Map<Long, RecoveryMove> moves = new LinkedHashMap<>();
  private final List<Waiting> waiting = new ArrayList<>();

  /** Superchunks that cannot be moved while their nodes leave; they may be filled. */
  private final List<Waiting> leaving = new ArrayList<>();

  private final Map<Long, Content> contents = new HashMap<>();

  /** Dead disks of superchunks that are filled, or wait to be. */
  private final Set<String> neededDiskIds = new HashSet<>();

  /** Those that were known before any other superchunk was asked what it lacks. */
  private Set<String> knownDiskIds = Set.of();

  private boolean awaitsSource;

  /** What is known of the blocks of a superchunk's survivor. */
  private enum Content {
    /** It lacks none that can be rebuilt. */
    WHOLE,
    /** It is being filled. */
    FILLING,
    /** It lacks blocks, or may do so. */
    WAITING
  }

  /**
   * What must not be re-paired yet.
   *
   * @param diskIds whose superchunks wait for others of these disks
   * @param unlisted superchunks that may lack blocks which nobody can list
   * @param parts superchunks whose survivor has a part of their blocks
   * @param unmoved superchunks that are in no plan for now
   */
  record Holds(
      Set<String> diskIds, Map<Long, Waiting> unlisted, Set<Long> parts, Set<Long> unmoved) {}

  RecoveryRound(
      SuperchunkMap map,
      RebuildOrders orders,
      RecoverySteps steps,
      ManagerOptions options,
      ClusterView view,
      long nowMs) {
    this.map = map;
    this.orders = orders;
    this.steps = steps;
    this.options = options;
    this.view = view;
    this.nowMs = nowMs;
  }

  /** Moves that have begun, by superchunk. */
  Map<Long, RecoveryMove> moves() {
    return moves;
  }

  /** Superchunks that could not be moved. */
  List<Waiting> waiting() {
    List<Waiting> all = new ArrayList<>(waiting);
    leaving.stream()
        .filter(each -> contents.getOrDefault(each.superchunkId(), Content.WHOLE) == Content.WHOLE)
        .forEach(all::add);
    return all;
  }

  /** Whether one of them waits for a source that may be back in a moment. */
  boolean awaitsSource() {
    return awaitsSource;
  }

  /** Begins lost superchunks only: copies of an earlier round go on. */
  void beginRebuilds(List<RecoveryPlan> plans, Holds holds) {
    plans.forEach(plan -> beginFirst(plan, Kind.REBUILD, holds));
  }

  void begin(List<RecoveryPlan> plans, Holds holds) {
    beginRebuilds(plans, holds);
    if (moves.isEmpty()) {
      holdForUnmoved(holds);
      plans.forEach(plan -> fillKnown(plan, holds));
      knownDiskIds = Set.copyOf(neededDiskIds);
      plans.forEach(plan -> fillLeaving(plan, holds));
      plans.forEach(plan -> beginFirst(plan, Kind.COPY, holds));
    }
  }

  /** The first round of the plan with a move that can be begun. */
  private void beginFirst(RecoveryPlan plan, Kind kind, Holds holds) {
    int before = moves.size();
    for (RecoveryPlan.Round round : plan.rounds()) {
      if (round.kind() == kind && moves.size() == before) {
        if (kind == Kind.REBUILD) {
          round.moves().forEach(this::rebuild);
        } else {
          round.moves().forEach(planned -> fill(planned, holds));
          round.moves().forEach(planned -> copy(planned, holds));
        }
      }
    }
  }

  private void rebuild(RecoveryPlan.Move planned) {
    SuperchunkView superchunk = view.superchunks().get(planned.superchunkId());
    FrameView receiver = view.frame(ShapeOfCluster.ref(planned.receiver())).orElse(null);
    if (superchunk == null || receiver == null) {
      return;
    }
    if (superchunk.state() != SuperchunkState.LOST) {
      leaving.add(
          new Waiting(
              superchunk.id(),
              "ON_LEAVING_NODES",
              "every live frame of it is on a node that is being decommissioned, and HDFS copies"
                  + " from such a node only beside one in service; take one of the nodes back"
                  + " into service until the other one is DECOMMISSIONED: "
                  + superchunk.holders().stream().map(f -> view.name(f.ref())).toList()));
      return;
    }
    steps.attempts().forget(superchunk.id());
    long epoch = map.nextEpoch(superchunk.id(), List.of(receiver.ref()));
    map.assign(List.of(new Assignment(receiver.ref(), Pairing.alone(superchunk.id(), epoch))));
    moves.put(
        superchunk.id(),
        RecoveryMove.start(superchunk.id(), Kind.REBUILD, Receiver.of(receiver), epoch));
  }

  // ---------------------------------------------------------------- fill

  /**
   * Survivors that lack blocks, and cannot be filled now: their Lstor has failed, say, or their
   * node is in maintenance. Others of their dead disks wait as if they were being filled.
   */
  private void holdForUnmoved(Holds holds) {
    for (long id : holds.unmoved()) {
      SuperchunkView superchunk = view.superchunks().get(id);
      if (superchunk != null
          && superchunk.state() == SuperchunkState.DEGRADED
          && !steps.attempts().givenUp().contains(id)
          && (steps.attempts().isTriedAgain(id)
              || holds.parts().contains(id) && mayLack(superchunk))) {
        hold(superchunk);
      }
    }
  }

  private boolean mayLack(SuperchunkView superchunk) {
    try {
      return !orders.missing(view, superchunk).isEmpty();
    } catch (IOException e) {
      LOG.warn("Cannot list what superchunk {} lacks: {}", superchunk.id(), e.toString());
      return true;
    }
  }

  /**
   * Fills what is known or likely to lack blocks, also superchunks that are re-paired in a later
   * round or have no receiver: until then no other one of their dead disks is. A survivor on a
   * leaving node gets no partner, and is filled where it is.
   */
  private void fillKnown(RecoveryPlan plan, Holds holds) {
    Set<Long> ids = new TreeSet<>();
    plan.moves().forEach(planned -> ids.add(planned.superchunkId()));
    plan.unplaceable().forEach(each -> ids.add(each.superchunkId()));
    for (long id : ids) {
      SuperchunkView superchunk = view.superchunks().get(id);
      if (superchunk != null && (holds.parts().contains(id) || steps.attempts().isTriedAgain(id))) {
        fillSurvivor(superchunk, holds);
      }
    }
  }

  /**
   * Fills survivors on leaving nodes, which no move of a later round fills: others of their dead
   * disks are about to be re-paired.
   */
  private void fillLeaving(RecoveryPlan plan, Holds holds) {
    if (plan.moves().noneMatch(this::isCopyOfSurvivor)) {
      return;
    }
    Stream.concat(
            plan.moves()
                .filter(planned -> planned.kind() == Kind.REBUILD)
                .map(planned -> planned.superchunkId()),
            plan.unplaceable().stream()
                .filter(each -> each.kind() == Kind.REBUILD)
                .map(each -> each.superchunkId()))
        .map(view.superchunks()::get)
        .filter(superchunk -> superchunk != null && isNotHeld(superchunk, holds))
        .forEach(superchunk -> fillSurvivor(superchunk, holds));
  }

  private boolean isCopyOfSurvivor(RecoveryPlan.Move planned) {
    SuperchunkView superchunk = view.superchunks().get(planned.superchunkId());
    return planned.kind() == Kind.COPY
        && superchunk != null
        && source(planned, superchunk).isPresent();
  }

  private void fillSurvivor(SuperchunkView superchunk, Holds holds) {
    if (superchunk.state() == SuperchunkState.DEGRADED) {
      superchunk.survivor().ifPresent(survivor -> fill(superchunk, survivor, holds));
    }
  }

  /** What is held is not asked what it lacks: that costs a call each second. */
  private void fill(RecoveryPlan.Move planned, Holds holds) {
    SuperchunkView superchunk = view.superchunks().get(planned.superchunkId());
    if (superchunk != null
        && superchunk.state() != SuperchunkState.LOST
        && isNotHeld(superchunk, holds)) {
      source(planned, superchunk).ifPresent(source -> fill(superchunk, source, holds));
    }
  }

  private boolean isNotHeld(SuperchunkView superchunk, Holds holds) {
    return holds.unlisted().containsKey(superchunk.id())
        || !isOnAny(superchunk, holds.diskIds()) && !isOnAny(superchunk, knownDiskIds);
  }

  /**
   * The frame that a superchunk is copied from. A plan may name one that shall get the superchunk
   * first: it has nothing yet.
   */
  private Optional<FrameView> source(RecoveryPlan.Move planned, SuperchunkView superchunk) {
    return planned
        .source()
        .flatMap(id -> view.frame(ShapeOfCluster.ref(id)))
        .filter(f -> f.health().alive() && superchunk.isHeldBy(f));
  }

  private void fill(SuperchunkView superchunk, FrameView survivor, Holds holds) {
    if (!contents.containsKey(superchunk.id())) {
      contents.put(superchunk.id(), look(superchunk, survivor, holds));
    }
  }

  private Content look(SuperchunkView superchunk, FrameView survivor, Holds holds) {
    long id = superchunk.id();
    Waiting unlisted = holds.unlisted().get(id);
    if (unlisted != null) {
      waiting.add(unlisted);
      return Content.WAITING;
    }
    if (FailedLstors.isOn(view, survivor)) {
      waiting.add(FailedLstors.waiting(view, id, survivor));
      return Content.WAITING;
    }
    if (steps.attempts().givenUp().contains(id)) {
      return Content.WHOLE;
    }
    if (steps.attempts().isPaused(id, nowMs)) {
      Optional<String> failure = steps.attempts().receiverFailure(id);
      if (failure.isPresent()) {
        // Its blocks may be decodable: nothing that they need is dropped, however long it lasts.
        waiting.add(receiverFailed(superchunk, survivor, failure.get()));
        hold(superchunk);
        return Content.WAITING;
      }
      waiting.add(unanswered(superchunk));
      if (steps.attempts().isAwaited(id, options.silence().deadMs(), nowMs)) {
        awaitsSource = true;
        hold(superchunk);
      }
      return Content.WAITING;
    }
    try {
      List<ExpectedBlock> missing = orders.missing(view, superchunk);
      if (missing.isEmpty()) {
        return Content.WHOLE;
      }
      hold(superchunk);
      RecoveryMove fill =
          RecoveryMove.start(id, Kind.REBUILD, Receiver.of(survivor), superchunk.epoch());
      moves.put(id, steps.rebuilding(view, superchunk, fill, missing));
      return Content.FILLING;
    } catch (IOException e) {
      LOG.warn("Cannot list what superchunk {} lacks: {}", id, e.toString());
      waiting.add(IncompleteSurvivors.unanswered(superchunk, e));
      awaitsSource = true;
      hold(superchunk);
      return Content.WAITING;
    }
  }

  private void hold(SuperchunkView superchunk) {
    superchunk.gone().forEach(f -> neededDiskIds.add(f.diskId()));
  }

  private Waiting receiverFailed(SuperchunkView superchunk, FrameView receiver, String why) {
    return new Waiting(
        superchunk.id(),
        "RECEIVER_FAILED",
        "blocks of it could not be stored on "
            + view.name(receiver.ref())
            + ": "
            + why
            + "; make room there, and run hdfs raidp -recover to try at once. The rebuild is tried"
            + " again after at most "
            + RebuildAttempts.LAST_RECEIVER_PAUSE_MS / 1_000
            + " s");
  }

  private static Waiting unanswered(SuperchunkView superchunk) {
    return new Waiting(
        superchunk.id(),
        "SOURCE_SILENT",
        "blocks of it could not be rebuilt while an Lstor daemon or a DataNode did not answer, which"
            + " the note of its last rebuild names: start it, or restart it if it hangs. The rebuild"
            + " is tried again every few seconds. A DataNode without a report for"
            + " dfs.parity.raidp.node.dead.timeout is not waited for. One whose Lstor has failed"
            + " may not serve all that it has: see LSTOR_FAILED in hdfs raidp -status, and run hdfs"
            + " raidp -lstor -rebuild");
  }

  // ---------------------------------------------------------------- re-pair

  private void copy(RecoveryPlan.Move planned, Holds holds) {
    SuperchunkView superchunk = view.superchunks().get(planned.superchunkId());
    FrameView receiver = view.frame(ShapeOfCluster.ref(planned.receiver())).orElse(null);
    if (superchunk == null || receiver == null || superchunk.state() == SuperchunkState.LOST) {
      return;
    }
    FrameView source = source(planned, superchunk).orElse(null);
    if (source == null || contents.getOrDefault(superchunk.id(), Content.WHOLE) != Content.WHOLE) {
      return;
    }
    if (isOnAny(superchunk, holds.diskIds())) {
      waiting.add(
          held(
              superchunk,
              "a lost superchunk of the same disk may need; it continues "
                  + options.silence().deadMs()
                  + " ms after the start of the recovery"));
      return;
    }
    if (isOnAny(superchunk, neededDiskIds)) {
      waiting.add(held(superchunk, "a superchunk of the same disk needs that still lacks blocks"));
      return;
    }
    long epoch = map.nextEpoch(superchunk.id(), List.of(source.ref(), receiver.ref()));
    int ofSource = source.pairing().orElseThrow().coefficient();
    int ofReceiver = options.layout().coefficients().ofNewSide(ofSource);
    map.assign(
        List.of(
            new Assignment(
                source.ref(),
                new Pairing(
                    superchunk.id(), epoch, receiver.storageId(), receiver.nodeUuid(), ofSource)),
            new Assignment(
                receiver.ref(),
                new Pairing(
                    superchunk.id(), epoch, source.storageId(), source.nodeUuid(), ofReceiver))));
    moves.put(
        superchunk.id(),
        RecoveryMove.start(superchunk.id(), Kind.COPY, Receiver.of(receiver), epoch));
  }

  private static boolean isOnAny(SuperchunkView superchunk, Set<String> diskIds) {
    return superchunk.gone().stream().anyMatch(f -> diskIds.contains(f.diskId()));
  }

  private static Waiting held(SuperchunkView superchunk, String why) {
    return new Waiting(superchunk.id(), "HELD", "its re-pairing would drop bytes that " + why);
  }
}
