/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hdfsparity.core.store.ByteStore;
import io.hdfsparity.core.store.CrashableByteStore;
import io.hdfsparity.core.store.FaultyByteStore;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.DurableSlot;
import io.hdfsparity.ecupdate.ajx.LogRecord;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Forces shared by many, a full log that waits and goes on, and a store that fails. */
@Timeout(600)
class GroupCommitTest {
  private static final SlotKey SLOT = new SlotKey(LogModel.replica(0), 0);
  private static final ChangeBounds BOUNDS = new ChangeBounds(600, 64);

  /** Forces wait until they are let through, and are counted. */
  private static final class GatedStore implements ByteStore {
    private final ByteStore delegate;
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch gate = new CountDownLatch(1);
    volatile boolean isGated;
    int syncs;

    GatedStore(ByteStore delegate) {
      this.delegate = delegate;
    }

    @Override
    public long sizeBytes() {
      return delegate.sizeBytes();
    }

    @Override
    public void read(long offset, ByteBuffer dst) throws IOException {
      delegate.read(offset, dst);
    }

    @Override
    public void write(long offset, ByteBuffer src) throws IOException {
      delegate.write(offset, src);
    }

    @Override
    public void sync(long offset, long lengthBytes) throws IOException {
      if (isGated) {
        syncs++;
        entered.countDown();
        try {
          gate.await();
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      delegate.sync(offset, lengthBytes);
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }

  private static CrashableByteStore store() {
    return CrashableByteStore.of(LogModel.formatted(), 8, new Random(1));
  }

  private static UpdateLog open(ByteStore store) throws IOException {
    return UpdateLog.open(store, LogModel.OWNER, LogModel.OPTIONS).log();
  }

  private static LogRecord added(int number) {
    return new LogRecord.Added(new Patch(0, Bytes.zeros(64)), List.of(new Tid(number, number, 0)));
  }

  private static long append(UpdateLog log, int number) throws IOException, InterruptedException {
    try (LogRoom room = log.reserve(BOUNDS)) {
      return log.append(room, SLOT, added(number));
    }
  }

  @Test
  void thoseWhoComeDuringAForceShareTheNext() throws Exception {
    GatedStore store = new GatedStore(store());
    UpdateLog log = open(store);
    store.isGated = true;
    ExecutorService pool = Executors.newFixedThreadPool(8);
    try (GroupCommitter committer = GroupCommitter.start(log, "committer", 60_000, e -> {})) {
      long first = append(log, 0);
      store.entered.await();
      CompletableFuture<Void> firstDurable = log.whenDurable(first);
      List<Future<Long>> others = new ArrayList<>();
      for (int i = 1; i <= 8; i++) {
        int number = i;
        others.add(pool.submit(() -> append(log, number)));
      }
      List<CompletableFuture<Void>> durable = new ArrayList<>();
      for (Future<Long> other : others) {
        durable.add(log.whenDurable(other.get()));
      }
      assertThat(log.lastSequence(SLOT)).isEqualTo(9);
      assertThat(log.durableSequence()).isZero();
      assertThat(firstDurable).isNotDone();
      assertThat(durable).noneMatch(CompletableFuture::isDone);
      store.gate.countDown();
      for (CompletableFuture<Void> other : durable) {
        other.get();
      }
      assertThat(firstDurable).isDone();
      assertThat(store.syncs).isEqualTo(2);
      assertThat(committer).isNotNull();
    } finally {
      pool.shutdownNow();
    }
  }

  @Test
  void aFullLogWaitsAndGoesOn() throws Exception {
    CrashableByteStore store = store();
    UpdateLog log = open(store);
    int total = 100;
    AtomicReference<Integer> done = new AtomicReference<>(0);
    ExecutorService pool = Executors.newFixedThreadPool(1);
    try (GroupCommitter committer = GroupCommitter.start(log, "committer", 60_000, e -> {})) {
      Future<?> writer =
          pool.submit(
              () -> {
                for (int i = 0; i < total; i++) {
                  append(log, i);
                  done.set(i + 1);
                }
                return null;
              });
      int rounds = 0;
      while (!writer.isDone()) {
        if (log.waitingForRoom() == 0) {
          Thread.onSpinWait();
          continue;
        }
        rounds++;
        makeRoom(log);
      }
      writer.get();
      assertThat(rounds).isPositive();
      assertThat(done.get()).isEqualTo(total);
      assertThat(committer).isNotNull();
    } finally {
      pool.shutdownNow();
    }
    UpdateLog.Opened again = UpdateLog.open(store, LogModel.OWNER, LogModel.OPTIONS);
    // Whether something is still used depends on when room was made last.
    assertThat(again.log().durableSequence()).isGreaterThanOrEqualTo(total);
  }

  private static void makeRoom(UpdateLog log) throws IOException {
    log.commitGroup();
    long upTo = log.durableSequence();
    for (ReplicaKey replica : log.holdouts(Long.MAX_VALUE / 2).toApply()) {
      log.fold(replica, upTo, List.of(new Patch(0, Bytes.zeros(64))));
      log.commitGroup();
      log.applied(replica, upTo);
    }
    log.homed(SLOT, log.durableSequence());
    log.truncate();
  }

  @Test
  void whatCanNeverFitIsRefusedAndNotWaitedFor() throws Exception {
    UpdateLog log = open(store());
    assertThatThrownBy(() -> log.reserve(new ChangeBounds(4000, 64)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maxRecordBytes=2048");
    assertThat(log.waitingForRoom()).isZero();
  }

  @Test
  void aForceThatFailsIsToldToAllAndNeverTriedAgain() throws Exception {
    CrashableByteStore disk = store();
    FaultyByteStore store = new FaultyByteStore(disk, new Random(1));
    UpdateLog log = open(store);
    append(log, 1);
    log.commitGroup();
    store.plan(FaultyByteStore.Operation.SYNC, FaultyByteStore.Fault.FAIL, 1);
    CompletableFuture<Void> durable = log.whenDurable(append(log, 2));
    assertThatThrownBy(log::commitGroup).isInstanceOf(LogFailedException.class);
    assertThatThrownBy(() -> durable.get(1, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(LogFailedException.class);
    assertThatThrownBy(() -> append(log, 3)).isInstanceOf(LogFailedException.class);
    assertThatThrownBy(log::commitGroup).isInstanceOf(LogFailedException.class);
    assertThatThrownBy(() -> log.snapshot(SLOT, DurableSlot.untouched()))
        .isInstanceOf(LogFailedException.class);
    assertThat(log.durableSequence()).isEqualTo(1);
    log.close();
    assertThat(open(disk).durableSequence()).isBetween(1L, 2L);
  }

  @Test
  void stepsOutOfOrderAreRefused() throws Exception {
    UpdateLog log = open(store());
    long first = append(log, 1);
    List<Patch> bytes = List.of(new Patch(0, Bytes.zeros(64)));
    assertThatThrownBy(() -> log.fold(SLOT.replica(), first, bytes))
        .hasMessageContaining("durable up to 0");
    assertThatThrownBy(() -> log.homed(SLOT, first)).hasMessageContaining("durable up to 0");
    log.commitGroup();
    log.fold(SLOT.replica(), first, bytes);
    assertThatThrownBy(() -> log.applied(SLOT.replica(), first))
        .hasMessageContaining("a durable fold");
    long second = append(log, 2);
    log.commitGroup();
    assertThatThrownBy(() -> log.fold(SLOT.replica(), second, bytes))
        .hasMessageContaining("is applied before");
    assertThat(log.truncate()).isZero();
    log.applied(SLOT.replica(), first);
    assertThat(log.truncate()).as("the slot's state is only here").isZero();
    log.homed(SLOT, first);
    assertThat(log.truncate()).isPositive();
  }

  @Test
  void aWholeRecordOfATornGroupNeverFollowsANewOne() throws Exception {
    CrashableByteStore store = store();
    UpdateLog log = open(store);
    append(log, 1);
    log.commitGroup();
    long torn = LogHead.RING_OFFSET + log.usedBytes();
    append(log, 2);
    append(log, 3);
    log.commitGroup();
    store.write(torn, ByteBuffer.allocate(8)); // as if 3 had got to the disk before 2
    UpdateLog.Opened next = UpdateLog.open(store, LogModel.OWNER, LogModel.OPTIONS);
    assertThat(next.log().durableSequence()).isEqualTo(1);
    assertThat(next.recovered().isTorn()).isTrue();
    append(next.log(), 4);
    next.log().commitGroup();
    assertThat(open(store).durableSequence()).isEqualTo(2);
  }

  @Test
  void theHeadMovesOnlyWhenTheSnapshotIsDurable() throws Exception {
    for (int seed = 0; seed < 20; seed++) {
      CrashableByteStore store = CrashableByteStore.of(LogModel.formatted(), 8, new Random(seed));
      UpdateLog log = open(store);
      long change = append(log, 1);
      log.commitGroup();
      log.fold(SLOT.replica(), change, List.of(new Patch(0, Bytes.zeros(64))));
      log.commitGroup();
      log.applied(SLOT.replica(), change);
      DurableSlot state = DurableSlot.untouched().after(List.of(added(1)));
      log.snapshot(SLOT, state);
      assertThat(log.truncate()).isPositive();
      Recovered.Replica replica =
          UpdateLog.open(store.crash().reopen(), LogModel.OWNER, LogModel.OPTIONS)
              .recovered()
              .replicas()
              .get(SLOT.replica());
      assertThat(replica).isNotNull();
      assertThat(replica.slots()).containsKey(SLOT);
      assertThat(replica.slots().get(SLOT).durable(DurableSlot.untouched(), 0)).isEqualTo(state);
    }
  }
}
