/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.core.check.SeededRuns;
import io.hdfsparity.ecupdate.ajx.Bytes;
import io.hdfsparity.ecupdate.ajx.LockId;
import io.hdfsparity.ecupdate.ajx.LockMode;
import io.hdfsparity.ecupdate.ajx.Patch;
import io.hdfsparity.ecupdate.ajx.ReplicaKey;
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.channel.ClientLimits;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A group without some units is read under locks that stay. */
@Timeout(300)
class LockedGroupReaderTest {
  private static final int LONG_MS = 120_000;

  /** For what does not end by itself; no shorter than a machine may stand still. */
  private static final int SHORT_MS = 12_000;

  private static final int CELL_BYTES = 64;
  private static final int STRIPE_BYTES = 3 * CELL_BYTES;

  /** Whose connections do not break because the machine stands still: locks would expire. */
  private final ChannelClient calls =
      new ChannelClient(
          new ClientLimits(16384, 16, 1000, 60_000, LONG_MS, LONG_MS, 2, 20),
          node -> Bytes.zeros(1));

  private FileCluster cluster;

  @AfterEach
  void stop() throws IOException {
    calls.close();
    if (cluster != null) {
      cluster.close();
    }
  }

  /** What is locked. */
  private record Slot(int group, int stripe, int unit) {}

  /** Calls in whose way a test may step. */
  private record Meddled(NodeCalls real, Meddler meddler) implements NodeCalls {
    @Override
    public void call(Endpoint node, SlotKey slot, Request request, Listener listener) {
      if (!meddler.takes(node, slot, request, listener)) {
        real.call(node, slot, request, listener);
      }
    }

    @Override
    public void giveUp(Endpoint node, ReplicaKey replica) {
      real.giveUp(node, replica);
    }
  }

  private interface Meddler {
    /** Whether the call goes no further. */
    boolean takes(Endpoint node, SlotKey slot, Request request, NodeCalls.Listener listener);
  }

  /** Hears an answer, whatever it is. */
  private static class Heard implements NodeCalls.Listener {
    private final CompletableFuture<Reply> reply;

    Heard(CompletableFuture<Reply> reply) {
      this.reply = reply;
    }

    @Override
    public void answered(Reply answer) {
      reply.complete(answer);
    }

    @Override
    public void lost(String why) {
      failed(why);
    }

    @Override
    public void failed(String why) {
      reply.completeExceptionally(new IOException(why));
    }

    @Override
    public void delayed(String why) {}
  }

  private SlotKey key(Slot slot) {
    return new SlotKey(cluster.locate(slot.group).get(slot.unit).replica(), slot.stripe);
  }

  private Reply ask(Slot slot, Request request) throws Exception {
    Heard heard = new Heard(new CompletableFuture<>());
    calls.call(cluster.locate(slot.group).get(slot.unit).node(), key(slot), request, heard);
    return heard.reply.get();
  }

  private LockMode mode(Slot slot) throws Exception {
    return ((Reply.ProbeReply) ask(slot, new Request.Probe())).lockMode();
  }

  /** A client has died that had it locked. */
  private void expire(Slot slot) throws Exception {
    LockId dead = new LockId(5L << 32, 1);
    assertThat(ask(slot, new Request.TryLock(LockMode.L1, dead)))
        .isInstanceOf(Reply.LockReply.class);
    ask(slot, new Request.SetLock(LockMode.EXP, dead));
  }

  private List<Slot> slots(int group, Set<Integer> lost) {
    List<Slot> slots = new ArrayList<>();
    FileLayout layout = cluster.layout();
    long stripes = layout.geometry().stripeCount(layout.groups().get(group).lengthBytes());
    for (int stripe = 0; stripe < stripes; stripe++) {
      for (int unit : cluster.locate(group).keySet()) {
        if (!lost.contains(unit)) {
          slots.add(new Slot(group, stripe, unit));
        }
      }
    }
    return slots;
  }

  private Map<Slot, LockMode> modes(int group, Set<Integer> lost) throws Exception {
    Map<Slot, LockMode> modes = new HashMap<>();
    for (Slot slot : slots(group, lost)) {
      modes.put(slot, mode(slot));
    }
    return modes;
  }

