/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.PeerAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Questions to DataNodes in rounds. A node has one at a time. One that is slow, or fails, holds up
 * nobody else: a round waits {@link #ROUND_MS} at most, an answer is taken in when it comes, and
 * one that has failed is left alone for a while. Thread-safe; time is passed in.
 */
final class NodeRounds {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRounds.class);

  /** So long a round waits for answers. */
  private static final long ROUND_MS = 2_000;

  /** A node that has failed is asked again after this time. */
  static final long FAILED_MS = 15_000;

  private static final int MAX_NODES = 1 << 17;

  private final Executor executor;
  private final Set<String> busy = ConcurrentHashMap.newKeySet();
  private final GrowingPauses<String> failed = new GrowingPauses<>(FAILED_MS, FAILED_MS, MAX_NODES);

  /** What a node is asked. */
  interface Question {
    PeerAddress peer();
  }

  /**
   * @param executor asks; may run a task at once
   */
  NodeRounds(Executor executor) {
    this.executor = executor;
  }

  /** Whether a node has failed a moment ago. */
  boolean isPaused(PeerAddress peer, long nowMs) {
    return failed.isPaused(peer.nodeUuid(), nowMs);
  }

  /**
   * A node is to be asked in this round.
   *
   * @return false: it has a question still
   */
  boolean begin(PeerAddress peer) {
    return busy.add(peer.nodeUuid());
  }

  void succeeded(PeerAddress peer) {
    failed.succeeded(peer.nodeUuid());
  }

  void failed(PeerAddress peer, long nowMs) {
    failed.failed(peer.nodeUuid(), nowMs);
  }

  /** Asks nodes that were {@link #begin}ed, and waits a moment for the answers. */
  <Q extends Question> void ask(List<Q> questions, Consumer<Q> call) {
    CountDownLatch open = new CountDownLatch(questions.size());
    for (Q question : questions) {
      try {
        executor.execute(
            () -> {
              try {
                call.accept(question);
              } finally {
                ended(question, open);
              }
            });
      } catch (RejectedExecutionException e) {
        // The manager stops.
        ended(question, open);
      }
    }
    try {
      if (!open.await(ROUND_MS, TimeUnit.MILLISECONDS)) {
        LOG.info("Rows of {} nodes are still awaited", open.getCount());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void ended(Question question, CountDownLatch open) {
    busy.remove(question.peer().nodeUuid());
    open.countDown();
  }

  /** Forgets who has failed. */
  void clear() {
    failed.clear();
  }
}
