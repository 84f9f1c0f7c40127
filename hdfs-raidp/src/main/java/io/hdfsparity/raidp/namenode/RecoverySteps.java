/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.config.ManagerOptions;
import io.hdfsparity.raidp.config.RebuildPace;
import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.namenode.RebuildAttempts.Evidence;
import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.wire.message.ExpectedBlock;
import io.hdfsparity.raidp.wire.message.RebuildCounts;
import io.hdfsparity.raidp.wire.message.RebuildObstacle;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import io.hdfsparity.raidp.wire.message.RebuildPhase;
import io.hdfsparity.raidp.wire.message.RebuildStatus;
import io.hdfsparity.raidp.wire.message.RecoverRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the moves of a recovery round: from assignment over rebuild or copy to their end. What it
 * remembers are the failed attempts ({@link RebuildAttempts}), so that a superchunk is not tried
 * for ever. Not thread-safe: the coordinator calls it under its lock.
 */
final class RecoverySteps {
  private static final Logger LOG = LoggerFactory.getLogger(RecoverySteps.class);

  private final RebuildOrders orders;
  private final CopyProgress copies;
  private final ManagerOptions options;
  private final RebuildAttempts attempts = new RebuildAttempts();
  private RecoverRequest request = RecoverRequest.configured();

  RecoverySteps(
      Namespace namespace,
      RebuildOrders orders,
      FrameRows rows,
      LongConsumer lacksSide,
      Executor listers,
      ManagerOptions options) {
    this.orders = orders;
    this.copies = new CopyProgress(namespace, rows, lacksSide, listers);
    this.options = options;
  }

  /** Tries again at once what has failed, and from now on in the way that is asked for. */
  void begin(RecoverRequest newRequest) {
    request = newRequest;
    copies.clear();
    attempts.clear();
  }

  /** Rebuilds that have failed. */
  RebuildAttempts attempts() {
    return attempts;
  }

