/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An updater is closed while garbage is being collected: it leaves nothing unfinished. */
@Timeout(60)
class CloseWhileCollectingTest extends UpdaterFixture {
  /** Holds each half of a round back until it is released. */
  private static final class Held implements NodeCalls {
    final NodeCalls calls;
    final CountDownLatch begun = new CountDownLatch(1);
    final CompletableFuture<Void> begins = new CompletableFuture<>();
    final CountDownLatch taken = new CountDownLatch(1);
    final CompletableFuture<Void> ends = new CompletableFuture<>();

    Held(NodeCalls calls) {
      this.calls = calls;
    }

    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      if (request instanceof Request.GcOld) {
        begun.countDown();
        begins.thenRun(() -> calls.call(node, slot, request, listener));
      } else if (request instanceof Request.GcRecent) {
        taken.countDown();
        ends.thenRun(() -> calls.call(node, slot, request, listener));
      } else {
        calls.call(node, slot, request, listener);
      }
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {
      calls.giveUp(node, replica);
    }
  }

  /** Keeps what an updater says that it has left. */
  private static final class Left extends TestSession {
    final List<Set<Integer>> unfinished = new CopyOnWriteArrayList<>();

    Left(FileCluster cluster) {
      super(cluster);
    }

    @Override
    public void leave(Set<Integer> groups) {
      unfinished.add(groups);
    }
  }

  @Test
  void nothingIsLeftOnNodes() throws Exception {
    start("PLR");
    Left session = new Left(cluster);
    Held held = new Held(calls);
    StripedFileUpdater updater = StripedFileUpdater.open(session, held, options(0, 30_000));
    while (held.begun.getCount() > 0) {
      updater.write(0, ByteBuffer.wrap(some(60)));
    }
    held.begins.complete(null);
    held.taken.await(); // all that was written
    CompletableFuture<IOException> failure = new CompletableFuture<>();
    Thread closing =
        new Thread(
            () -> {
              try {
                updater.close();
                failure.complete(null);
              } catch (IOException e) {
                failure.complete(e);
              }
            });
    closing.start();
    await("it waits for the round that is under way")
        .until(
            () ->
                closing.getState() == Thread.State.TIMED_WAITING
                    || closing.getState() == Thread.State.WAITING);
    held.ends.complete(null);
    assertThat(failure.get()).isNull();
    assertThat(session.unfinished).containsExactly(Set.of());
  }
}
