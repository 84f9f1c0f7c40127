/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.layout.FrameId;
import io.hdfsparity.raidp.layout.RecoveryPlan;
import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.layout.RecoveryPlanner;
import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.namenode.RecoveryStatus.State;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.Assignment;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.Pairing;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
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
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the cluster back to two replicas and one parity for every superchunk (paper section 3.3),
 * one round of the plan after the other. It keeps nothing that it could not derive from reports
 * again, so a manager that takes over goes on.
 *
 * <p><b>Invariants</b>
 *
 * <ul>
 *   <li>No superchunk is re-paired while one that is lost with a common disk waits for its rebuild:
 *       re-pairing drops the limbo that the rebuild may need.
 *   <li>What is missing is asked of slot tables and NameNode anew before every step; a superchunk
 *       with missing blocks is filled before it is re-paired.
 * </ul>
 *
 * <p>{@link #tick} runs on one thread; {@link #status} and {@link #ordersFor} may be called on any.
 */
final class RecoveryCoordinator {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveryCoordinator.class);

  private static final int MOST_ATTEMPTS = 3;

  private final SuperchunkMap map;
  private final Namespace namespace;
  private final RebuildOrders orders;
  private final StraySweeper sweeper;
  private final ManagerOptions options;
  private final RateMeter rate = new RateMeter();
  private final Map<Long, RecoveryMove> moves = new LinkedHashMap<>();
  private final List<RecoveryMove> finished = new ArrayList<>();
  private final Map<Long, Integer> failedAttempts = new HashMap<>();
  private final Set<Long> givenUp = new TreeSet<>();
  private boolean running;
  private long startedAtMs;
  private RecoverRequest request = RecoverRequest.configured();
  private volatile RecoveryStatus status = RecoveryStatus.idle();
  private volatile List<RecoveryMove> published = List.of();

  RecoveryCoordinator(
      SuperchunkMap map, Namespace namespace, LstorTables tables, ManagerOptions options) {
    this.map = map;
    this.namespace = namespace;
    this.orders = new RebuildOrders(namespace, tables);
    this.sweeper = new StraySweeper(namespace);
    this.options = options;
  }

  RecoveryStatus status() {
    return status;
  }

  /** Begins, or begins again with what was given up before. */
  synchronized void recover(RecoverRequest newRequest, long nowMs) {
    request = newRequest;
    givenUp.clear();
    failedAttempts.clear();
    start(nowMs);
    publish(State.RUNNING, List.of(), nowMs);
  }

  private void start(long nowMs) {
    if (!running) {
      running = true;
      startedAtMs = nowMs;
      finished.clear();
      moves.clear();
      rate.reset();
    }
  }

  /** Forgets all, when another NameNode has become the active one. */
  synchronized void stop() {
    running = false;
    moves.clear();
    finished.clear();
    published = List.of();
    status = RecoveryStatus.idle();
  }

  /** Rebuilds that a node shall run; given again until it reports them as done. */
  List<RebuildOrder> ordersFor(String nodeUuid) {
    return published.stream()
        .filter(m -> m.phase() == Phase.REBUILDING && m.receiverNode().equals(nodeUuid))
        .map(m -> m.order().orElseThrow())
        .toList();
  }

  /** Looks what has become of the moves under way, and begins the next round when they are over. */
  synchronized void tick(long nowMs) {
    ClusterView view = map.view();
    sweeper.sweep(view, nowMs);
    if (!running) {
      boolean asked = needed(view) && (options.recoveryAuto() || begunEarlier(view));
      boolean leaving = !asked && shape(view).hasLeavingSuperchunks();
      if (asked || leaving) {
        LOG.info(
            "Starting recovery: degraded={} lost={} auto={} decommission={}",
            view.count(SuperchunkState.DEGRADED),
            view.count(SuperchunkState.LOST),
            options.recoveryAuto(),
            leaving);
        start(nowMs);
      } else {
        return;
      }
    }
    for (RecoveryMove move : List.copyOf(moves.values())) {
      RecoveryMove now = move.phase().isOver() ? move : advance(view, move);
      if (now.phase().isOver()) {
        moves.remove(move.superchunkId());
        finished.add(now);
        LOG.info(
            "Recovery {} of superchunk {} to {} is {}: bytes={} blocks={} of {} {}",
            now.kind(),
            now.superchunkId(),
            now.receiver(),
            now.phase(),
            now.bytesDone(),
            now.blocksDone(),
            now.blocksTotal(),
            now.note());
      } else {
        moves.put(move.superchunkId(), now);
      }
    }
    if (!moves.isEmpty()) {
      publish(State.RUNNING, List.of(), nowMs);
      return;
    }
    List<Waiting> unsettled = unsettled(view);
    if (!unsettled.isEmpty()) {
      publish(State.WAITING, unsettled, nowMs);
      return;
    }
    nextRound(view, nowMs);
  }

  /**
   * A manager that has just started must not take frames for gone that only have not reported to it
   * yet.
   */
  private static List<Waiting> unsettled(ClusterView view) {
    List<Waiting> waiting = new ArrayList<>();
    view.all().stream()
        .filter(s -> !s.settled())
        .forEach(
            s ->
                waiting.add(
                    new Waiting(
                        s.id(),
                        "UNHEARD",
                        "a frame of it has not been reported since this NameNode started; it has time until the dead timeout")));
    view.completions()
        .values()
        .forEach(
            a ->
                waiting.add(
                    new Waiting(
                        a.pairing().superchunkId(),
                        "PAIRING",
                        "frame "
                            + a.storageId()
                            + " has yet to store what its partner has stored")));
    return waiting;
  }

  private boolean needed(ClusterView view) {
    return view.all().stream()
        .filter(SuperchunkView::settled)
        .anyMatch(
            s ->
                s.state() == SuperchunkState.LOST
                    || s.state() == SuperchunkState.DEGRADED && s.survivor().isPresent());
  }

  /**
   * Whether an earlier manager had begun: a superchunk of a dead disk has gone on under a newer
   * epoch while another one of the same disk has not, or a receiver stands alone.
   */
  private static boolean begunEarlier(ClusterView view) {
    Set<String> left = new HashSet<>();
    for (SuperchunkView s : view.all()) {
      if (s.survivor().flatMap(FrameView::pairing).filter(Pairing::isAlone).isPresent()) {
        return true;
      }
      s.gone().stream().filter(f -> epoch(f) < s.epoch()).forEach(f -> left.add(f.diskId()));
    }
    return view.all().stream()
        .filter(s -> s.state() != SuperchunkState.ACTIVE && s.settled())
        .flatMap(s -> s.gone().stream().filter(f -> epoch(f) == s.epoch()))
        .anyMatch(f -> left.contains(f.diskId()));
  }

  private static long epoch(FrameView frame) {
    return frame.pairing().map(Pairing::epoch).orElse(0L);
  }

  // ---------------------------------------------------------------- moves under way

  private RecoveryMove advance(ClusterView view, RecoveryMove move) {
    SuperchunkView superchunk = view.superchunks().get(move.superchunkId());
    FrameView receiver = view.frames().get(move.receiver());
    if (superchunk == null || receiver == null || !receiver.health().alive()) {
      return move.over(Phase.FAILED, "receiver " + move.receiver() + " is gone");
    }
    if (superchunk.epoch() > move.epoch()) {
      return move.over(
          Phase.FAILED,
          "superchunk has epoch " + superchunk.epoch() + ", expected " + move.epoch());
    }
    return switch (move.phase()) {
      case ASSIGNING ->
          move.kind() == Kind.REBUILD
              ? advanceAssigned(view, superchunk, receiver, move)
              : advancePaired(superchunk, move);
      case REBUILDING -> advanceRebuild(view, superchunk, move);
      case COPYING -> advanceCopy(superchunk, move);
      case DONE, FAILED -> move;
    };
  }

  private RecoveryMove advanceAssigned(
      ClusterView view, SuperchunkView superchunk, FrameView receiver, RecoveryMove move) {
    boolean stored =
        receiver
            .pairing()
            .filter(p -> p.superchunkId() == move.superchunkId() && p.epoch() == move.epoch())
            .isPresent();
    if (!stored) {
      return move;
    }
    try {
      List<ExpectedBlock> missing = orders.missing(view, superchunk);
      return missing.isEmpty()
          ? move.over(Phase.DONE, "")
          : rebuilding(view, superchunk, move, missing);
    } catch (IOException e) {
      LOG.warn("Cannot list what superchunk {} lacks; trying again", superchunk.id(), e);
      return move;
    }
  }

  private RecoveryMove rebuilding(
      ClusterView view, SuperchunkView superchunk, RecoveryMove move, List<ExpectedBlock> missing) {
    RebuildOrders.Style style =
        new RebuildOrders.Style(
            request.chunkBytes().orElse(options.recoveryChunkBytes()),
            request.lockGranularity().orElse(options.recoveryLock()),
            request.throttleBytesPerSecond().orElse(options.recoveryThrottleBytesPerSecond()));
    long rebuildId = rebuildId(view, move);
    long bytes = missing.stream().mapToLong(b -> b.numBytes().orElse(0)).sum();
    return move.rebuilding(orders.order(view, superchunk, move, rebuildId, style, missing), bytes);
  }

  /**
   * The id follows from superchunk, epoch and attempt, so that a manager that takes over finds the
   * rebuild that an earlier one ordered. An attempt that has ended is not asked for again: what is
   * still missing needs a new one.
   */
  private static long rebuildId(ClusterView view, RecoveryMove move) {
    Set<Long> ended =
        Optional.ofNullable(view.nodes().get(move.receiverNode())).stream()
            .flatMap(n -> n.report().rebuilds().stream())
            .filter(r -> r.phase() != RebuildPhase.RUNNING)
            .map(RebuildStatus::rebuildId)
            .collect(Collectors.toSet());
    long base =
        (move.superchunkId() * 0x9E3779B97F4A7C15L ^ move.epoch() * 0xC2B2AE3D27D4EB4FL) >>> 1;
    long id = base;
    while (ended.contains(id)) {
      id = id + 1 & Long.MAX_VALUE;
    }
    return id;
  }

  private RecoveryMove advanceRebuild(
      ClusterView view, SuperchunkView superchunk, RecoveryMove move) {
    RebuildOrder order = move.order().orElseThrow();
    Optional<RebuildStatus> reported =
        Optional.ofNullable(view.nodes().get(move.receiverNode())).stream()
            .flatMap(n -> n.report().rebuilds().stream())
            .filter(r -> r.rebuildId() == order.rebuildId())
            .findFirst();
    if (reported.isEmpty() || reported.get().phase() == RebuildPhase.RUNNING) {
      RecoveryMove fresh =
          new RecoveryMove(
              move.superchunkId(),
              move.kind(),
              move.receiver(),
              move.receiverNode(),
              move.epoch(),
              move.phase(),
              Optional.of(orders.refreshed(view, superchunk, move, order)),
              move.bytesTotal(),
              move.bytesDone(),
              move.blocksTotal(),
              move.blocksDone(),
              move.note());
      return reported.map(r -> progress(fresh, r)).orElse(fresh);
    }
    RebuildStatus end = reported.get();
    RecoveryMove done = progress(move, end);
    if (end.phase() == RebuildPhase.FAILED || !end.errors().isEmpty()) {
      // A source may have been away for a moment, so it is tried again. After that the blocks that
      // could be rebuilt are
      // there; the others are reported, and asked for again by the next -recover.
      if (failedAttempts.merge(move.superchunkId(), 1, Integer::sum) >= MOST_ATTEMPTS) {
        givenUp.add(move.superchunkId());
      }
    }
    return done.over(
        end.phase() == RebuildPhase.DONE ? Phase.DONE : Phase.FAILED,
        String.join("; ", end.errors()));
  }

  private static RecoveryMove progress(RecoveryMove move, RebuildStatus r) {
    return move.progress(
        Math.max(move.bytesTotal(), r.bytesTotal()),
        r.bytesDone(),
        r.blocksTotal(),
        r.blocksDone());
  }

  private static RecoveryMove advancePaired(SuperchunkView superchunk, RecoveryMove move) {
    if (superchunk.holders().stream().allMatch(f -> f.storageId().equals(move.receiver()))) {
      return move.over(Phase.FAILED, "the surviving frame is gone");
    }
    boolean paired =
        superchunk.state() == SuperchunkState.ACTIVE && superchunk.epoch() == move.epoch();
    return paired ? move.copying() : move;
  }

  private RecoveryMove advanceCopy(SuperchunkView superchunk, RecoveryMove move) {
    if (superchunk.state() != SuperchunkState.ACTIVE) {
      return move.over(Phase.FAILED, "a frame of the new pair is gone");
    }
    FrameView source =
        superchunk.holders().stream()
            .filter(f -> !f.storageId().equals(move.receiver()))
            .findFirst()
            .orElseThrow();
    long bytes = 0;
    long single = 0;
    int blocks = 0;
    int open = 0;
    for (StoredBlock b : namespace.blocks(source.nodeUuid(), source.storageId())) {
      if (b.complete() && b.wantedReplicas() > 1) {
        boolean there = b.storageIds().contains(move.receiver());
        bytes += b.lengthBytes();
        blocks++;
        single += there ? 0 : b.lengthBytes();
        open += there ? 0 : 1;
      }
    }
    RecoveryMove now = move.progress(bytes, bytes - single, blocks, blocks - open);
    return open == 0 ? now.over(Phase.DONE, "") : now;
  }

  // ---------------------------------------------------------------- next round

  private ShapeOfCluster shape(ClusterView view) {
    return new ShapeOfCluster(view, ShapeOfCluster.byUuid(namespace.nodes()), map.outstanding());
  }

  private void nextRound(ClusterView view, long nowMs) {
    ShapeOfCluster shape = shape(view);
    if (!needed(view) && !shape.hasLeavingSuperchunks()) {
      running = false;
      publish(State.DONE, List.of(), nowMs);
      return;
    }
    RecoveryPlan plan = RecoveryPlanner.plan(shape.recovery());
    List<Waiting> waiting = new ArrayList<>();
    plan.unplaceable()
        .forEach(
            u -> waiting.add(new Waiting(u.superchunkId(), u.reason().toString(), u.detail())));
    Set<String> held = heldDisks(view, plan, nowMs);
    for (RecoveryPlan.Round round : plan.rounds()) {
      round.moves().forEach(m -> begin(view, m, held, waiting));
      if (!moves.isEmpty()) {
        break;
      }
    }
    if (!moves.isEmpty()) {
      publish(State.RUNNING, waiting, nowMs);
    } else if (waiting.isEmpty()) {
      running = false;
      publish(State.DONE, waiting, nowMs);
    } else {
      publish(State.WAITING, waiting, nowMs);
    }
  }

  /**
   * Disks whose superchunks must not be re-paired yet, because a lost superchunk may still need
   * their limbo.
   */
  private Set<String> heldDisks(ClusterView view, RecoveryPlan plan, long nowMs) {
    boolean patient = nowMs - startedAtMs <= options.nodeDeadTimeoutMs();
    return !patient
        ? Set.of()
        : plan.unplaceable().stream()
            .filter(u -> u.kind() == Kind.REBUILD)
            .map(u -> view.superchunks().get(u.superchunkId()))
            .filter(s -> s != null)
            .flatMap(s -> s.gone().stream())
            .map(FrameView::diskId)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  private void begin(
      ClusterView view, RecoveryPlan.Move planned, Set<String> held, List<Waiting> waiting) {
    SuperchunkView superchunk = view.superchunks().get(planned.superchunkId());
    FrameView receiver = view.frames().get(planned.receiver().value());
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
                    + superchunk.holders().stream().map(FrameView::storageId).toList()));
      }
      return;
    }
    Optional<FrameView> source =
        planned
            .source()
            .map(FrameId::value)
            .map(view.frames()::get)
            .filter(f -> f.health().alive());
    if (source.isEmpty() || superchunk.state() == SuperchunkState.LOST) {
      return;
    }
    if (superchunk.gone().stream().anyMatch(f -> held.contains(f.diskId()))) {
      waiting.add(
          new Waiting(
              superchunk.id(),
              "HELD",
              "its re-pairing would drop bytes that a lost superchunk of the"
                  + " same disk may need; it goes on "
                  + options.nodeDeadTimeoutMs()
                  + " ms after the start of the recovery"));
      return;
    }
    beginCopy(view, superchunk, source.get(), receiver, waiting);
  }

  private void beginRebuild(SuperchunkView superchunk, FrameView receiver) {
    long epoch = map.nextEpoch(superchunk.id(), List.of(receiver.storageId()));
    map.assign(
        List.of(new Assignment(receiver.storageId(), Pairing.alone(superchunk.id(), epoch))));
    moves.put(
        superchunk.id(),
        RecoveryMove.start(
            superchunk.id(), Kind.REBUILD, receiver.storageId(), receiver.nodeUuid(), epoch));
  }

  private void beginCopy(
      ClusterView view,
      SuperchunkView superchunk,
      FrameView source,
      FrameView receiver,
      List<Waiting> waiting) {
    try {
      List<ExpectedBlock> missing =
          givenUp.contains(superchunk.id()) ? List.of() : orders.missing(view, superchunk);
      if (!missing.isEmpty()) {
        RecoveryMove fill =
            RecoveryMove.start(
                superchunk.id(),
                Kind.REBUILD,
                source.storageId(),
                source.nodeUuid(),
                superchunk.epoch());
        moves.put(superchunk.id(), rebuilding(view, superchunk, fill, missing));
        return;
      }
    } catch (IOException e) {
      LOG.warn("Cannot list what superchunk {} lacks; trying again", superchunk.id(), e);
      waiting.add(new Waiting(superchunk.id(), "LSTOR_UNREADABLE", String.valueOf(e.getMessage())));
      return;
    }
    long epoch = map.nextEpoch(superchunk.id(), List.of(source.storageId(), receiver.storageId()));
    map.assign(
        List.of(
            new Assignment(
                source.storageId(),
                new Pairing(superchunk.id(), epoch, receiver.storageId(), receiver.nodeUuid())),
            new Assignment(
                receiver.storageId(),
                new Pairing(superchunk.id(), epoch, source.storageId(), source.nodeUuid()))));
    moves.put(
        superchunk.id(),
        RecoveryMove.start(
            superchunk.id(), Kind.COPY, receiver.storageId(), receiver.nodeUuid(), epoch));
  }

  private void publish(State state, List<Waiting> waiting, long nowMs) {
    List<RecoveryMove> all = new ArrayList<>(finished);
    all.addAll(moves.values());
    published = List.copyOf(moves.values());
    long total = all.stream().mapToLong(RecoveryMove::bytesTotal).sum();
    long done = all.stream().mapToLong(RecoveryMove::bytesDone).sum();
    rate.add(nowMs, done);
    long perSecond = rate.bytesPerSecond();
    long etaMs = state == State.DONE ? 0 : perSecond > 0 ? (total - done) * 1000 / perSecond : -1;
    status =
        new RecoveryStatus(
            state,
            startedAtMs,
            nowMs - startedAtMs,
            total,
            done,
            perSecond,
            etaMs,
            all,
            waiting,
            List.copyOf(givenUp));
  }
}
