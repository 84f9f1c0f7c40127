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
import io.hdfsparity.raidp.namenode.NodeState.Silence;
import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.namenode.RecoveryRound.Holds;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.util.ArrayList;
import java.util.Collection;
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

  /** Planning costs a while in a large cluster. */
  private static final long REBUILDS_PERIOD_MS = 10_000;

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
  private final UnstoredPairings unstored;
  private final StalledCopies stalledCopies = new StalledCopies();
  private final HoldPatience patience;
  private boolean running;
  private long startedAtMs;

  /** When lost superchunks are looked for again beside copies that go on. */
  private long nextRebuildsMs;

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
    this.incomplete = new IncompleteSurvivors(namespace, lstors, options.silence().deadMs());
    this.unstored = new UnstoredPairings(options.silence().staleMs());
    this.patience = new HoldPatience(options.silence().deadMs());
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
    unstored.clear();
    if (newRequest.acceptLoss()) {
      incomplete.acceptLoss(map.view(), nowMs);
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
      steps.attempts().clear();
      finished.clear();
      moves.clear();
      stalledCopies.clear();
      patience.clear();
      rate.reset();
    }
  }

  /** Forgets all, when another NameNode has become the active one. */
  synchronized void stop() {
    running = false;
    steps.attempts().clear();
    incomplete.clear();
    unstored.clear();
    stalledCopies.clear();
    patience.clear();
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

  /**
   * Looks what has become of the moves under way, and begins the next round when they are over.
   * Copies that have stalled are not waited for; lost superchunks wait for no copy.
   */
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
      boolean leaving = !asked && shape(view, nodes, Set.of()).hasLeavingSuperchunks();
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
    boolean isViewOld = false;
    for (RecoveryMove move : List.copyOf(moves.values())) {
      RecoveryMove now =
          move.phase().isOver()
              ? move
              : stuck(view, move, nowMs).orElseGet(() -> steps.advance(view, move, nowMs));
      if (now.phase().isOver()) {
        isViewOld |= move.phase() == Phase.ASSIGNING && now.phase() == Phase.FAILED;
        end(move, now);
      } else {
        moves.put(move.superchunkId(), now);
      }
      stalledCopies.restored(move, now).ifPresent(this::resume);
    }
    if (isViewOld || moves.values().stream().anyMatch(move -> move.phase() != Phase.COPYING)) {
      publish(State.RUNNING, List.of(), nowMs);
      return;
    }
    Map<Long, Waiting> stalled =
        stalledCopies.look(view, moves, ShapeOfCluster.byUuid(namespace.nodes()), nowMs);
    boolean areCopying = moves.size() > stalled.size();
    if (areCopying && (view.count(SuperchunkState.LOST) == 0 || nowMs < nextRebuildsMs)) {
      publish(State.RUNNING, stalled.values(), nowMs);
      return;
    }
    List<Waiting> unsettled = RecoveryNeeds.unsettled(view);
    if (!unsettled.isEmpty()) {
      publish(areCopying ? State.RUNNING : State.WAITING, unsettled, nowMs);
      return;
    }
    List<Waiting> due = fresh.due(view, Silence.NONE);
    if (!due.isEmpty()) {
      publish(State.RUNNING, due, nowMs);
      return;
    }
    nextRound(view, stalled, nowMs);
  }

  /** A frame whose Lstor has failed does not store what it is ordered to; others may not either. */
  private Optional<RecoveryMove> stuck(ClusterView view, RecoveryMove move, long nowMs) {
    if (move.phase() != Phase.ASSIGNING) {
      unstored.ended(move.superchunkId());
      return Optional.empty();
    }
    List<Assignment> outstanding = map.outstanding();
    return outstanding.stream()
        .filter(order -> order.pairing().superchunkId() == move.superchunkId())
        .map(Assignment::frame)
        .filter(ref -> view.frame(ref).filter(f -> FailedLstors.isOn(view, f)).isPresent())
        .findFirst()
        .map(ref -> "the Lstor of frame " + view.name(ref) + " is out of service")
        .or(() -> unstored.check(view, move, outstanding, nowMs))
        .map(why -> move.over(Phase.FAILED, why));
  }

  private void end(RecoveryMove move, RecoveryMove now) {
    long id = move.superchunkId();
    moves.remove(id);
    unstored.ended(id);
    if (steps.attempts().isWaiting(id)) {
      // It may be tried for days.
      finished.removeIf(
          each ->
              each.superchunkId() == id && each.kind() == Kind.REBUILD && !each.note().isEmpty());
    }
    finished.add(now);
    incomplete.ended(now);
    if (move.phase() == Phase.ASSIGNING && now.phase() == Phase.FAILED) {
      map.takeOrdersBack(id);
    }
    LOG.info(
        "Recovery {} of superchunk {} to {} is {}: bytes={} blocks={} of {} {}",
        now.kind(),
        id,
        map.view().name(now.receiver().frame()),
        now.phase(),
        now.counts().bytesDone(),
        now.counts().blocksDone(),
        now.counts().blocksTotal(),
        now.note());
  }

  // ---------------------------------------------------------------- next round

  private ShapeOfCluster shape(ClusterView view, Map<String, Node> nodes, Set<String> unfit) {
    List<Assignment> orders = new ArrayList<>(map.outstanding());
    orders.addAll(RecoveryNeeds.completions(view, unfit));
    return new ShapeOfCluster(view, nodes, orders, types);
  }

  /**
   * @param stalled copies of earlier rounds that are not waited for; while others go on, lost
   *     superchunks are begun only
   */
  private void nextRound(ClusterView view, Map<Long, Waiting> stalled, long nowMs) {
    boolean areCopying = moves.size() > stalled.size();
    Map<String, Node> nodes = ShapeOfCluster.byUuid(namespace.nodes());
    unstored.checkHalves(view, nowMs);
    Set<String> unfit = unstored.pausedDisks(nowMs);
    ShapeOfCluster shape = shape(view, nodes, unfit);
    NodesInMaintenance inMaintenance = new NodesInMaintenance(view, nodes.values());
    Set<Long> postponed = inMaintenance.superchunks();
    if (!RecoveryNeeds.isNeeded(view, postponed) && !shape.hasLeavingSuperchunks()) {
      List<Waiting> silent = fresh.due(view, Silence.STALE);
      if (!silent.isEmpty() || !unheard.get().isEmpty()) {
        publish(State.RUNNING, silent, nowMs);
      } else if (moves.isEmpty()) {
        end(inMaintenance, nowMs);
      } else {
        publish(areCopying ? State.RUNNING : State.WAITING, stalled.values(), nowMs);
      }
      return;
    }
    Map<Long, Waiting> stopped = unstored.waiting(view, nowMs);
    stopped.putAll(FailedLstors.waiting(view));
    Set<Long> unmoved = new TreeSet<>(postponed);
    unmoved.addAll(stopped.keySet());
    unmoved.addAll(withLeavingSource(view, shape));
    List<RecoveryPlan> plans = new RecoveryPlans(view, shape, nodes.values()).plans(unmoved, unfit);
    List<Unplaceable> unplaceable =
        plans.stream().flatMap(plan -> plan.unplaceable().stream()).toList();
    List<Waiting> waiting = new ArrayList<>(stopped.values());
    waiting.addAll(RecoveryNeeds.pairing(view, unfit));
    unplaceable.forEach(
        u -> waiting.add(new Waiting(u.superchunkId(), u.reason().toString(), u.detail())));
    Map<Long, Waiting> unlisted = incomplete.waiting(view, nowMs);
    unlisted.keySet().forEach(steps.attempts()::forget);
    RecoveryRound round = new RecoveryRound(map, orders, steps, options, view, nowMs);
    Set<Long> incompletes = new TreeSet<>(unlisted.keySet());
    stopped.keySet().stream()
        .filter(id -> RecoveryNeeds.standsAlone(view.superchunks().get(id)))
        .forEach(incompletes::add);
    Holds holds =
        new Holds(
            heldDisks(view, unplaceable, incompletes, nowMs),
            unlisted,
            incomplete.parts(view),
            unmoved);
    if (areCopying) {
      nextRebuildsMs = nowMs + REBUILDS_PERIOD_MS;
      round.beginRebuilds(plans, holds);
    } else {
      round.begin(plans, holds);
    }
    take(round.moves());
    waiting.addAll(round.waiting());
    stalled.values().stream()
        .filter(copy -> !round.moves().containsKey(copy.superchunkId()))
        .forEach(waiting::add);
    if (!round.moves().isEmpty() || areCopying || round.awaitsSource()) {
      publish(State.RUNNING, waiting, nowMs);
    } else if (waiting.isEmpty()) {
      end(inMaintenance, nowMs);
    } else {
      publish(State.WAITING, waiting, nowMs);
    }
  }

  /** Superchunks that are copied from a leaving node: their other side does not have all yet. */
  private Set<Long> withLeavingSource(ClusterView view, ShapeOfCluster shape) {
    return moves.values().stream()
        .filter(
            move ->
                view.superchunks().get(move.superchunkId()).holders().stream()
                    .anyMatch(side -> !move.isTo(side) && shape.isLeaving(side.nodeUuid())))
        .map(RecoveryMove::superchunkId)
        .collect(Collectors.toSet());
  }

  /** Takes in the moves of a round; a copy that has stalled may have got another receiver. */
  private void take(Map<Long, RecoveryMove> begun) {
    for (RecoveryMove copy : List.copyOf(moves.values())) {
      if (begun.containsKey(copy.superchunkId())) {
        end(copy, copy.over(Phase.FAILED, "it has stalled, and another frame takes its place"));
        stalledCopies.replaced(copy);
      }
    }
    moves.putAll(begun);
  }

  private void resume(RecoveryMove copy) {
    finished.removeIf(
        each -> each.superchunkId() == copy.superchunkId() && each.epoch() == copy.epoch());
    moves.put(copy.superchunkId(), copy);
  }

  private void end(NodesInMaintenance inMaintenance, long nowMs) {
    running = false;
    incomplete.takeBack();
    unstored.clear();
    publish(State.DONE, inMaintenance.waiting(), nowMs);
  }

  /**
   * Disks whose superchunks must not be re-paired yet, because a superchunk that lacks blocks may
   * still need their limbo.
   */
  private Set<String> heldDisks(
      ClusterView view, List<Unplaceable> unplaceable, Set<Long> incompletes, long nowMs) {
    return Stream.concat(
            incompletes.stream(),
            unplaceable.stream()
                .filter(u -> u.kind() == Kind.REBUILD)
                .map(Unplaceable::superchunkId))
        .map(view.superchunks()::get)
        .filter(s -> s != null && patience.holds(s, nowMs))
        .flatMap(s -> s.gone().stream())
        .map(FrameView::diskId)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private void publish(State state, Collection<Waiting> waiting, long nowMs) {
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
            List.copyOf(waiting),
            List.copyOf(steps.attempts().givenUp()),
            problems(nowMs));
  }

  private List<Problem> problems(long nowMs) {
    List<Problem> problems = new ArrayList<>(unstored.problems(nowMs));
    if (running) {
      problems.addAll(lstors.problems());
    }
    return List.copyOf(problems);
  }
}
