/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.patch;
import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends sessions goes past a request that the disk does not answer. */
@Timeout(600)
class HungRequestTest {
  private static final LockId FIRST = new LockId(1L << 32 | 5, 1);
  private static final LockId SECOND = new LockId(2L << 32 | 5, 1);

  private final CountDownLatch reads = new CountDownLatch(1);
  private final CountDownLatch diskAnswers = new CountDownLatch(1);
  private TestDisk disk;
  private BlockEngine engine;

  @BeforeEach
  void start() throws Exception {
    disk = TwoReplicas.disk("FO", new Random(1));
    engine = disk.openEngine();
  }

  @AfterEach
  void stop() throws IOException {
    diskAnswers.countDown();
    engine.close();
  }

  private static SlotKey slot(int stripe) {
    return new SlotKey(DATA, stripe);
  }

  private Reply ask(int stripe, Request request) throws Exception {
    return TwoReplicas.ask(engine, slot(stripe), request);
  }

  private LockMode lockMode(int stripe) throws Exception {
    return ((Reply.ProbeReply) ask(stripe, new Request.Probe())).lockMode();
  }

  /** Asks for the state of the first stripe, which takes a read. */
  private CompletableFuture<Reply> askOneThatHangs() throws Exception {
    disk.hook(
        call -> {
          if (call.equals("read")) {
            reads.countDown();
            try {
              diskAnswers.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        });
    CompletableFuture<Reply> asked = new CompletableFuture<>();
    Thread worker =
        new Thread(
            () -> {
              try {
                asked.complete(engine.handle(slot(0), new Request.GetState(FIRST)).get());
              } catch (IOException | InterruptedException | ExecutionException e) {
                asked.completeExceptionally(e);
              }
            });
    worker.setDaemon(true);
    worker.start();
    reads.await();
    return asked;
  }

  /** Or this fails, and nobody waits for the task any more. */
  private static void withoutWaiting(Runnable task) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Thread doing =
        new Thread(
            () -> {
              task.run();
              done.complete(null);
            });
    doing.setDaemon(true);
    doing.start();
    done.get(60, TimeUnit.SECONDS);
  }

  @Test
  void locksOfOtherSlotsExpireAtOnceAndThoseOfTheSlotBeforeItsNextRequest() throws Exception {
    ask(0, new Request.TryLock(LockMode.L1, FIRST));
    ask(1, new Request.TryLock(LockMode.L1, SECOND));
    CompletableFuture<Reply> hung = askOneThatHangs();
    withoutWaiting(() -> engine.expireLocks(client -> true));
    withoutWaiting(() -> engine.expireLock(slot(0), FIRST));
    withoutWaiting(engine::judgeWaitingAgain);
    assertThat(lockMode(1)).isEqualTo(LockMode.EXP);
    assertThat(hung).isNotDone();
    diskAnswers.countDown();
    assertThat(hung.get(60, TimeUnit.SECONDS)).isInstanceOf(Reply.StateReply.class);
    Reply next = ask(0, new Request.SetLock(LockMode.L0, FIRST));
    assertThat(next).as("it has lost the lock").isNotInstanceOf(Reply.Done.class);
    assertThat(lockMode(0)).isEqualTo(LockMode.EXP);
  }

  @Test
  void receiptsOfOtherSlotsAreForgottenAtOnceAndThoseOfTheSlotLater() throws Exception {
    ask(0, new Request.Swap(patch(0, 1), new Tid(1L << 32, 1, 0)));
    ask(1, new Request.Swap(patch(0, 1), new Tid(2L << 32, 1, 0)));
    ask(0, new Request.TryLock(LockMode.L1, FIRST));
    CompletableFuture<Reply> hung = askOneThatHangs();
    withoutWaiting(() -> engine.receipts().forget(Set.of(1L, 2L)));
    assertThat(engine.receipts().sessions()).containsExactly(1L);
    diskAnswers.countDown();
    hung.get(60, TimeUnit.SECONDS);
    engine.receipts().forget(Set.of(1L, 2L));
    assertThat(engine.receipts().sessions()).isEmpty();
  }

  @Test
  void aHolderThatHasUnlockedMeanwhileLosesNothingOfAnotherOne() throws Exception {
    ask(0, new Request.TryLock(LockMode.L1, FIRST));
    CompletableFuture<Reply> hung = askOneThatHangs();
    withoutWaiting(() -> engine.expireLocks(client -> client >>> 32 == 2));
    diskAnswers.countDown();
    hung.get(60, TimeUnit.SECONDS);
    assertThat(lockMode(0)).as("of the first session").isEqualTo(LockMode.L1);
  }
}
