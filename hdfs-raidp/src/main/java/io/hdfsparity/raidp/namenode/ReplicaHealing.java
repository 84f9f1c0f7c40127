/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.HealReport;
import io.hdfsparity.raidp.wire.message.HealRequest;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has replicas healed that a reading client, a scrub or a block report called damaged. Stock HDFS
 * keeps such a replica until there are enough good ones, and looks for a node without any for one
 * more: in a pair there is none, so without this the block would stay at one replica.
 *
 * <p>A node heals one replica at a time. One that does not answer, as its disk hangs, holds up its
 * own replicas only.
 *
 * <p>Not thread-safe; time is passed in.
 */
final class ReplicaHealing {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicaHealing.class);
  private static final int MAX_A_ROUND = 100;
  private static final long RETRY_MS = 10_000;

  private final Supplier<ClusterView> views;
  private final Predicate<CorruptReplica> isHealed;
  private final Marks marks;
  private final Healers healers;
  private final Executor executor;
  private final Map<String, Long> notBeforeMs = new HashMap<>();

  /** Nodes that heal, or are about to. */
  private final Set<String> busy = ConcurrentHashMap.newKeySet();

  /** The NameNode's marks. */
  interface Marks {
    /** Marked replicas that are wanted; the others take no room. */
    List<CorruptReplica> list(int limit, Predicate<CorruptReplica> wanted);

    boolean clear(CorruptReplica replica);
  }

  /** Calls DataNodes. */
  interface Healers {
    HealReport heal(PeerAddress peer, HealRequest request) throws IOException;
  }

  /**
   * @param isHealed whether a replica is in a superchunk, whose other side or parity has its bytes.
   *     Asked under a lock of the NameNode, so it must not block
   * @param executor waits for nodes, a task for each; may run one at once
   */
  ReplicaHealing(
      Supplier<ClusterView> views,
      Predicate<CorruptReplica> isHealed,
      Marks marks,
      Healers healers,
      Executor executor) {
    this.views = views;
    this.isHealed = isHealed;
    this.marks = marks;
    this.healers = healers;
    this.executor = executor;
  }

  /** Looks at the marks of all nodes that are not busy. */
  void round(long nowMs) {
    notBeforeMs.values().removeIf(ms -> ms <= nowMs);
    List<CorruptReplica> due =
        marks.list(
            MAX_A_ROUND,
            replica ->
                !busy.contains(replica.nodeUuid())
                    && !notBeforeMs.containsKey(key(replica))
                    && isHealed.test(replica));
    Map<String, List<CorruptReplica>> byNode = new LinkedHashMap<>();
    for (CorruptReplica replica : due) {
      notBeforeMs.put(key(replica), nowMs + RETRY_MS);
      byNode.computeIfAbsent(replica.nodeUuid(), uuid -> new ArrayList<>()).add(replica);
    }
    byNode.forEach(this::begin);
  }

  private void begin(String nodeUuid, List<CorruptReplica> replicas) {
    busy.add(nodeUuid);
    try {
      executor.execute(
          () -> {
            try {
              replicas.forEach(this::heal);
            } finally {
              busy.remove(nodeUuid);
            }
          });
    } catch (RejectedExecutionException e) {
      // The manager stops.
      busy.remove(nodeUuid);
    }
  }

  private static String key(CorruptReplica replica) {
    return replica.block().blockId()
        + "_"
        + replica.block().generationStamp()
        + "@"
        + replica.storageId();
  }

  private void heal(CorruptReplica replica) {
    Optional<PeerAddress> peer = RebuildOrders.peer(views.get(), replica.nodeUuid());
    if (peer.isEmpty()) {
      return;
    }
    HealRequest request =
        new HealRequest(
            replica.storageId(),
            replica.block().blockId(),
            replica.block().generationStamp(),
            replica.block().lengthBytes());
    try {
      HealReport report = healers.heal(peer.get(), request);
      boolean readable =
          report.outcome() == HealReport.Outcome.GOOD
              || report.outcome() == HealReport.Outcome.HEALED;
      boolean cleared = readable && marks.clear(replica);
      LOG.warn(
          "Damaged replica: block={} storageId={} outcome={} markCleared={} {}",
          request.blockId(),
          request.storageId(),
          report.outcome(),
          cleared,
          report.detail());
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Damaged replica cannot be healed yet: block={} storageId={} cause={}",
          request.blockId(),
          request.storageId(),
          e.toString());
    }
  }
}