  /** Until nobody recovers: locks of clients that died expire some time. */
  private void awaitRest(int group, Set<Integer> lost) {
    await().until(() -> modes(group, lost).values().stream().noneMatch(LockMode::isHeld));
  }

  private LockedGroupReader hold(int group, Set<Integer> lost, NodeCalls through, int operationMs) {
    Map<Integer, UnitLocation> places = new TreeMap<>(cluster.locate(group));
    places.keySet().removeAll(lost);
    return new LockedGroupReader(cluster.layout(), group, places, through, 77, operationMs);
  }

  private static byte[] readAll(LockedGroupReader held) throws IOException {
    ByteBuffer all = ByteBuffer.allocate((int) held.lengthBytes());
    // In pieces that are no cells.
    while (held.read(all.limit(Math.min(all.capacity(), all.position() + 50))) >= 0) {
      assertThat(all.position()).isEqualTo(all.limit());
    }
    assertThat(all.position()).isEqualTo(all.capacity());
    return all.array();
  }

  private static byte[] part(byte[] file, FileLayout.Group group) {
    return Arrays.copyOfRange(
        file, (int) group.offsetBytes(), (int) (group.offsetBytes() + group.lengthBytes()));
  }

  private byte[] ofGroup(byte[] file, int group) {
    return part(file, cluster.layout().groups().get(group));
  }

  private StripedFileUpdater open(NodeCalls through) {
    return StripedFileUpdater.open(
        new TestSession(cluster), through, StripedFileUpdaterTest.options(0, LONG_MS));
  }

  /** Each writer dies with a write of a stripe of its own under way, wherever that is. */
  private void die(FileHistories histories, Random random) throws IOException {
    for (int at = 0; at < histories.length(); at += STRIPE_BYTES) {
      if (random.nextInt(3) == 0) {
        continue;
      }
      ChannelClient dyingCalls = StripedFileUpdaterTest.client();
      StripedFileUpdater dying = open(dyingCalls);
      int from = at + random.nextInt(Math.min(64, histories.length() - at));
      byte[] bytes = histories.beginWrite(from, 1);
      int until = cluster.requests() + random.nextInt(9);
      var write = dying.writeAsync(from, ByteBuffer.wrap(bytes));
      await().until(() -> cluster.requests() >= until || write.isDone());
      dyingCalls.close();
    }
  }

  @Test
  void whatWasAcknowledgedIsReadOfEveryShapeAndAllIsAsItWasAfterwards() {
    SeededRuns.of(4)
        .check(
            random -> {
              try (FileCluster each =
                  random.nextBoolean()
                      ? FileCluster.ofMovedRows("PL", random)
                      : new FileCluster("PLR", random)) {
                cluster = each;
                FileHistories histories = new FileHistories(cluster.initial());
                try (ChannelClient writing = StripedFileUpdaterTest.client();
                    StripedFileUpdater updater = open(writing)) {
                  for (int i = 0; i < 15; i++) {
                    int from = histories.place(random);
                    int length = 1 + random.nextInt(Math.min(150, histories.length() - from));
                    byte[] bytes = histories.beginWrite(from, length);
                    updater.write(from, ByteBuffer.wrap(bytes));
                    histories.endWrite(from, bytes);
                  }
                }
                die(histories, random);
                for (int group = 0; group < cluster.layout().groups().size(); group++) {
                  List<Integer> there = List.copyOf(cluster.locate(group).keySet());
                  Set<Integer> lost = Set.of(there.get(random.nextInt(there.size())));
                  awaitRest(group, lost);
                  for (Slot slot : slots(group, lost)) {
                    if (random.nextInt(4) == 0) {
                      expire(slot);
                    }
                  }
                  Map<Slot, LockMode> before = modes(group, lost);
                  long began = histories.beginRead();
                  byte[] first;
                  try (LockedGroupReader held = hold(group, lost, calls, LONG_MS)) {
                    first = readAll(held);
                    assertThat(modes(group, lost).values()).containsOnly(LockMode.L1);
                  }
                  int offset = (int) cluster.layout().groups().get(group).offsetBytes();
                  histories.endRead(offset, first, began);
                  histories.check();
                  assertThat(modes(group, lost)).isEqualTo(before);
                  // Nothing was changed: it is found again.
                  try (LockedGroupReader held = hold(group, lost, calls, LONG_MS)) {
                    assertThat(readAll(held)).isEqualTo(first);
                  }
                }
                try (StripedFileUpdater updater = open(calls)) {
                  updater.recover(0, histories.length(), 2);
                }
                long began = histories.beginRead();
                histories.endRead(0, cluster.content(), began);
                histories.check();
                cluster.verify();
              }
            });
    cluster = null;
  }