  /** What has become of a move, as far as the view tells. */
  RecoveryMove advance(ClusterView view, RecoveryMove move, long nowMs) {
    SuperchunkView superchunk = view.superchunks().get(move.superchunkId());
    FrameView receiver = view.frame(move.receiver().frame()).orElse(null);
    if (superchunk == null || receiver == null || !receiver.health().alive()) {
      return move.over(Phase.FAILED, "receiver " + view.name(move.receiver().frame()) + " is gone");
    }
    if (FailedLstors.isOn(view, receiver)) {
      return move.over(
          Phase.FAILED,
          "the Lstor of receiver " + view.name(receiver.ref()) + " is out of service");
    }
    if (superchunk.epoch() > move.epoch()) {
      return move.over(
          Phase.FAILED,
          "superchunk has epoch " + superchunk.epoch() + ", expected " + move.epoch());
    }
    if (move.phase() == Phase.ASSIGNING
        && superchunk.holders().stream()
            .anyMatch(
                f -> f.storageId().equals(receiver.storageId()) && !f.isSameFrame(receiver))) {
      return move.over(
          Phase.FAILED,
          "another frame of volume " + receiver.storageId() + " has the superchunk already");
    }
    return switch (move.phase()) {
      case ASSIGNING ->
          move.kind() == Kind.REBUILD
              ? advanceAssigned(view, superchunk, receiver, move)
              : advancePaired(superchunk, move);
      case REBUILDING -> advanceRebuild(view, superchunk, move, nowMs);
      case COPYING -> advanceCopy(view, superchunk, move);
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
    if (!superchunk.gone().isEmpty() && orders.listed(view, superchunk).isEmpty()) {
      // Nothing can be listed, which does not mean that nothing is missing. The superchunk waits
      // beside its receiver, so that all others go on.
      return move.over(Phase.FAILED, "no Lstor of its dead disks can be read");
    }
    try {
      List<ExpectedBlock> missing = orders.missing(view, superchunk);
      return missing.isEmpty()
          ? move.over(Phase.DONE, "")
          : rebuilding(view, superchunk, move, missing);
    } catch (IOException e) {
      // The round must not wait for that: the next ones ask again, and pair no superchunk of the
      // same dead disks before the Lstor answers, or counts as one that cannot be read.
      LOG.warn("Cannot list what superchunk {} lacks: {}", superchunk.id(), e.toString());
      return move.over(Phase.FAILED, "cannot list what it lacks yet: " + e.getMessage());
    }
  }

  /** The move with the order for its receiver. */
  RecoveryMove rebuilding(
      ClusterView view, SuperchunkView superchunk, RecoveryMove move, List<ExpectedBlock> missing) {
    RebuildPace configured = options.recovery().pace();
    RebuildPace pace =
        new RebuildPace(
            request.chunkBytes().orElse(configured.chunkBytes()),
            request.lockGranularity().orElse(configured.lock()),
            request.throttleBytesPerSecond().orElse(configured.throttleBytesPerSecond()));
    long rebuildId = rebuildId(view, move);
    long bytes = missing.stream().mapToLong(b -> b.numBytes().orElse(0)).sum();
    RebuildOrder order = orders.order(view, superchunk, move, rebuildId, pace, missing);
    attempts.ordered(view, order);
    return move.rebuilding(order, bytes);
  }

  /**
   * The id follows from superchunk, epoch and attempt, so that a manager that takes over finds the
   * rebuild that an earlier one ordered. An attempt that has ended is not asked for again: what is
   * still missing needs a new one.
   */
  private static long rebuildId(ClusterView view, RecoveryMove move) {
    Set<Long> ended =
        Optional.ofNullable(view.nodes().get(move.receiver().nodeUuid())).stream()
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
      ClusterView view, SuperchunkView superchunk, RecoveryMove move, long nowMs) {
    RebuildOrder order = move.order().orElseThrow();
    Optional<RebuildStatus> reported =
        Optional.ofNullable(view.nodes().get(move.receiver().nodeUuid())).stream()
            .flatMap(n -> n.report().rebuilds().stream())
            .filter(r -> r.rebuildId() == order.rebuildId())
            .findFirst();
    if (reported.isEmpty() || reported.get().phase() == RebuildPhase.RUNNING) {
      RebuildOrder newest = orders.refreshed(view, superchunk, move, order);
      attempts.refreshed(order, newest);
      RecoveryMove fresh = move.reordered(newest);
      return reported.map(r -> progress(fresh, r)).orElse(fresh);
    }
    RebuildStatus end = reported.get();
    RecoveryMove done = progress(move, end);
    List<String> notes = new ArrayList<>(end.errors());
    if (end.phase() == RebuildPhase.FAILED || !end.errors().isEmpty()) {
      Set<String> awaited =
          RebuildOrders.awaited(view, superchunk, nowMs, options.silence().deadMs());
      if (!awaited.isEmpty()) {
        notes.add(awaitedNote(view, awaited));
      }
      if (end.obstacle() == RebuildObstacle.UNKNOWN) {
        notes.add(
            "the DataNode of "
                + view.name(move.receiver().frame())
                + " is too old to say whether it has failed itself: upgrade it");
      }
      // The blocks that could be rebuilt are there; the others are reported.
      switch (awaited.isEmpty() ? evidence(view, order, end) : Evidence.NONE) {
        case OPEN -> {
          return done;
        }
        case NONE -> {
          if (end.obstacle() == RebuildObstacle.RECEIVER_FAILED) {
            String why = end.errors().stream().findFirst().orElse("no reason given");
            attempts.receiverFailed(move.superchunkId(), why, nowMs);
          } else {
            attempts.unanswered(move.superchunkId(), nowMs);
          }
        }
        case LOST -> attempts.failed(move.superchunkId());
      }
    } else {
      attempts.succeeded(move.superchunkId());
    }
    return done.over(
        end.phase() == RebuildPhase.DONE ? Phase.DONE : Phase.FAILED, String.join("; ", notes));
  }

  private static String awaitedNote(ClusterView view, Set<String> awaited) {
    Set<String> locked = new TreeSet<>(awaited);
    locked.removeIf(diskId -> !view.lstors().get(diskId).report().locked());
    return "Lstors that cannot be read now, and may be soon, of disks "
        + awaited
        + (locked.isEmpty()
            ? ""
            : "; DataNode processes hold those of "
                + locked
                + ": if such a node counts as dead, end its process");
  }

  private Evidence evidence(ClusterView view, RebuildOrder order, RebuildStatus end) {
    return end.obstacle() != RebuildObstacle.NONE
            || order.sources().stream().anyMatch(each -> orders.isUnreadable(each.diskId()))
        ? Evidence.NONE
        : attempts.judge(view, order);
  }

  private static RecoveryMove progress(RecoveryMove move, RebuildStatus r) {
    RebuildCounts now = r.counts();
    return move.progress(
        new RebuildCounts(
            Math.max(move.counts().bytesTotal(), now.bytesTotal()),
            now.bytesDone(),
            now.blocksTotal(),
            now.blocksDone()));
  }

  private static RecoveryMove advancePaired(SuperchunkView superchunk, RecoveryMove move) {
    if (superchunk.holders().stream()
        .allMatch(f -> f.storageId().equals(move.receiver().storageId()))) {
      return move.over(Phase.FAILED, "the surviving frame is gone");
    }
    boolean paired =
        superchunk.state() == SuperchunkState.ACTIVE && superchunk.epoch() == move.epoch();
    return paired ? move.copying() : move;
  }

  private RecoveryMove advanceCopy(ClusterView view, SuperchunkView superchunk, RecoveryMove move) {
    if (superchunk.state() != SuperchunkState.ACTIVE) {
      return move.over(Phase.FAILED, "a frame of the new pair is gone");
    }
    FrameView source =
        superchunk.holders().stream()
            .filter(f -> !f.storageId().equals(move.receiver().storageId()))
            .findFirst()
            .orElseThrow();
    return copies
        .advance(view, superchunk, source, move)
        .map(
            progress -> {
              RecoveryMove now = move.progress(progress);
              return progress.blocksDone() == progress.blocksTotal()
                  ? now.over(Phase.DONE, "")
                  : now;
            })
        .orElse(move);
  }
}
