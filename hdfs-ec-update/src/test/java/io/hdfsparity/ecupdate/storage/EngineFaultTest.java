/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import static io.hdfsparity.ecupdate.storage.TwoReplicas.DATA;
import static io.hdfsparity.ecupdate.storage.TwoReplicas.PARITY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.OpMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One thing goes wrong at a time, at every place where it can: a replica is given up, the process
 * is killed, memory runs out, a thread is interrupted. {@link EngineCrashTest} mixes them.
 */
@Timeout(600)
class EngineFaultTest {
  private static final SlotKey DATA_SLOT = new SlotKey(DATA, 0);
  private static final SlotKey PARITY_SLOT = new SlotKey(PARITY, 0);
  private static final LockId LOCK = new LockId(5, 1);

  private TestDisk disk;
  private BlockEngine engine;
  private long tids;

  private void open(String scheme, long seed) throws Exception {
    disk = TwoReplicas.disk(scheme, new Random(seed));
    engine = disk.openEngine();
  }

  private void reopen() throws Exception {
    disk = disk.reopen();
    engine = disk.openEngine();
  }

  private Reply ask(SlotKey slot, Request request) throws Exception {
    return TwoReplicas.ask(engine, slot, request);
  }

  private static Patch patch(int value) {
    return TwoReplicas.patch(0, value);
  }

  private Request.Swap swap(int value) {
    return new Request.Swap(patch(value), new Tid(1, ++tids, 0));
  }

  private void add(int value) throws Exception {
    long epoch = engine.durable(PARITY_SLOT).epoch();
    Request add =
        new Request.Add(
            patch(value), Request.Scaling.BY_CLIENT, new Tid(1, ++tids, 0), null, epoch);
    assertThat(((Reply.AddReply) ask(PARITY_SLOT, add)).status()).isEqualTo(Reply.AddStatus.OK);
  }

  private void recover(SlotKey slot, int value) throws Exception {
    byte[] cell = new byte[TestDisk.CELL_BYTES];
    Arrays.fill(cell, (byte) value);
    long epoch = engine.durable(slot).epoch() + 1;
    ask(slot, new Request.TryLock(LockMode.L1, LOCK));
    ask(slot, new Request.Reconstruct(Set.of(0, 1), Bytes.wrap(cell), epoch, LOCK));
    ask(slot, new Request.FinalizeRecovery(epoch, Request.LockAfter.RELEASED, LOCK));
  }

  private int read(ReplicaKey key) throws Exception {
    return TwoReplicas.read(engine, key, 0);
  }

  /** A crash before the file is deleted leaves it there; it must not be taken for sound. */
  @ParameterizedTest
  @ValueSource(strings = {"FO", "FL"})
  void aReplicaThatIsDroppedKeepsAllItsChangesOrCountsAsGarbage(String scheme) throws Exception {
    int gone = 0;
    int there = 0;
    boolean isOver = false;
    for (int cut = 1; !isOver; cut++) {
      open(scheme, cut);
      ask(DATA_SLOT, swap(3));
      disk.stopAtChange(cut, cut % 2 == 0);
      try {
        engine.dropped(DATA);
        isOver = true;
      } catch (EngineFailedException e) {
        assertThat(disk.isDown()).isTrue();
      }
      if (!disk.isDown()) {
        disk.store().crash();
      }
      reopen();
      if (engine.durable(DATA_SLOT).equals(DurableSlot.remapped())) {
        gone++;
        assertThatThrownBy(() -> read(DATA)).hasMessageContaining("opMode=INIT");
      } else {
        there++;
        assertThat(read(DATA)).as("cut %d", cut).isEqualTo(3);
      }
    }
    assertThat(gone).isPositive();
    assertThat(there).isPositive();
  }

  @Test
  void aReplicaThatIsDroppedIsGarbageAtOnce() throws Exception {
    open("FL", 1);
    ask(DATA_SLOT, swap(3));
    PinnedReader before = engine.openReader(DATA);
    engine.dropped(DATA);
    assertThat(engine.durable(DATA_SLOT).opMode()).isEqualTo(OpMode.INIT);
    assertThatThrownBy(() -> before.read(0, 1)).hasMessageContaining("was released");
    before.close();
  }

