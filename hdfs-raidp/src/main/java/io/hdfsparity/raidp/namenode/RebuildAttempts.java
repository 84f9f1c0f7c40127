/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.NodeState.Silence;
import io.hdfsparity.raidp.wire.message.LstorSource;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.RebuildOrder;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Remembers rebuilds that have failed, by superchunk, and judges what that tells. Blocks that could
 * not be decoded though every source has answered are lost: after a few attempts the superchunk
 * goes on without them. While a source is silent nothing is known: the superchunk is tried after
 * growing pauses until the source answers, or its node counts as dead and is no source any more.
 * The same holds for a receiver that cannot store what it has decoded. Not thread-safe; time is
 * passed in.
 */
final class RebuildAttempts {
  private static final int MAX_ATTEMPTS = 3;
  private static final long FIRST_PAUSE_MS = 1_000;
  private static final long LAST_PAUSE_MS = 10_000;

  /** A receiver decodes all blocks before it finds that it cannot store them. */
  private static final long FIRST_RECEIVER_PAUSE_MS = 5_000;

  static final long LAST_RECEIVER_PAUSE_MS = 300_000;
  private static final int MAX_KEPT = 100_000;

  private final Map<Long, Integer> failed = new HashMap<>();
  private final Set<Long> givenUp = new TreeSet<>();

  /** When a superchunk first failed that waits for a source, by its id. */
  private final Map<Long, Long> waitingSinceMs = new HashMap<>();

  private final GrowingPauses<Long> pauses =
      new GrowingPauses<>(FIRST_PAUSE_MS, LAST_PAUSE_MS, MAX_KEPT);

  private final GrowingPauses<Long> receiverPauses =
      new GrowingPauses<>(FIRST_RECEIVER_PAUSE_MS, LAST_RECEIVER_PAUSE_MS, MAX_KEPT);

  /** Why the receivers of superchunks could not store their blocks, by superchunk. */
  private final Map<Long, String> receiverFailures = new HashMap<>();

  /** Nodes with mirrors when the rebuild under way was ordered, by superchunk. */
  private final Map<Long, Map<String, Seen>> ordered = new HashMap<>();

  /** Superchunks whose rebuild under way has got other Lstors than it began with. */
  private final Set<Long> reordered = new HashSet<>();

  private record Seen(long incarnation, long reportedAtMs) {
    static Seen of(NodeState node) {
      return new Seen(node.report().node().incarnation(), node.reportedAtMs());
    }
  }

  /** What a failed rebuild tells. */
  enum Evidence {
    /** A node with a mirror has yet to report since the rebuild was ordered. */
    OPEN,
    /** Nothing: a source is silent, or has come, gone or restarted meanwhile. */
    NONE,
    /** Its sources were there, and do not give the blocks. */
    LOST
  }

  /** A rebuild is ordered. */
  void ordered(ClusterView view, RebuildOrder order) {
    Map<String, Seen> seen = new HashMap<>();
    for (String uuid : mirrors(order)) {
      NodeState node = view.nodes().get(uuid);
      if (node != null) {
        seen.put(uuid, Seen.of(node));
      }
    }
    ordered.put(order.superchunkId(), seen);
    reordered.remove(order.superchunkId());
  }

  /** A rebuild goes on with the Lstors that can be read now. */
  void refreshed(RebuildOrder before, RebuildOrder now) {
    if (!lstors(before).equals(lstors(now))) {
      reordered.add(now.superchunkId());
    }
  }

  private static Set<String> lstors(RebuildOrder order) {
    return order.sources().stream().map(LstorSource::diskId).collect(Collectors.toSet());
  }

  private static Set<String> mirrors(RebuildOrder order) {
    Set<String> uuids = new HashSet<>();
    order
        .sources()
        .forEach(
            source ->
                source
                    .mirrors()
                    .forEach(
                        mirror ->
                            mirror.server().map(PeerAddress::nodeUuid).ifPresent(uuids::add)));
    return uuids;
  }

  /**
   * Whether a mirror is on a disk whose Lstor has failed. Its DataNode may not serve what it has
   * there, and says so, which looks like an answer.
   */
  private static boolean isOnFailedLstor(ClusterView view, RebuildOrder order) {
    return order.sources().stream()
        .flatMap(source -> source.mirrors().stream())
        .flatMap(mirror -> mirror.mirrorStorageId().stream())
        .distinct()
        .flatMap(storageId -> view.framesOn(storageId).stream())
        .anyMatch(frame -> FailedLstors.isOn(view, frame));
  }

