/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.raidp.lstor.SlotEntry;
import io.hdfsparity.raidp.wire.message.PeerAddress;
import io.hdfsparity.raidp.wire.message.ScrubReport;
import io.hdfsparity.raidp.wire.message.ScrubRequest;
import io.hdfsparity.raidp.wire.message.ScrubRequest.Action;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class NodeScrubsTest {
  private static final ScrubRequest ALL = new ScrubRequest(Optional.empty(), false, true);

  private final AtomicLong nowMs = new AtomicLong(1_000);
  private final Semaphore mayEnd = new Semaphore(0);
  private final Semaphore entered = new Semaphore(0);
  private final AtomicInteger at = new AtomicInteger();
  private final AtomicInteger most = new AtomicInteger();
  private final Map<String, CountDownLatch> stopped = new ConcurrentHashMap<>();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private volatile String broken = "";
  private volatile String deaf = "";

  /** Nodes that scrub until they may end, or are stopped; each is a quarter through. */
  private final FsckPeers peers =
      new FsckPeers() {
        @Override
        public ScrubReport scrub(PeerAddress peer, ScrubRequest request) throws IOException {
          CountDownLatch stop =
              stopped.computeIfAbsent(peer.nodeUuid(), u -> new CountDownLatch(1));
          if (request.action() == Action.WATCH) {
            return new ScrubReport(25, 0, 0, List.of(), 1, 4);
          }
          if (request.action() == Action.STOP) {
            stop.countDown();
            return new ScrubReport(25, 0, 0, List.of(), 1, 4);
          }
          asked.add(peer.nodeUuid());
          most.accumulateAndGet(at.incrementAndGet(), Math::max);
          entered.release();
          try {
            while (!mayEnd.tryAcquire(1, TimeUnit.MILLISECONDS)) {
              if (stop.getCount() == 0 && !deaf.equals(peer.nodeUuid())) {
                throw new InterruptedIOException("stopped");
              }
            }
          } catch (InterruptedException e) {
            throw new IOException(e);
          } finally {
            at.decrementAndGet();
          }
          if (broken.equals(peer.nodeUuid())) {
            throw new IOException("connection refused");
          }
          return new ScrubReport(100, 1, 1, List.of(), 4, 4);
        }

        @Override
        public List<SlotEntry> entries(PeerAddress peer, String storageId, OptionalLong id) {
          throw new UnsupportedOperationException("no rows are listed by a scrub");
        }
      };

  private static Map<String, NodeState> nodes(int count) {
    Map<String, NodeState> nodes = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      nodes.put(
          "n" + i,
          new NodeState(
              Reports.node("n" + i, Reports.spare("s" + i, 0)), 0, NodeState.Silence.NONE));
    }
    return nodes;
  }

  private CompletableFuture<List<NodeScrubs.Answer>> start(NodeScrubs scrubs, int count) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return scrubs.run(nodes(count), ALL);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void soManyNodesReadAtOnceAndNotMore() throws Exception {
    NodeScrubs scrubs = new NodeScrubs(peers, 3, nowMs::get);
    CompletableFuture<List<NodeScrubs.Answer>> run = start(scrubs, 8);
    entered.acquire(3);
    mayEnd.release(8);
    List<NodeScrubs.Answer> answers = run.get();
    assertThat(answers)
        .extracting(answer -> answer.node().report().nodeUuid())
        .containsExactly("n0", "n1", "n2", "n3", "n4", "n5", "n6", "n7");
    assertThat(most).hasValue(3);
    assertThat(scrubs.progress().fraction()).isEqualTo(1);
    assertThat(scrubs.progress().bytesRead()).isEqualTo(800);
    scrubs.requireRunning();
  }

  @Test
  void progressSaysWhatBusyNodesHaveDoneAndWhenItIsOver() throws Exception {
    NodeScrubs scrubs = new NodeScrubs(peers, 2, nowMs::get);
    assertThat(scrubs.progress().etaMs()).isEqualTo(-1);
    CompletableFuture<List<NodeScrubs.Answer>> run = start(scrubs, 4);
    entered.acquire(2);
    nowMs.addAndGet(1_000);
    NodeScrubs.Progress progress = scrubs.progress();
    assertThat(progress.nodesDone()).isZero();
    assertThat(progress.nodesTotal()).isEqualTo(4);
    assertThat(progress.bytesRead()).isEqualTo(50);
    assertThat(progress.fraction()).as("two of four, a quarter each").isEqualTo(0.125);
    assertThat(progress.etaMs()).isEqualTo(7_000);
    mayEnd.release(4);
    assertThat(run.get()).hasSize(4);
  }

  @Test
  void aStopEndsBusyNodesAndAsksNoOthers() throws Exception {
    NodeScrubs scrubs = new NodeScrubs(peers, 2, nowMs::get);
    CompletableFuture<List<NodeScrubs.Answer>> run = start(scrubs, 6);
    entered.acquire(2);
    scrubs.stop();
    assertThat(run.get()).hasSize(6).allMatch(answer -> answer.report().isEmpty());
    assertThat(asked).hasSize(2);
    assertThatThrownBy(scrubs::requireRunning).hasMessageContaining("stopped by an administrator");
  }

  /** A hung disk holds its scrub, and that does not look whether it is to stop. */
  @Test
  void aStopEndsTheRunThoughANodeDoesNotAnswer() throws Exception {
    deaf = "n0";
    NodeScrubs scrubs = new NodeScrubs(peers, 2, nowMs::get, 1);
    CompletableFuture<List<NodeScrubs.Answer>> run = start(scrubs, 3);
    entered.acquire(2);
    scrubs.stop();
    assertThat(run.get(30, TimeUnit.SECONDS))
        .hasSize(3)
        .allMatch(answer -> answer.report().isEmpty());
    assertThat(run.get().get(0).failure()).isEqualTo("stopped");
    assertThatThrownBy(scrubs::requireRunning).hasMessageContaining("stopped by an administrator");
  }

  @Test
  void aNodeThatFailsIsNamedAndOthersGoOn() throws Exception {
    broken = "n1";
    NodeScrubs scrubs = new NodeScrubs(peers, 2, nowMs::get);
    mayEnd.release(3);
    List<NodeScrubs.Answer> answers = scrubs.run(nodes(3), ALL);
    assertThat(answers)
        .extracting(answer -> answer.report().isPresent())
        .containsExactly(true, false, true);
    assertThat(answers.get(1).failure()).contains("connection refused");
    assertThat(Set.copyOf(asked)).hasSize(3);
  }
}
