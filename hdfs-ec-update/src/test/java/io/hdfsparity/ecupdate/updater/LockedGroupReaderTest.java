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
import io.hdfsparity.ecupdate.ajx.Reply;
import io.hdfsparity.ecupdate.ajx.Request;
import io.hdfsparity.ecupdate.ajx.SlotKey;
import io.hdfsparity.ecupdate.ajx.Tid;
import io.hdfsparity.ecupdate.channel.ChannelClient;
import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A group without some units is read under locks that stay. */
@Timeout(300)
class LockedGroupReaderTest extends LockedGroupFixture {
  private static final int CELL_BYTES = 64;
  private static final int STRIPE_BYTES = 3 * CELL_BYTES;

  /** Until nobody recovers: locks of clients that died expire some time. */
  private void awaitRest(int group, Set<Integer> lost) {
    await().until(() -> modes(group, lost).values().stream().noneMatch(LockMode::isHeld));
  }

  private StripedFileUpdater open(NodeCalls through) {
    return StripedFileUpdater.open(
        new TestSession(cluster), through, UpdaterFixture.options(0, LONG_MS));
  }

  /** Each writer dies with a write of a stripe of its own under way, wherever that is. */
  private void die(FileHistories histories, Random random) throws IOException {
    for (int at = 0; at < histories.length(); at += STRIPE_BYTES) {
      if (random.nextInt(3) == 0) {
        continue;
      }
      ChannelClient dyingCalls = UpdaterFixture.client();
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
                try (ChannelClient writing = UpdaterFixture.client();
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

  /** While somebody else was waited for, he has replaced the group. */
  @Test
  void whatWasReplacedMeanwhileStaysLockedAsFarAsItWasRead() throws Exception {
    cluster = new FileCluster("FO", new Random(13));
    Slot others = new Slot(0, 1, 0);
    assertThat(ask(others, new Request.TryLock(LockMode.L1, new LockId(5L << 32, 1))))
        .isInstanceOf(Reply.LockReply.class);
    Set<Integer> lost = Set.of(4);
    Map<Integer, UnitLocation> places = new TreeMap<>(cluster.locate(0));
    places.keySet().removeAll(lost);
    AtomicBoolean isReplaced = new AtomicBoolean();
    LockWait waiting =
        new LockWait() {
          @Override
          public void checkProgress() throws IOException {
            isReplaced.set(true);
            throw new IOException("replaced meanwhile");
          }

          @Override
          public boolean isOfUse() {
            return !isReplaced.get();
          }
        };
    try (LockedGroupReader held =
        new LockedGroupReader(cluster.layout(), 0, places, calls, 77, LONG_MS, waiting)) {
      assertThatThrownBy(() -> readAll(held)).hasMessage("replaced meanwhile");
      held.keep();
      assertThat(held.isOver()).isTrue();
      assertThat(held.hasLeftLocks()).isFalse();
    }
    Map<Slot, LockMode> first = modes(0, lost);
    first.keySet().removeIf(slot -> slot.stripe() != 0);
    assertThat(first.values()).hasSize(places.size()).containsOnly(LockMode.L1);
  }
}