  @Test
  void nothingChangesFromTheReadOnUntilAllIsLetGo() throws Exception {
    cluster = new FileCluster("PL", new Random(2));
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater = open(calls)) {
      List<CompletableFuture<?>> writes = new ArrayList<>();
      try (LockedGroupReader held = hold(0, Set.of(4), calls, LONG_MS)) {
        byte[] read = readAll(held);
        assertThat(read).isEqualTo(ofGroup(twin, 0));
        for (int at = 0; at < read.length; at += 96) {
          twin[at] ^= 0x55;
          writes.add(updater.writeAsync(at, ByteBuffer.wrap(new byte[] {twin[at]})));
        }
        // As many as it takes to have tried each of them again.
        int until = cluster.requests() + 5 * writes.size();
        await().until(() -> cluster.requests() >= until);
        assertThat(writes).noneMatch(CompletableFuture::isDone);
        assertThat(ofGroup(cluster.content(), 0)).isEqualTo(read);
        // Others are not held up.
        int other = (int) cluster.layout().groups().get(1).offsetBytes();
        twin[other] ^= 1;
        updater.write(other, ByteBuffer.wrap(new byte[] {twin[other]}));
      }
      for (CompletableFuture<?> write : writes) {
        write.get();
      }
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Writers whose adds wait until they are let through. */
  private static final class HeldAdds implements Meddler {
    private final AtomicBoolean isOpen = new AtomicBoolean();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicReference<NodeCalls> real = new AtomicReference<>();

    @Override
    public boolean takes(
        Endpoint node, SlotKey slot, Request request, NodeCalls.Listener listener) {
      if (isOpen.get() || !(request instanceof Request.Add || request instanceof Request.AddAll)) {
        return false;
      }
      waiting.add(() -> real.get().call(node, slot, request, listener));
      return true;
    }

    void open() {
      isOpen.set(true);
      waiting.forEach(Runnable::run);
    }
  }

  @Test
  void writersInTheMiddleOfWritesCanEndThem() throws Exception {
    cluster = new FileCluster("PL", new Random(3));
    byte[] twin = cluster.initial();
    HeldAdds adds = new HeldAdds();
    adds.real.set(calls);
    NodeCalls writing = new Meddled(calls, adds);
    List<StripedFileUpdater> updaters = new ArrayList<>();
    List<CompletableFuture<?>> writes = new ArrayList<>();
    // Two of two data units, and the third one is lost: no three units fit together.
    for (int unit = 0; unit < 2; unit++) {
      int at = STRIPE_BYTES + unit * CELL_BYTES + 7;
      twin[at] ^= 0x21;
      StripedFileUpdater updater = open(writing);
      updaters.add(updater);
      writes.add(updater.writeAsync(at, ByteBuffer.wrap(new byte[] {twin[at]})));
    }
    await().until(() -> adds.waiting.size() >= 4);
    Set<Integer> lost = Set.of(2);
    try (LockedGroupReader held = hold(0, lost, calls, LONG_MS)) {
      CompletableFuture<byte[]> read = reading(held);
      await().until(() -> mode(new Slot(0, 1, 3)) == LockMode.L0);
      assertThat(mode(new Slot(0, 1, 0))).as("a data unit").isEqualTo(LockMode.L1);
      adds.open();
      assertThat(read.get()).isEqualTo(ofGroup(twin, 0));
      assertThat(modes(0, lost).values()).containsOnly(LockMode.L1);
    }
    for (CompletableFuture<?> write : writes) {
      write.get();
    }
    for (StripedFileUpdater updater : updaters) {
      updater.close();
    }
    assertThat(modes(0, lost).values()).containsOnly(LockMode.UNL);
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  private static CompletableFuture<byte[]> reading(LockedGroupReader held) {
    CompletableFuture<byte[]> read = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                read.complete(readAll(held));
              } catch (IOException | RuntimeException | Error e) {
                read.completeExceptionally(e);
              }
            },
            "reader");
    reader.setDaemon(true);
    reader.start();
    return read;
  }

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
    // All was told, though nobody may have waited for the answer.
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

  /** Somebody else may go by what they have left by now. */
  @Test
  void writersAreNotLetEndUnlessThatIsAllowed() throws Exception {
    cluster = new FileCluster("FO", new Random(8));
    for (int unit = 0; unit < 2; unit++) {
      Patch patch = new Patch(5, Bytes.wrap(new byte[] {9}));
      cluster.swapOnly(0, unit, 1, patch, new Tid((90L + unit) << 32, 1, unit));
    }
    Map<Integer, UnitLocation> places = new TreeMap<>(cluster.locate(0));
    places.remove(2);
    List<LockMode> set = new CopyOnWriteArrayList<>();
    Meddler watch =
        (node, slot, request, listener) -> {
          if (request instanceof Request.SetLock lock) {
            set.add(lock.mode());
          }
          return false;
        };
    List<LockMode> then = new ArrayList<>();
    LockWait waiting =
        new LockWait() {
          @Override
          public void beforeWritersEnd() throws IOException {
            for (int unit : places.keySet()) {
              try {
                then.add(mode(new Slot(0, 1, unit)));
              } catch (Exception e) {
                throw new IOException(e);
              }
            }
            throw new IOException("others go by it");
          }
        };
    Meddled through = new Meddled(calls, watch);
    try (LockedGroupReader held =
        new LockedGroupReader(cluster.layout(), 0, places, through, 77, LONG_MS, waiting)) {
      assertThatThrownBy(() -> readAll(held)).hasMessage("others go by it");
    }
    assertThat(then).hasSize(places.size()).containsOnly(LockMode.L1);
    assertThat(set).isNotEmpty().containsOnly(LockMode.UNL);
  }

  @Test
  void withTooFewUnitsNothingIsLocked() throws Exception {
    cluster = new FileCluster("FO", new Random(5));
    int requests = cluster.requests();
    try (LockedGroupReader held = hold(0, Set.of(0, 2, 3), calls, LONG_MS)) {
      assertThatThrownBy(() -> readAll(held))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("at least 3 of its units");
    }
    assertThat(cluster.requests()).isEqualTo(requests);
  }

  private static Map<Slot, LockMode> withoutUnit(Map<Slot, LockMode> modes, int unit) {
    Map<Slot, LockMode> others = new HashMap<>(modes);
    others.keySet().removeIf(slot -> slot.unit == unit);
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

  @Test
  void twoWhoReadTheSameGroupDoNotWaitForEachOther() throws Exception {
    cluster = new FileCluster("FO", new Random(11));
    List<CompletableFuture<byte[]>> both = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      LockedGroupReader held = hold(0, Set.of(0), calls, LONG_MS);
      both.add(
          reading(held)
              .whenCompleteAsync(
                  (read, e) -> {
                    try {
                      held.close();
                    } catch (IOException closing) {
                      throw new IllegalStateException(closing);
                    }
                  }));
    }
    for (CompletableFuture<byte[]> each : both) {
      assertThat(each.get()).isEqualTo(ofGroup(cluster.initial(), 0));
    }
    assertThat(modes(0, Set.of(0)).values()).containsOnly(LockMode.UNL);
  }

  @Test
  void whatIsKeptStaysLocked() throws Exception {
    cluster = new FileCluster("FO", new Random(12));
    LockedGroupReader held = hold(2, Set.of(0), calls, LONG_MS);
    assertThat(readAll(held)).isEqualTo(ofGroup(cluster.initial(), 2));
    held.keep();
    held.close();
    assertThat(modes(2, Set.of(0)).values()).containsOnly(LockMode.L1);
  }
}