  /** What it tells that a rebuild has failed whose receiver has got an answer from each source. */
  Evidence judge(ClusterView view, RebuildOrder order) {
    Map<String, Seen> before = ordered.getOrDefault(order.superchunkId(), Map.of());
    if (reordered.contains(order.superchunkId()) || isOnFailedLstor(view, order)) {
      return Evidence.NONE;
    }
    boolean isOpen = false;
    for (String uuid : mirrors(order)) {
      NodeState node = view.nodes().get(uuid);
      Seen seen = before.get(uuid);
      if (node == null || node.silence() != Silence.NONE || seen == null) {
        return Evidence.NONE;
      }
      Seen now = Seen.of(node);
      if (now.incarnation() != seen.incarnation()) {
        return Evidence.NONE;
      }
      isOpen |= now.reportedAtMs() <= seen.reportedAtMs();
    }
    return isOpen ? Evidence.OPEN : Evidence.LOST;
  }

  /** A rebuild has failed that tells nothing. */
  void unanswered(long superchunkId, long nowMs) {
    endReceiverWait(superchunkId);
    waitingSinceMs.putIfAbsent(superchunkId, nowMs);
    pauses.failed(superchunkId, nowMs);
  }

  /**
   * A rebuild has failed in its receiver, which tells nothing of the blocks.
   *
   * @param why as the receiver says
   */
  void receiverFailed(long superchunkId, String why, long nowMs) {
    endSourceWait(superchunkId);
    receiverFailures.put(superchunkId, why);
    receiverPauses.failed(superchunkId, nowMs);
  }

  /** A rebuild has failed though its sources were there. */
  void failed(long superchunkId) {
    endWait(superchunkId);
    if (failed.merge(superchunkId, 1, Integer::sum) >= MAX_ATTEMPTS) {
      givenUp.add(superchunkId);
    }
  }

  /** A rebuild has succeeded. */
  void succeeded(long superchunkId) {
    failed.remove(superchunkId);
    endWait(superchunkId);
  }

  private void endWait(long superchunkId) {
    endSourceWait(superchunkId);
    endReceiverWait(superchunkId);
    ordered.remove(superchunkId);
    reordered.remove(superchunkId);
  }

  private void endSourceWait(long superchunkId) {
    waitingSinceMs.remove(superchunkId);
    pauses.succeeded(superchunkId);
  }

  private void endReceiverWait(long superchunkId) {
    receiverFailures.remove(superchunkId);
    receiverPauses.succeeded(superchunkId);
  }

  /** Superchunks with blocks that could not be rebuilt. */
  Set<Long> givenUp() {
    return givenUp;
  }

  /** Whether a rebuild of a superchunk has failed, and others follow. */
  boolean isTriedAgain(long superchunkId) {
    return !givenUp.contains(superchunkId)
        && (failed.containsKey(superchunkId) || isWaiting(superchunkId));
  }

  /** Whether the last rebuild of a superchunk has failed and tells nothing of its blocks. */
  boolean isWaiting(long superchunkId) {
    return waitingSinceMs.containsKey(superchunkId) || receiverFailures.containsKey(superchunkId);
  }

  /**
   * Whether a superchunk is left alone for now: a source does not answer, or its receiver failed.
   */
  boolean isPaused(long superchunkId, long nowMs) {
    return pauses.isPaused(superchunkId, nowMs) || receiverPauses.isPaused(superchunkId, nowMs);
  }

  /** Why the receiver of a superchunk could not store its blocks; empty: it has not failed. */
  Optional<String> receiverFailure(long superchunkId) {
    return Optional.ofNullable(receiverFailures.get(superchunkId));
  }

  /**
   * Whether a superchunk waits for a source that may be back in a moment: for the time after which
   * its node counts as dead, and the longest pause.
   */
  boolean isAwaited(long superchunkId, long deadMs, long nowMs) {
    Long sinceMs = waitingSinceMs.get(superchunkId);
    return sinceMs != null && nowMs - sinceMs <= deadMs + LAST_PAUSE_MS;
  }

  /** Forgets a superchunk: another receiver begins from nothing, or nobody can list its blocks. */
  void forget(long superchunkId) {
    givenUp.remove(superchunkId);
    succeeded(superchunkId);
  }

  /** Forgets all: what could not be rebuilt may be rebuilt now. */
  void clear() {
    givenUp.clear();
    failed.clear();
    waitingSinceMs.clear();
    pauses.clear();
    receiverFailures.clear();
    receiverPauses.clear();
    ordered.clear();
    reordered.clear();
  }
}
