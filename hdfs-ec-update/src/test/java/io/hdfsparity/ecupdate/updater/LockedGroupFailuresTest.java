/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.Reply.StateReply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Units that do not answer, answers that are lost, and locks that expire, while a group is read.
 */
@Timeout(300)
class LockedGroupFailuresTest extends LockedGroupFixture {
  /** For what does not end by itself; no shorter than a machine may stand still. */
  private static final int SHORT_MS = 12_000;

  /** All that has to wait for the end of its time, at once. */
  @Test
  void whatCannotBeReadIsSaidAndLetGo() throws Exception {
    cluster = new FileCluster("FO", new Random(4));
    // More writers died in a stripe than can be made up for.
    for (int unit = 0; unit < 2; unit++) {
      cluster.swapOnly(
          0,
          unit,
          1,
          new Patch(5, Bytes.wrap(new byte[] {9})),
          new Tid((90L + unit) << 32, 1, unit));
    }
    expire(new Slot(0, 0, 1));
    expire(new Slot(0, 1, 4));
    LockedGroupReader died = hold(0, Set.of(2), calls, SHORT_MS);
    // A unit answers no more.
    expire(new Slot(1, 0, 0));
    UnitLocation silent = cluster.locate(1).get(3);
    LockedGroupReader ends =
        hold(1, Set.of(1), new Meddled(calls, fromSecondStateOn(silent)), SHORT_MS);
    // Of a lock nothing is ever heard.
    Slot unsure = new Slot(2, 0, 3);
    LockedGroupReader unheard =
        hold(
            2,
            Set.of(1),
            new Meddled(calls, losing(unsure, Integer.MAX_VALUE, /* isTold= */ false)),
            SHORT_MS);
    Map<Slot, LockMode> ofDied = modes(0, Set.of(2));
    Map<Slot, LockMode> ofEnds = withoutUnit(modes(1, Set.of(1)), 3);
    Map<Slot, LockMode> ofUnheard = modes(2, Set.of(1));
    ofUnheard.put(unsure, LockMode.EXP);

    List<CompletableFuture<byte[]>> reads = List.of(reading(died), reading(ends), reading(unheard));
    assertThatThrownBy(() -> reads.get(0).get())
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("stripe 1 of group 0")
        .hasMessageContaining("writers that end what they have begun");
    assertThatThrownBy(() -> reads.get(1).get())
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("unit=3")
        .hasMessageContaining(silent.node().toString())
        .hasMessageContaining("the network is gone");
    assertThatThrownBy(() -> reads.get(2).get())
        .hasCauseInstanceOf(IOException.class)
        .hasMessageContaining("unit=3");
    assertThatThrownBy(() -> died.read(ByteBuffer.allocate(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("released");
    for (LockedGroupReader each : List.of(died, ends, unheard)) {
      each.close();
      assertThatThrownBy(each::keep).isInstanceOf(IllegalStateException.class);
    }
    // All units were notified, though nobody may have waited for the answer.
    await().until(() -> modes(0, Set.of(2)).equals(ofDied));
    await().until(() -> withoutUnit(modes(1, Set.of(1)), 3).equals(ofEnds));
    await().until(() -> modes(2, Set.of(1)).equals(ofUnheard));
    assertThat(unheard.hasLeftLocks()).as("nobody can know that it was not locked").isTrue();
  }

  private static Meddler fromSecondStateOn(UnitLocation silent) {
    AtomicInteger states = new AtomicInteger();
    return (node, slot, request, listener) -> {
      if (!slot.replica().equals(silent.replica())
          || (request instanceof Request.GetState ? states.incrementAndGet() : states.get()) < 2) {
        return false;
      }
      listener.delayed("the network is gone");
      return true;
    };
  }

  /** Its locks would keep everybody out, for this client is still there. */
  @Test
  void aUnitThatDidNotAnswerForLongIsToldToLetGoWhenItIsBack() throws Exception {
    cluster = new FileCluster("FO", new Random(6));
    UnitLocation away = cluster.locate(0).get(3);
    Meddler silent = fromSecondStateOn(away);
    AtomicBoolean isBack = new AtomicBoolean();
    Meddler losing =
        (node, slot, request, listener) -> {
          NodeCalls.Listener lost =
              new Heard(new CompletableFuture<>()) {
                @Override
                public void delayed(String why) {
                  listener.lost(why);
                }
              };
          return !isBack.get() && silent.takes(node, slot, request, lost);
        };
    LockedGroupReader held =
        hold(0, Set.of(1), new Meddled(calls, losing), /* operationMs= */ 4_000);
    assertThatThrownBy(() -> readAll(held)).hasMessageContaining("the network is gone");
    held.close();
    assertThat(mode(new Slot(0, 0, 3))).isEqualTo(LockMode.L1);
    assertThat(held.hasLeftLocks()).isTrue();
    isBack.set(true);
    await().until(() -> Set.of(LockMode.UNL).containsAll(modes(0, Set.of(1)).values()));
    await().until(() -> !held.hasLeftLocks());
  }

  @Test
  void whereNothingIsAnsweredItIsAskedWhetherToWait() throws Exception {
    cluster = new FileCluster("FO", new Random(7));
    Map<Integer, UnitLocation> places = new TreeMap<>(cluster.locate(0));
    places.remove(1);
    Meddler deaf = (node, slot, request, listener) -> request instanceof Request.TryLock;
    AtomicInteger asked = new AtomicInteger();
    LockWait waiting =
        new LockWait() {
          @Override
          public void checkProgress() throws IOException {
            if (asked.incrementAndGet() == 2) {
              throw new IOException("it is of no use");
            }
          }
        };
    Meddled through = new Meddled(calls, deaf);
    LockedGroupReader held =
        new LockedGroupReader(cluster.layout(), 0, places, through, 77, 4 * LONG_MS, waiting);
    assertThatThrownBy(() -> readAll(held)).hasMessage("it is of no use");
  }

  private static Map<Slot, LockMode> withoutUnit(Map<Slot, LockMode> modes, int unit) {
    Map<Slot, LockMode> others = new HashMap<>(modes);
    others.keySet().removeIf(slot -> slot.unit() == unit);
    return others;
  }

  /** A lock is taken, and the answer comes to nobody, so many times. */
  private Meddler losing(Slot lost, int times, boolean isTold) {
    AtomicInteger left = new AtomicInteger(times);
    SlotKey key = key(lost);
    return (node, slot, request, listener) -> {
      if (!slot.equals(key)
          || !(request instanceof Request.TryLock)
          || left.getAndDecrement() <= 0) {
        return false;
      }
      Heard heard = new Heard(new CompletableFuture<>());
      heard.reply.whenComplete(
          (reply, e) -> {
            if (isTold) {
              listener.lost("the answer was lost");
            }
          });
      calls.call(node, slot, request, heard);
      return true;
    };
  }

  @Test
  void aLockWhoseAnswerIsLostIsAskedForAgain() throws Exception {
    cluster = new FileCluster("FO", new Random(7));
    for (boolean isExpired : new boolean[] {false, true}) {
      Slot slot = new Slot(0, 1, 2);
      if (isExpired) {
        expire(slot);
      }
      Map<Slot, LockMode> before = modes(0, Set.of(1));
      Meddler meddler = losing(slot, 2, /* isTold= */ true);
      try (LockedGroupReader held = hold(0, Set.of(1), new Meddled(calls, meddler), LONG_MS)) {
        assertThat(readAll(held)).isEqualTo(ofGroup(cluster.initial(), 0));
      }
      assertThat(modes(0, Set.of(1))).isEqualTo(before);
    }
  }

  @Test
  void whoIsInterruptedWhileHeLocksLetsGoOfThatLockToo() throws Exception {
    cluster = new FileCluster("FO", new Random(9));
    Slot slot = new Slot(0, 1, 2);
    expire(new Slot(0, 1, 0));
    Map<Slot, LockMode> before = modes(0, Set.of(1));
    CompletableFuture<Runnable> answer = new CompletableFuture<>();
    SlotKey key = key(slot);
    Meddler meddler =
        (node, at, request, listener) -> {
          if (!at.equals(key) || !(request instanceof Request.TryLock)) {
            return false;
          }
          Heard heard = new Heard(new CompletableFuture<>());
          heard.reply.thenAccept(reply -> answer.complete(() -> listener.answered(reply)));
          calls.call(node, at, request, heard);
          return true;
        };
    LockedGroupReader held = hold(0, Set.of(1), new Meddled(calls, meddler), LONG_MS);
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    AtomicBoolean isInterrupted = new AtomicBoolean();
    Thread reader =
        new Thread(
            () -> {
              try {
                readAll(held);
              } catch (IOException | RuntimeException | Error e) {
                thrown.set(e);
              }
              answer.join().run();
              try {
                held.close();
              } catch (IOException e) {
                thrown.get().addSuppressed(e);
              }
              isInterrupted.set(Thread.currentThread().isInterrupted());
            });
    reader.start();
    answer.get();
    reader.interrupt();
    reader.join();
    assertThat(thrown.get()).isInstanceOf(InterruptedIOException.class).hasNoSuppressedExceptions();
    assertThat(isInterrupted).isTrue();
    await().until(() -> modes(0, Set.of(1)).equals(before));
  }

  @Test
  void aLockThatExpiresBeforeItsStateIsReadIsTakenAgain() throws Exception {
    cluster = new FileCluster("FO", new Random(10));
    Slot slot = new Slot(0, 1, 3);
    Map<Slot, LockMode> before = modes(0, Set.of(1));
    SlotKey key = key(slot);
    AtomicBoolean isDone = new AtomicBoolean();
    Meddler meddler =
        (node, at, request, listener) -> {
          if (at.equals(key)
              && request instanceof Request.GetState state
              && isDone.compareAndSet(false, true)) {
            Heard expired = new Heard(new CompletableFuture<>());
            expired.reply.thenRun(() -> calls.call(node, at, request, listener));
            calls.call(node, at, new Request.SetLock(LockMode.EXP, state.caller()), expired);
            return true;
          }
          return false;
        };
    try (LockedGroupReader held = hold(0, Set.of(1), new Meddled(calls, meddler), LONG_MS)) {
      assertThat(readAll(held)).isEqualTo(ofGroup(cluster.initial(), 0));
      assertThat(isDone).isTrue();
      assertThat(modes(0, Set.of(1)).values()).containsOnly(LockMode.L1);
    }
    before.put(slot, LockMode.EXP);
    assertThat(modes(0, Set.of(1))).isEqualTo(before);
  }

  /**
   * A recovery has crashed that had written one block, and two nodes with it. What it was computed
   * from is noted there: an add that came to a part of these would leave a stripe that nobody can
   * recover, with all nodes back.
   */
  @Test
  void parityIsNotWeakenedWhereARecoveryHasBegunToWrite() throws Exception {
    cluster = new FileCluster("PLR", new Random(8));
    byte[] before = cluster.content();
    Slot written = new Slot(0, 0, 3);
    LockId dead = new LockId(5L << 32, 1);
    ask(written, new Request.TryLock(LockMode.L1, dead));
    StateReply state = (StateReply) ask(written, new Request.GetState(dead));
    ask(
        written,
        new Request.Reconstruct(
            Set.of(0, 1, 3, 4), Objects.requireNonNull(state.block()), state.epoch() + 1, dead));
    ask(written, new Request.SetLock(LockMode.EXP, dead));

    AtomicInteger weakened = new AtomicInteger();
    NodeCalls noting =
        new Meddled(
            calls,
            (node, slot, request, listener) -> {
              if (request instanceof Request.SetLock set && set.mode() == LockMode.L0) {
                weakened.incrementAndGet();
              }
              return false;
            });
    try (LockedGroupReader held = hold(0, Set.of(0, 1), noting, 500)) {
      assertThatThrownBy(() -> readAll(held))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("units that a recovery had");
    }
    assertThat(weakened).as("parity units that were weakened").hasValue(0);
    try (LockedGroupReader held = hold(0, Set.of(2), calls, LONG_MS)) {
      assertThat(readAll(held)).isEqualTo(ofGroup(before, 0));
    }
  }
}
