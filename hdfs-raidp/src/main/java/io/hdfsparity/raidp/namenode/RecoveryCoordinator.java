/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.layout.RecoveryPlan;
import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.layout.RecoveryPlan.Unplaceable;
import io.hdfsparity.raidp.layout.RecoveryPlanner;
import io.hdfsparity.raidp.namenode.NodeState.Silence;
import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.namenode.RecoveryMove.Receiver;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the cluster back to two replicas and one parity for every superchunk (paper section 3.3),
 * one round of the plan after the other. It keeps nothing that it could not derive from reports
 * again, so a manager that takes over continues.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>No superchunk is re-paired while one that is lost with a common disk waits for its rebuild:
 *       re-pairing drops the limbo that the rebuild may need.
 *   <li>What is missing is asked of slot tables and NameNode again before every step; a superchunk
 *       with missing blocks is filled before it is re-paired. One that may lack blocks waits until
 *       an Lstor says which ({@link IncompleteSurvivors}).
 * </ul>
 *
 * <p>{@link #tick} runs on one thread; {@link #status} and {@link #ordersFor} may be called on any.
 */
final class RecoveryCoordinator {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryCoordinator.class);

  private final SuperchunkMap map;
  private final Namespace namespace;
  private final RebuildOrders orders;
  private final LstorQuestions lstors;
  private final StraySweeper sweeper;
  private final ManagerOptions options;
  private final AskedBlocks asked = new AskedBlocks();
  private final RateMeter rate = new RateMeter();
  private final Map<Long, RecoveryMove> moves = new LinkedHashMap<>();
  private final List<RecoveryMove> finished = new ArrayList<>();
  private final FreshReports fresh = new FreshReports();
  private final Supplier<Set<String>> unheard;
  private final RecoverySteps steps;
  private final IncompleteSurvivors incomplete;
  private final StorageTypes types = new StorageTypes();
  private boolean running;
  private long startedAtMs;
  private volatile RecoveryStatus status = RecoveryStatus.idle();
  private volatile List<RecoveryMove> published = List.of();

  /**
   * @param lacksSide is given blocks in superchunks that lack a side and have enough replicas, so
   *     that HDFS leaves them as they are
   * @param unheard nodes that still have time for their first report
   */
  RecoveryCoordinator(
      SuperchunkMap map,
      Namespace namespace,
      LstorQuestions lstors,
      FrameRows rows,
      LongConsumer lacksSide,
      Supplier<Set<String>> unheard,
      Executor listers,
      ManagerOptions options) {
    this.map = map;
    this.namespace = namespace;
    this.orders = new RebuildOrders(namespace, lstors, asked, lstors::isUnreadable);
    this.lstors = lstors;
    this.sweeper = new StraySweeper(namespace, rows, lacksSide);
    this.options = options;
    this.unheard = unheard;
    this.steps = new RecoverySteps(namespace, orders, rows, lacksSide, listers, options);
    this.incomplete = new IncompleteSurvivors(namespace, lstors);
  }

  /** Blocks that readers wait for. */
  AskedBlocks asked() {
    return asked;
  }

  RecoveryStatus status() {
    return status;
  }

  /** Whether a superchunk is on its way to a new frame. */
  boolean isMoving(long superchunkId) {
    return published.stream().anyMatch(move -> move.superchunkId() == superchunkId);
  }

  /** Begins, or begins again with what was abandoned before. */
  synchronized void recover(RecoverRequest newRequest, long nowMs) {
    steps.begin(newRequest);
    lstors.endPauses();
    if (newRequest.acceptLoss()) {
      incomplete.acceptLoss(map.view());
    } else {
      incomplete.takeBack();
    }
    fresh.expect(map.view());
    start(nowMs);
    publish(State.RUNNING, List.of(), nowMs);
  }

  private void start(long nowMs) {
    if (!running) {
      running = true;
      startedAtMs = nowMs;
      steps.forgetFailures();
      finished.clear();
      moves.clear();
      rate.reset();
    }
  }

  /** Forgets all, when another NameNode has become the active one. */
  synchronized void stop() {
    running = false;
    steps.forgetFailures();
    incomplete.clear();
    lstors.clear();
    moves.clear();
    finished.clear();
    published = List.of();
    status = RecoveryStatus.idle();
  }

  /** Rebuilds that a node shall run; given again until it reports them as done. */
  List<RebuildOrder> ordersFor(String nodeUuid) {
    return published.stream()
        .filter(m -> m.phase() == Phase.REBUILDING && m.receiver().nodeUuid().equals(nodeUuid))
        .map(m -> m.order().orElseThrow())
        .toList();
  }

  /**
   * Gives up replicas that stand in the way. It asks DataNodes, so it has a thread of its own and
   * no lock: one thread calls it.
   */
  void sweep(long nowMs) {
    sweeper.sweep(map.view(), nowMs);
  }

  /** Looks what has become of the moves under way, and begins the next round when they are over. */
  synchronized void tick(long nowMs) {
    ClusterView view = map.view();
    fresh.look(view);
    if (!running) {
      Map<String, Node> nodes = ShapeOfCluster.byUuid(namespace.nodes());
      NodesInMaintenance inMaintenance = new NodesInMaintenance(view, nodes.values());
      Set<Long> postponed = inMaintenance.superchunks();
      boolean asked =
          RecoveryNeeds.isNeeded(view, postponed)
              && (options.recovery().auto() || RecoveryNeeds.isBegun(view, postponed));
      boolean leaving = !asked && shape(view, nodes).hasLeavingSuperchunks();
      if (asked || leaving) {
        LOG.info(
            "Starting recovery: degraded={} lost={} auto={} decommission={}",
            view.count(SuperchunkState.DEGRADED),
            view.count(SuperchunkState.LOST),
            options.recovery().auto(),
            leaving);
        start(nowMs);
      } else {
        status = status.withWaiting(inMaintenance.waiting());
        return;
      }
    }
    lstors.retry(view);
    for (RecoveryMove move : List.copyOf(moves.values())) {
      RecoveryMove now = move.phase().isOver() ? move : steps.advance(view, move);
      if (now.phase().isOver()) {
        moves.remove(move.superchunkId());
        finished.add(now);
        incomplete.ended(now);
        LOG.info(
            "Recovery {} of superchunk {} to {} is {}: bytes={} blocks={} of {} {}",
            now.kind(),
            now.superchunkId(),
            view.name(now.receiver().frame()),
            now.phase(),
            now.counts().bytesDone(),
            now.counts().blocksDone(),
            now.counts().blocksTotal(),
            now.note());
      } else {
        moves.put(move.superchunkId(), now);
      }
    }
    if (!moves.isEmpty()) {
      publish(State.RUNNING, List.of(), nowMs);
      return;
    }
    List<Waiting> unsettled = RecoveryNeeds.unsettled(view);
    if (!unsettled.isEmpty()) {
      publish(State.WAITING, unsettled, nowMs);
      return;
    }
    List<Waiting> due = fresh.due(view, Silence.NONE);
    if (!due.isEmpty()) {
      publish(State.RUNNING, due, nowMs);
      return;
    }
    nextRound(view, nowMs);
  }

  // ---------------------------------------------------------------- next round

  private ShapeOfCluster shape(ClusterView view, Map<String, Node> nodes) {
    return new ShapeOfCluster(view, nodes, map.outstanding(), types);
  }

  private void nextRound(ClusterView view, long nowMs) {
    Map<String, Node> nodes = ShapeOfCluster.byUuid(namespace.nodes());
    ShapeOfCluster shape = shape(view, nodes);
    NodesInMaintenance inMaintenance = new NodesInMaintenance(view, nodes.values());
    Set<Long> postponed = inMaintenance.superchunks();
    if (!RecoveryNeeds.isNeeded(view, postponed) && !shape.hasLeavingSuperchunks()) {
      List<Waiting> silent = fresh.due(view, Silence.STALE);
      if (!silent.isEmpty() || !unheard.get().isEmpty()) {
        publish(State.RUNNING, silent, nowMs);
        return;
      }
      end(inMaintenance, nowMs);
      return;
    }
    List<RecoveryPlan> plans =
        shape.recoveries(postponed).stream().map(RecoveryPlanner::plan).toList();
    List<Unplaceable> unplaceable =
        plans.stream().flatMap(plan -> plan.unplaceable().stream()).toList();
    List<Waiting> waiting = new ArrayList<>();
    unplaceable.forEach(
        u -> waiting.add(new Waiting(u.superchunkId(), u.reason().toString(), u.detail())));
    Map<Long, Waiting> unlisted = incomplete.waiting(view);
    unlisted.keySet().forEach(steps::forgetFailures);
    Set<String> held = heldDisks(view, unplaceable, unlisted.keySet(), nowMs);
    for (Kind kind : List.of(Kind.REBUILD, Kind.COPY)) {
      if (moves.isEmpty()) {
        plans.forEach(plan -> begin(view, plan, kind, new Holds(held, unlisted), waiting));
      }
    }
    if (!moves.isEmpty()) {
      publish(State.RUNNING, waiting, nowMs);
    } else if (waiting.isEmpty()) {
      end(inMaintenance, nowMs);
    } else {
      publish(State.WAITING, waiting, nowMs);
    }
  }

  private void end(NodesInMaintenance inMaintenance, long nowMs) {
    running = false;
    incomplete.takeBack();
    publish(State.DONE, inMaintenance.waiting(), nowMs);
  }

  /**
   * What must not be re-paired yet.
   *
   * @param diskIds whose superchunks wait for others of these disks
   * @param unlisted superchunks that may lack blocks which nobody can list
   */
  private record Holds(Set<String> diskIds, Map<Long, Waiting> unlisted) {}

  /**
   * Disks whose superchunks must not be re-paired yet, because a superchunk that lacks blocks may
   * still need their limbo.
   */
  private Set<String> heldDisks(
      ClusterView view, List<Unplaceable> unplaceable, Set<Long> unlisted, long nowMs) {
    boolean patient = nowMs - startedAtMs <= options.silence().deadMs();
    return !patient
        ? Set.of()
        : Stream.concat(
                unlisted.stream(),
                unplaceable.stream()
                    .filter(u -> u.kind() == Kind.REBUILD)
                    .map(Unplaceable::superchunkId))
            .map(view.superchunks()::get)
            .filter(s -> s != null)
            .flatMap(s -> s.gone().stream())
            .map(FrameView::diskId)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The first round with a move that can be begun. */
  private void begin(
      ClusterView view, RecoveryPlan plan, Kind kind, Holds held, List<Waiting> waiting) {
    int before = moves.size();
    for (RecoveryPlan.Round round : plan.rounds()) {
      if (round.kind() == kind && moves.size() == before) {
        round.moves().forEach(m -> begin(view, m, held, waiting));
      }
    }
  }

  private void begin(
      ClusterView view, RecoveryPlan.Move planned, Holds held, List<Waiting> waiting) {
    SuperchunkView superchunk = view.superchunks().get(planned.superchunkId());
    FrameView receiver = view.frame(ShapeOfCluster.ref(planned.receiver())).orElse(null);
    if (superchunk == null || receiver == null) {
      return;
    }
    if (planned.kind() == Kind.REBUILD) {
      if (superchunk.state() == SuperchunkState.LOST) {
        beginRebuild(superchunk, receiver);
      } else {
        waiting.add(
            new Waiting(
                superchunk.id(),
                "ON_LEAVING_NODES",
                "every live frame of it is on a node that is being decommissioned, and HDFS copies"
                    + " from such a node only beside one in service; take one of the nodes back"
                    + " into service until the other one is DECOMMISSIONED: "
                    + superchunk.holders().stream().map(f -> view.name(f.ref())).toList()));
      }
      return;
    }
    Optional<FrameView> source =
        planned
            .source()
            .flatMap(id -> view.frame(ShapeOfCluster.ref(id)))
            .filter(f -> f.health().alive());
    if (source.isEmpty() || superchunk.state() == SuperchunkState.LOST) {
      return;
    }
    Waiting unlisted = held.unlisted().get(superchunk.id());
    if (unlisted != null) {
      waiting.add(unlisted);
      return;
    }
    if (superchunk.gone().stream().anyMatch(f -> held.diskIds().contains(f.diskId()))) {
      waiting.add(
          new Waiting(
              superchunk.id(),
              "HELD",
              "its re-pairing would drop bytes that a lost superchunk of the"
                  + " same disk may need; it continues "
                  + options.silence().deadMs()
                  + " ms after the start of the recovery"));
      return;
    }
    beginCopy(view, superchunk, source.get(), receiver, waiting);
  }

  private void beginRebuild(SuperchunkView superchunk, FrameView receiver) {
    steps.forgetFailures(superchunk.id());
    long epoch = map.nextEpoch(superchunk.id(), List.of(receiver.ref()));
    map.assign(List.of(new Assignment(receiver.ref(), Pairing.alone(superchunk.id(), epoch))));
    moves.put(
        superchunk.id(),
        RecoveryMove.start(superchunk.id(), Kind.REBUILD, Receiver.of(receiver), epoch));
  }

  private void beginCopy(
      ClusterView view,
      SuperchunkView superchunk,
      FrameView source,
      FrameView receiver,
      List<Waiting> waiting) {
    try {
      List<ExpectedBlock> missing =
          steps.givenUp().contains(superchunk.id()) ? List.of() : orders.missing(view, superchunk);
      if (!missing.isEmpty()) {
        RecoveryMove fill =
            RecoveryMove.start(
                superchunk.id(), Kind.REBUILD, Receiver.of(source), superchunk.epoch());
        moves.put(superchunk.id(), steps.rebuilding(view, superchunk, fill, missing));
        return;
      }
    } catch (IOException e) {
      LOG.warn("Cannot list what superchunk {} lacks: {}", superchunk.id(), e.toString());
      waiting.add(IncompleteSurvivors.unanswered(superchunk, e));
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

  private void publish(State state, List<Waiting> waiting, long nowMs) {
    List<RecoveryMove> all = new ArrayList<>(finished);
    all.addAll(moves.values());
    published = List.copyOf(moves.values());
    long total = all.stream().mapToLong(m -> m.counts().bytesTotal()).sum();
    long done = all.stream().mapToLong(m -> m.counts().bytesDone()).sum();
    rate.add(nowMs, done);
    long perSecond = rate.bytesPerSecond();
    long etaMs = state == State.DONE ? 0 : perSecond > 0 ? (total - done) * 1000 / perSecond : -1;
    status =
        new RecoveryStatus(
            state,
            startedAtMs,
            nowMs - startedAtMs,
            new RecoveryStatus.Progress(total, done, perSecond, etaMs),
            all,
            waiting,
            List.copyOf(steps.givenUp()));
  }
}
