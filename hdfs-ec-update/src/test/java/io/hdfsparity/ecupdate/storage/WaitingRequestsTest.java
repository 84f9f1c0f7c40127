/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.ask;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.storage.log.ChangePermit;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that wait for room, and are not to be carried out any more. */
@Timeout(600)
class WaitingRequestsTest {
  private static final SlotKey SLOT = new SlotKey(DATA, 0);
  private final AtomicBoolean isWanted = new AtomicBoolean(true);
  private final ChangePermit permit =
      () -> {
        if (!isWanted.get()) {
          throw new IOException("it was taken back");
        }
      };

  private BlockEngine engine;
  private PinnedReader reader;
  private int writes;

  @BeforeEach
  void start() throws Exception {
    engine = TwoReplicas.disk("FO", new Random(1)).openEngine();
    reader = engine.openReader(DATA);
  }

  @AfterEach
  void stop() throws IOException {
    reader.close();
    engine.close();
  }

  private Request.Swap swap(int lengthBytes) {
    writes++;
    return new Request.Swap(patch(0, writes, lengthBytes), new Tid(1, writes, 0));
  }

  /** The reader keeps all of them back. */
  private Request.Swap swapUntilOneWouldWait(int lengthBytes) throws Exception {
    Request.Swap next = swap(lengthBytes);
    while (!engine.wouldWait(SLOT, next)) {
      ask(engine, SLOT, next);
      ask(engine, SLOT, new Request.GcRecent(List.of(next.ntid())));
      ask(engine, SLOT, new Request.GcOld(List.of(next.ntid())));
      next = swap(lengthBytes);
    }
    return next;
  }

  private void isRefusedWithoutATrace(Request.Swap waiting) throws Exception {
    byte[] before = cell();
    CompletableFuture<Reply> asked = new CompletableFuture<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                asked.complete(engine.handle(SLOT, waiting, permit).get());
              } catch (IOException | InterruptedException | ExecutionException e) {
                asked.completeExceptionally(e);
              }
            });
    worker.start();
    await().until(() -> worker.getState() == Thread.State.WAITING);
    engine.judgeWaitingAgain();
    await().until(() -> worker.getState() == Thread.State.WAITING);
    assertThat(asked).as("it is wanted").isNotDone();
    isWanted.set(false);
    engine.judgeWaitingAgain();
    assertThatThrownBy(() -> asked.get(60, TimeUnit.SECONDS))
        .rootCause()
        .hasMessage("it was taken back");
    assertThat(engine.isAwaited()).isFalse();
    assertThat(cell()).isEqualTo(before);
  }

  private byte[] cell() throws Exception {
    try (PinnedReader now = engine.openReader(DATA)) {
      return now.read(0, TestDisk.CELL_BYTES);
    }
  }

  @Test
  void oneThatWaitsForRoomInTheOverlayIsRefused() throws Exception {
    isRefusedWithoutATrace(swapUntilOneWouldWait(TestDisk.CELL_BYTES));
    reader.close();
    engine.merge(DATA);
    isWanted.set(true);
    assertThat(ask(engine, SLOT, swap(8))).isInstanceOf(Reply.SwapReply.class);
  }

  @Test
  void oneThatWaitsForRoomInTheLogIsRefused() throws Exception {
    Request.Swap waiting = swapUntilOneWouldWait(1);
    assertThat(engine.status(DATA).overlayBytes()).as("it is the log").isLessThan(1024);
    isRefusedWithoutATrace(waiting);
  }

  /** Nobody has woken it: the time is over for which a NameNode's answer is good. */
  @Test
  void oneThatHasFoundRoomIsAskedAgain() throws Exception {
    Request.Swap waiting = swapUntilOneWouldWait(TestDisk.CELL_BYTES);
    byte[] before = cell();
    CompletableFuture<Reply> asked = new CompletableFuture<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                asked.complete(engine.handle(SLOT, waiting, permit).get());
              } catch (IOException | InterruptedException | ExecutionException e) {
                asked.completeExceptionally(e);
              }
            });
    worker.start();
    await().until(() -> worker.getState() == Thread.State.WAITING);
    isWanted.set(false);
    reader.close();
    engine.log().commitGroup();
    engine.merge(DATA);
    assertThatThrownBy(() -> asked.get(60, TimeUnit.SECONDS))
        .rootCause()
        .hasMessage("it was taken back");
    assertThat(cell()).isEqualTo(before);
  }
}
