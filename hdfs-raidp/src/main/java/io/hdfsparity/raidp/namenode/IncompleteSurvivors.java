/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.layout.RecoveryPlan.Kind;
import io.hdfsparity.raidp.namenode.RecoveryMove.Phase;
import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.FrameRef;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.Node;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Finds superchunks that must not be re-paired yet: their survivor may lack blocks, and no Lstor
 * can be read that says which. A re-paired superchunk is whole for everybody: nobody looks for its
 * blocks in old Lstors any more.
 *
 * <p>A survivor is incomplete if a rebuild or a copy to it did not end, or if its replica has
 * missed an append. A side of a first pair has everything, so a dead node whose Lstors died with it
 * delays nothing. Not thread-safe: the coordinator calls it under its lock.
 */
final class IncompleteSurvivors {
  /** Why a superchunk waits whose missing blocks cannot be listed. */
  static final String REASON = Problem.Kind.LSTOR_UNREADABLE.name();

  private static final int MAX_BLOCKS = 1_000;

  private final Namespace namespace;

  /** Receivers of copies that have failed, by superchunk. */
  private final Map<Long, Set<FrameRef>> halfCopied = new HashMap<>();

  /**
   * Superchunks whose loss an administrator has accepted, with their epochs: another survivor has
   * another epoch, and may lack other blocks.
   */
  private final Map<Long, Long> accepted = new HashMap<>();

  private final LstorQuestions questions;
  private final long maxSilenceMs;

  /**
   * @param maxSilenceMs after which an Lstor that is not reported as readable is not awaited
   */
  IncompleteSurvivors(Namespace namespace, LstorQuestions questions, long maxSilenceMs) {
    this.namespace = namespace;
    this.questions = questions;
    this.maxSilenceMs = maxSilenceMs;
  }

  /**
   * What the NameNode says at one moment; asked only if it matters.
   *
   * <p>The order of the questions matters: a replica that is not counted any more makes its block a
   * missing one, once HDFS has looked at all blocks.
   */
  private final class Replicas {
    private final ClusterView view;
    private Optional<Boolean> hasLookedAtAll = Optional.empty();
    private Optional<List<StoredBlock>> withOldReplica = Optional.empty();
    private Optional<Map<String, Node>> nodes = Optional.empty();

    Replicas(ClusterView view) {
      this.view = view;
    }

    private boolean hasLookedAtAll() {
      boolean known = hasLookedAtAll.orElseGet(namespace::hasLookedAtAllBlocks);
      hasLookedAtAll = Optional.of(known);
      return known;
    }

    private List<StoredBlock> withOldReplica() {
      List<StoredBlock> known =
          withOldReplica.orElseGet(() -> namespace.blocksWithOldReplica(MAX_BLOCKS));
      withOldReplica = Optional.of(known);
      return known;
    }

    /**
     * Whether HDFS still counts replicas of a dead frame's volume, so nothing is missing for it. It
     * does so for a dead node too, until it has noticed that, or as long as the node is in
     * maintenance.
     */
    private boolean areCounted(FrameView gone) {
      Map<String, Node> known = nodes.orElseGet(() -> ShapeOfCluster.byUuid(namespace.nodes()));
      nodes = Optional.of(known);
      return Optional.ofNullable(known.get(gone.nodeUuid())).stream()
          .flatMap(node -> node.storages().stream())
          .anyMatch(s -> s.id().equals(gone.storageId()) && s.blocks() > 0);
    }

    boolean mayBeMissing(SuperchunkView superchunk) {
      return !hasLookedAtAll()
          || superchunk.gone().stream().anyMatch(this::areCounted)
          || namespace.blocksWithoutReplica() > 0;
    }

    /**
     * A replica of the survivor's volume is the only one left, and has missed an append; or there
     * are too many such replicas to look at.
     */
    boolean areOld(SuperchunkView superchunk, FrameView survivor) {
      return withOldReplica().size() >= MAX_BLOCKS
          || withOldReplica().stream()
              .filter(block -> block.storageIds().contains(survivor.storageId()))
              .anyMatch(block -> RebuildOrders.hasNoLiveReplica(view, superchunk, block));
    }
  }

  /**
   * Superchunks that wait now are re-paired whatever their survivors lack, until the recovery is
   * over. Those that wait later are not: nobody has decided on them.
   */
  void acceptLoss(ClusterView view, long nowMs) {
    takeBack();
    for (long superchunkId : waiting(view, nowMs).keySet()) {
      accepted.put(superchunkId, view.superchunks().get(superchunkId).epoch());
    }
  }

  /** No loss is accepted any more. */
  void takeBack() {
    accepted.clear();
  }

  /** Forgets all: another NameNode is the active one. */
  void clear() {
    takeBack();
    halfCopied.clear();
  }

  /** Notes what has become of a move. */
  void ended(RecoveryMove move) {
    if (move.kind() == Kind.COPY) {
      if (move.phase() == Phase.FAILED) {
        halfCopied
            .computeIfAbsent(move.superchunkId(), id -> new HashSet<>())
            .add(move.receiver().frame());
      } else {
        halfCopied.remove(move.superchunkId());
      }
    }
  }

