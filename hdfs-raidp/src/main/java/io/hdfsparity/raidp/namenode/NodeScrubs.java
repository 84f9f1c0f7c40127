/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.core.check.Timers;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has DataNodes scrub their disks, a number of them at once; tells how far they are, and ends it on
 * demand. One object for one run. Thread-safe.
 */
final class NodeScrubs {
  /** DataNodes that scrub at once, unless told otherwise. */
  static final int DEFAULT_PARALLEL = 16;

  static final int MAX_PARALLEL = 1024;

  /**
   * A scrub looks whether it is to stop after each piece that it has read; a hung disk does not.
   */
  private static final long GRACE_MS = 10_000;

  private static final String STOPPED = "stopped";

  private static final Logger LOG = LoggerFactory.getLogger(NodeScrubs.class);

  private final FsckPeers peers;
  private final int parallel;
  private final LongSupplier clockMs;
  private final long graceMs;
  private final Queue<Future<Answer>> asked = new ConcurrentLinkedQueue<>();
  private final Map<String, PeerAddress> busy = new ConcurrentHashMap<>();
  private final AtomicInteger nodesTotal = new AtomicInteger();
  private final AtomicInteger nodesDone = new AtomicInteger();
  private final AtomicLong bytesDone = new AtomicLong();
  private volatile long startedAtMs = -1;
  private volatile boolean isStopped;

  /**
   * How far a run is.
   *
   * @param nodesDone DataNodes that are through
   * @param nodesTotal DataNodes to ask; 0 before the first one is asked
   * @param bytesRead bytes of replicas and parity read so far
   * @param fraction of the work that is done, 0 to 1; each node counts as much as another
   * @param elapsedMs since the first node was asked; 0 before
   */
  record Progress(int nodesDone, int nodesTotal, long bytesRead, double fraction, long elapsedMs) {
    /** Milliseconds left at the speed so far; -1: not known yet. */
    long etaMs() {
      return fraction <= 0 ? -1 : Math.round(elapsedMs * (1 - fraction) / fraction);
    }
  }

  /** What a node has answered: a report, or why there is none. */
  record Answer(NodeState node, Optional<ScrubReport> report, String failure) {}

  /**
   * @param parallel DataNodes asked at once, 1 to {@link #MAX_PARALLEL}
   */
  NodeScrubs(FsckPeers peers, int parallel, LongSupplier clockMs) {
    this(peers, parallel, clockMs, GRACE_MS);
  }

  /**
   * @param graceMs a node that was stopped is waited for so long
   */
  NodeScrubs(FsckPeers peers, int parallel, LongSupplier clockMs, long graceMs) {
    this.peers = peers;
    this.parallel = parallel;
    this.clockMs = clockMs;
    this.graceMs = graceMs;
  }

  /**
   * Scrubs the nodes, and returns when all have answered.
   *
   * @return answers in the order of the nodes
   */
  List<Answer> run(Map<String, NodeState> nodes, ScrubRequest request) throws InterruptedException {
    List<Answer> answers = new ArrayList<>();
    if (nodes.isEmpty()) {
      return answers;
    }
    nodesTotal.set(nodes.size());
    startedAtMs = clockMs.getAsLong();
    ExecutorService threads = Timers.daemonPool(Math.min(parallel, nodes.size()), "raidp-fsck");
    try {
      Map<String, Future<Answer>> byNode = new TreeMap<>();
      for (NodeState node : new TreeMap<>(nodes).values()) {
        Future<Answer> one = threads.submit(() -> ask(node, request));
        asked.add(one);
        byNode.put(node.report().nodeUuid(), one);
      }
      for (Map.Entry<String, Future<Answer>> one : byNode.entrySet()) {
        answers.add(await(nodes.get(one.getKey()), one.getValue()));
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("Cannot scrub: " + e.getCause(), e.getCause());
    } finally {
      if (answers.size() < nodes.size()) {
        stop();
      }
      threads.shutdownNow();
    }
    return answers;
  }

  private static Answer await(NodeState node, Future<Answer> asked)
      throws InterruptedException, ExecutionException {
    try {
      return asked.get();
    } catch (CancellationException e) {
      return new Answer(node, Optional.empty(), STOPPED);
    }
  }

  private Answer ask(NodeState node, ScrubRequest request) {
    String uuid = node.report().nodeUuid();
    PeerAddress peer = RebuildOrders.peer(node.report());
    busy.put(uuid, peer);
    try {
      if (isStopped) {
        return new Answer(node, Optional.empty(), STOPPED);
      }
      ScrubReport report = peers.scrub(peer, request);
      bytesDone.addAndGet(report.bytesRead());
      return new Answer(node, Optional.of(report), "");
    } catch (IOException e) {
      return new Answer(node, Optional.empty(), String.valueOf(e.getMessage()));
    } finally {
      busy.remove(uuid);
      nodesDone.incrementAndGet();
    }
  }

  /** Asks the busy nodes how far they are. */
  Progress progress() {
    double nodes = nodesDone.get();
    long bytes = bytesDone.get();
    for (PeerAddress peer : busy.values()) {
      try {
        ScrubReport report = peers.scrub(peer, ScrubRequest.watch());
        bytes += report.bytesRead();
        nodes += report.unitsTotal() == 0 ? 0 : (double) report.unitsDone() / report.unitsTotal();
      } catch (IOException e) {
        LOG.debug("Cannot ask how far a scrub is: node={}", peer.nodeUuid(), e);
      }
    }
    int total = nodesTotal.get();
    long started = startedAtMs;
    return new Progress(
        nodesDone.get(),
        total,
        bytes,
        total == 0 ? 0 : Math.min(1, nodes / total),
        started < 0 ? 0 : Math.max(0, clockMs.getAsLong() - started));
  }

  /**
   * Ends the run: no other node is asked, and those that are busy stop. One that does not is left
   * to itself after a while.
   */
  void stop() {
    isStopped = true;
    CompletableFuture.delayedExecutor(graceMs, TimeUnit.MILLISECONDS)
        .execute(() -> asked.forEach(one -> one.cancel(true)));
    for (PeerAddress peer : busy.values()) {
      try {
        peers.scrub(peer, ScrubRequest.stop());
      } catch (IOException e) {
        LOG.warn("Cannot stop a scrub: node={}", peer.nodeUuid(), e);
      }
    }
  }

  /**
   * @throws InterruptedIOException when the run was stopped
   */
  void requireRunning() throws InterruptedIOException {
    if (isStopped) {
      throw new InterruptedIOException("Cannot check: stopped by an administrator");
    }
  }
}