  @Test
  void aDropWaitsForRequestsThatAreUnderWay() throws Exception {
    open("FL", 1);
    CountDownLatch isReading = new CountDownLatch(1);
    CountDownLatch mayRead = new CountDownLatch(1);
    disk.hook(
        call -> {
          if (call.equals("read")) {
            isReading.countDown();
            awaitUninterruptibly(mayRead);
          }
        });
    CompletableFuture<Object> swapping = new CompletableFuture<>();
    Thread writer = start(swapping, () -> engine.handle(DATA_SLOT, swap(3)));
    assertThat(isReading.await(120, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Object> dropping = new CompletableFuture<>();
    Thread dropper =
        start(
            dropping,
            () -> {
              engine.dropped(DATA);
              return "done";
            });
    await().until(() -> dropping.isDone() || dropper.getState() == Thread.State.WAITING);
    mayRead.countDown();
    swapping.get(120, TimeUnit.SECONDS);
    dropping.get(120, TimeUnit.SECONDS);
    writer.join();
    dropper.join();
    engine.log().commitGroup();
    assertThat(engine.log().holdouts(Long.MAX_VALUE / 2).toApply())
        .as("nobody would ever fold them")
        .isEmpty();
  }

  /** Else the next engine of the log would have its file changed by this one. */
  @ParameterizedTest
  @ValueSource(strings = {"write", "force", "writeState"})
  void aCloseWaitsForWhoeverIsAtTheFilesOfAReplica(String call) throws Exception {
    open("FL", 1);
    ask(DATA_SLOT, swap(3));
    CountDownLatch isHanging = new CountDownLatch(1);
    CountDownLatch diskAnswers = new CountDownLatch(1);
    disk.hook(
        each -> {
          if (each.equals(call)) {
            isHanging.countDown();
            awaitUninterruptibly(diskAnswers);
          }
        });
    CompletableFuture<Object> working = new CompletableFuture<>();
    Thread worker =
        start(
            working,
            () -> {
              if (call.equals("writeState")) {
                engine.arrived(DATA);
              } else {
                engine.merge(DATA);
              }
              return "done";
            });
    assertThat(isHanging.await(120, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Object> closing = new CompletableFuture<>();
    Thread closer =
        start(
            closing,
            () -> {
              engine.close();
              return "done";
            });
    await().until(() -> closing.isDone() || closer.getState() == Thread.State.WAITING);
    assertThat(closing).isNotDone();
    diskAnswers.countDown();
    closing.get(120, TimeUnit.SECONDS);
    AtomicInteger late = new AtomicInteger();
    disk.hook(each -> late.incrementAndGet());
    worker.join();
    closer.join();
    assertThat(working).isDone();
    assertThatThrownBy(() -> engine.merge(DATA)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> engine.merge(PARITY)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> engine.convert(DATA, "FO")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> engine.arrived(DATA)).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> engine.handle(DATA_SLOT, swap(4))).isInstanceOf(IOException.class);
    assertThat(late).as("calls of the store after the close").hasValue(0);
    disk.hook(each -> {});
    reopen();
    if (!call.equals("writeState")) {
      assertThat(read(DATA)).isEqualTo(3);
    }
  }

  /** Something that ends with a value. */
  private interface Task {
    Object run() throws Exception;
  }

  private static Thread start(CompletableFuture<Object> result, Task task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(task.run());
              } catch (Exception | Error e) {
                result.completeExceptionally(e);
              }
            });
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private static void awaitUninterruptibly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Records in the page cache count, and the log forgets their changes: they have to be forced. */
  @Test
  void deltasThatAKilledProcessHasWrittenOutliveACrash() throws Exception {
    boolean isOver = false;
    for (int cut = 1; !isOver; cut++) {
      for (int seed = 0; seed < 10; seed++) {
        open("PLR", 100L * cut + seed);
        add(3);
        engine.drainAll();
        add(5);
        disk.stopAtChange(cut, true);
        isOver = !isKilledWhile(() -> engine.drainAll());
        reopen();
        assertThat(read(PARITY)).isEqualTo(3 ^ 5);
        forget();
        disk.store().crash();
        reopen();
        assertThat(read(PARITY)).as("cut %d seed %d", cut, seed).isEqualTo(3 ^ 5);
      }
    }
  }

  /** The pages of a force that has failed count as clean: no other force would write them. */
  @Test
  void whatAFailedForceHasLeftOutlivesACrashAfterARestart() throws Exception {
    for (String scheme : List.of("FO", "PLR")) {
      boolean isOver = false;
      for (int change = 1; !isOver; change++) {
        for (int seed = 0; seed < 5; seed++) {
          open(scheme, 100L * change + seed);
          add(3);
          engine.drainAll();
          engine.merge(PARITY);
          add(5);
          engine.drainAll();
          disk.store().failSyncFrom(change);
          isOver =
              !isStoppedWhile(
                  () -> {
                    add(6);
                    engine.drainAll();
                    engine.merge(PARITY);
                    forget();
                  });
          if (isOver) {
            continue;
          }
          disk.kill();
          reopen();
          int found = read(PARITY);
          assertThat(found).as("the last one may have been refused").isIn(3 ^ 5, 3 ^ 5 ^ 6);
          add(8);
          engine.drainAll();
          forget();
          disk.store().crash();
          reopen();
          assertThat(read(PARITY))
              .as("%s change %d seed %d", scheme, change, seed)
              .isEqualTo(found ^ 8);
        }
      }
    }
  }

  private boolean isStoppedWhile(Step step) throws Exception {
    try {
      step.run();
      return false;
    } catch (IOException | ExecutionException e) {
      assertThat(disk.store().hasSyncFailed()).isTrue();
      return true;
    }
  }

  /** As a process without file descriptors does: it says nothing about what is in the files. */
  @Test
  void aReplicaThatCannotBeOpenedOnceIsOpenedLater() throws Exception {
    open("PLR", 1);
    disk.hook(
        call -> {
          if (call.equals("layout")) {
            throw new IOException("Too many open files");
          }
        });
    assertThatThrownBy(() -> read(PARITY)).hasMessageContaining("Too many open files");
    disk.hook(call -> {});
    add(3);
    assertThat(read(PARITY)).isEqualTo(3);
  }

  /** Until the log has nothing that is elsewhere. */
  private void forget() throws IOException {
    long freed = 1;
    while (freed > 0) {
      freed = engine.makeRoom();
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private boolean isKilledWhile(Step step) throws Exception {
    try {
      step.run();
    } catch (EngineFailedException e) {
      assertThat(disk.isDown()).isTrue();
      return true;
    }
    return false;
  }

  @Test
  void aReaderNeverSeesWhatWasGarbageWhenItWasOpened() throws Exception {
    open("FL", 1);
    disk.scramble(DATA, new Random(1));
    engine.arrived(DATA);
    try (PinnedReader reader = engine.openReader(DATA)) {
      recover(DATA_SLOT, 7);
      assertThatThrownBy(() -> reader.read(0, 1)).hasMessageContaining("opMode=INIT");
      engine.merge(DATA);
      assertThatThrownBy(() -> reader.read(0, 1)).hasMessageContaining("opMode=INIT");
    }
    assertThat(read(DATA)).isEqualTo(7);
    try (PinnedReader reader = engine.openReader(DATA)) {
      assertThatThrownBy(() -> reader.read(TestDisk.CELL_BYTES - 1, 2))
          .hasMessageContaining("stripe=1");
    }
  }

  /** The area beside the replica may be that of the copy before, with records of the same log. */
  @Test
  void deltasOfAnEarlierCopyDoNotCount() throws Exception {
    boolean isOver = false;
    for (int cut = 1; !isOver; cut++) {
      open("PLR", cut);
      add(64);
      engine.drainAll();
      disk.scramble(PARITY, new Random(cut));
      engine.arrived(PARITY);
      recover(PARITY_SLOT, 16);
      engine.merge(PARITY);
      forget();
      add(5);
      disk.stopAtChange(cut, cut % 2 == 0);
      isOver = !isKilledWhile(() -> engine.drainAll());
      if (!disk.isDown()) {
        disk.store().crash();
      }
      reopen();
      assertThat(read(PARITY)).as("cut %d", cut).isEqualTo(16 ^ 5);
    }
  }

  /** At every call of the store in the middle of a swap, from its check to the overlay. */
  @Test
  void anErrorInTheMiddleOfARequestLeavesAllOfItOrNothing() throws Exception {
    int stops = 0;
    int calls = 0;
    for (boolean isOver = false; !isOver; ) {
      open("FL", 1);
      ask(DATA_SLOT, swap(3));
      disk.failAtCall(++calls);
      Request.Swap swap = swap(4);
      try {
        ask(DATA_SLOT, swap);
        isOver = true;
      } catch (TestDisk.InjectedError e) {
        assertThat(engine.hasFailed()).isFalse();
      } catch (EngineFailedException e) {
        stops++;
        disk.hook(call -> {});
        assertThatThrownBy(() -> ask(DATA_SLOT, swap)).isInstanceOf(EngineFailedException.class);
        assertThatThrownBy(() -> engine.openReader(DATA)).isInstanceOf(EngineFailedException.class);
        disk.kill();
        reopen();
      }
      disk.hook(call -> {});
      boolean isThere = engine.durable(DATA_SLOT).recentList().contains(swap.ntid());
      assertThat(read(DATA)).as("call %d", calls).isEqualTo(isThere ? 4 : 3);
      Reply.SwapReply again = (Reply.SwapReply) ask(DATA_SLOT, swap);
      assertThat(again.previous()).isEqualTo(patch(3).bytes());
      assertThat(read(DATA)).isEqualTo(4);
    }
    assertThat(stops).as("in the machine, and between the log and the overlay").isGreaterThan(1);
  }

  @Test
  void anErrorInTheThreadThatMovesChangesStopsTheEngine() throws Exception {
    open("FO", 1);
    disk.hook(
        call -> {
          if (call.equals("force")) {
            throw new TestDisk.InjectedError(call);
          }
        });
    AtomicReference<IOException> notified = new AtomicReference<>();
    EngineThreads threads = EngineThreads.start(engine, "faulty", notified::set);
    engine.handle(DATA_SLOT, swap(3)).get(120, TimeUnit.SECONDS);
    await().until(() -> notified.get() != null);
    assertThat(notified.get()).hasRootCauseInstanceOf(TestDisk.InjectedError.class);
    assertThatThrownBy(() -> engine.handle(DATA_SLOT, swap(4)))
        .isInstanceOf(EngineFailedException.class);
    threads.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"mover", "committer"})
  void aThreadThatEndsStopsTheEngine(String which) throws Exception {
    open("FO", 1);
    AtomicReference<IOException> notified = new AtomicReference<>();
    EngineThreads threads = EngineThreads.start(engine, "engine-" + which, notified::set);
    Thread thread =
        Thread.getAllStackTraces().keySet().stream()
            .filter(each -> each.getName().equals("engine-" + which + "-" + which))
            .findFirst()
            .orElseThrow();
    thread.interrupt();
    await().until(() -> notified.get() != null);
    assertThatThrownBy(() -> engine.handle(DATA_SLOT, swap(4)))
        .isInstanceOf(EngineFailedException.class);
    threads.close();
  }

  /** A reader keeps the log from being cut, and copies come and go meanwhile. */
  @Test
  void copiesMayArriveHoweverFullTheLogIs() throws Exception {
    open("FL", 1);
    PinnedReader reader = engine.openReader(DATA);
    ask(DATA_SLOT, swap(3));
    while (!engine.wouldWait(PARITY_SLOT, new Request.TryLock(LockMode.L1, LOCK))) {
      ask(PARITY_SLOT, new Request.TryLock(LockMode.L1, LOCK));
      for (int arrival = 0; arrival < 20; arrival++) {
        engine.arrived(PARITY);
      }
      assertThat(engine.durable(PARITY_SLOT)).isEqualTo(DurableSlot.remapped());
    }
    engine.dropped(PARITY);
    reader.close();
    engine.merge(DATA);
    engine.makeRoom();
    assertThat(engine.wouldWait(PARITY_SLOT, new Request.TryLock(LockMode.L1, LOCK))).isFalse();
    assertThat(read(DATA)).isEqualTo(3);
  }

  @Test
  void whatMakesNoSenseIsRefusedAndNothingStops() throws Exception {
    open("FL", 1);
    assertThatThrownBy(() -> engine.handle(new SlotKey(DATA, -1), new Request.Probe()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("stripe=-1");
    assertThatThrownBy(() -> engine.handle(DATA_SLOT, new Request.Read(60, Integer.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("offset=60");
    ask(DATA_SLOT, swap(3));
    assertThat(read(DATA)).isEqualTo(3);
  }
}