  /** Superchunks that wait, by id. */
  Map<Long, Waiting> waiting(ClusterView view, long nowMs) {
    Map<Long, Waiting> waiting = new TreeMap<>();
    Replicas replicas = new Replicas(view);
    // What was accepted is the loss of what Lstors have that cannot be read.
    accepted
        .keySet()
        .removeIf(
            id ->
                Optional.ofNullable(view.superchunks().get(id))
                    .filter(s -> isListed(view, s, nowMs))
                    .isPresent());
    for (SuperchunkView superchunk : view.all()) {
      if (superchunk.state() == SuperchunkState.DEGRADED && superchunk.settled()) {
        superchunk
            .survivor()
            .filter(survivor -> !isAccepted(superchunk) && !isListed(view, superchunk, nowMs))
            .filter(survivor -> mayLack(view, superchunk, survivor, replicas))
            .ifPresent(
                survivor ->
                    waiting.put(
                        superchunk.id(),
                        new Waiting(superchunk.id(), REASON, detail(view, superchunk))));
      }
    }
    return waiting;
  }

  private boolean isAccepted(SuperchunkView superchunk) {
    return Long.valueOf(superchunk.epoch()).equals(accepted.get(superchunk.id()));
  }

  private boolean mayLack(
      ClusterView view, SuperchunkView superchunk, FrameView survivor, Replicas replicas) {
    return isPart(view, superchunk, survivor)
        ? replicas.mayBeMissing(superchunk)
        : replicas.areOld(superchunk, survivor);
  }

  /** Superchunks whose survivor has got a part of their blocks, by id. */
  Set<Long> parts(ClusterView view) {
    return view.in(SuperchunkState.DEGRADED).stream()
        .filter(s -> s.survivor().filter(survivor -> isPart(view, s, survivor)).isPresent())
        .map(SuperchunkView::id)
        .collect(Collectors.toSet());
  }

  /** Whether a frame is a receiver that may not have got all blocks. */
  private boolean isPart(ClusterView view, SuperchunkView superchunk, FrameView survivor) {
    return survivor.pairing().filter(Pairing::isAlone).isPresent()
        || halfCopied.getOrDefault(superchunk.id(), Set.of()).contains(survivor.ref())
        || isShort(view, superchunk, survivor);
  }

  /**
   * A manager that takes over does not know which copies have failed. If an older side of the
   * superchunk is still dead, the last pair is new, and its dead side should have no more blocks
   * than the other one.
   */
  private static boolean isShort(ClusterView view, SuperchunkView superchunk, FrameView survivor) {
    List<FrameView> gone = superchunk.gone();
    long newest = newestPair(superchunk);
    return gone.stream().anyMatch(f -> SuperchunkRules.epoch(f) < newest)
        && gone.stream()
            .filter(f -> SuperchunkRules.epoch(f) == newest)
            .anyMatch(f -> view.blocks(f) > view.blocks(survivor));
  }

  /**
   * Whether an Lstor can be read that has a row of each block of the superchunk: that of a dead
   * side of its newest pair. A receiver that stood alone has a part of them at most.
   */
  private boolean isListed(ClusterView view, SuperchunkView superchunk, long nowMs) {
    long newest = newestPair(superchunk);
    List<FrameView> sides =
        superchunk.gone().stream().filter(f -> SuperchunkRules.epoch(f) == newest).toList();
    // A side that was being copied when both died has a part of the rows only.
    int hung =
        sides.stream()
            .filter(f -> questions.isUnreadable(f.diskId()) || isAwaited(view, f, nowMs))
            .mapToInt(f -> view.blocks(f))
            .max()
            .orElse(0);
    return sides.stream()
        .anyMatch(
            f ->
                view.readableLstor(f.diskId()).isPresent()
                    && !questions.isUnreadable(f.diskId())
                    && view.blocks(f) >= hung);
  }

  private boolean isAwaited(ClusterView view, FrameView side, long nowMs) {
    LstorState lstor = view.lstors().get(side.diskId());
    return lstor != null && lstor.isAwaited(nowMs, maxSilenceMs);
  }

  /** Epoch of the newest pair with a dead side; if there is none, the newest of any dead frame. */
  private static long newestPair(SuperchunkView superchunk) {
    Stream<FrameView> pairs =
        superchunk.gone().stream().filter(f -> f.pairing().filter(p -> !p.isAlone()).isPresent());
    return Stream.concat(pairs, superchunk.gone().stream())
        .findFirst()
        .map(SuperchunkRules::epoch)
        .orElse(0L);
  }

  /** A superchunk with an Lstor that does not answer now, and may do so the next time. */
  static Waiting unanswered(SuperchunkView superchunk, IOException failure) {
    return new Waiting(
        superchunk.id(),
        REASON,
        "cannot list which blocks it lacks, and is tried again: "
            + failure.getMessage()
            + "; if that stays so, restart the Lstor daemon there. An Lstor without an answer for"
            + " dfs.parity.raidp.node.dead.timeout counts as one that cannot be read");
  }

  private String detail(ClusterView view, SuperchunkView superchunk) {
    List<String> lstors = UnreadableLstors.of(view, List.of(superchunk), questions::whyUnreadable);
    return "its frame "
        + superchunk.survivor().map(f -> view.name(f.ref())).orElse("")
        + " may lack blocks, and no Lstor can be read that has them: "
        + (lstors.isEmpty()
            ? "no daemon has reported one of its dead disks"
            : String.join(", ", lstors))
        + "; start the Lstor daemon there by hdfs --daemon start lstor, after a stop if it hangs, or"
        + " bring the disk back."
        + " Only if these Lstors are destroyed: hdfs raidp -recover -acceptLoss, which loses the"
        + " blocks that it lacks";
  }
}
