/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hdfsparity.ecupdate.storage.FileCluster;
import java.io.Closeable;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An updater whose file loses a unit. */
@Timeout(600)
class StripedFileUpdaterHealingTest extends UpdaterFixture {
  @Test
  void aBlockThatIsLostIsRecoveredWhenAsked() throws Exception {
    TestSession session = start("PLR");
    byte[] twin = cluster.initial();
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      for (int at = 0; at < twin.length; at += 100) {
        byte[] bytes = some(Math.min(100, twin.length - at));
        updater.write(at, ByteBuffer.wrap(bytes));
        System.arraycopy(bytes, 0, twin, at, bytes.length);
      }
      cluster.kill(2);
      cluster.restartEmpty(2, random);
      updater.recover(0, twin.length, 1);
      assertThat(read(updater, 0, twin.length)).isEqualTo(twin);
    }
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }

  /** Located where nobody listens any more, then nowhere, then at another port. */
  @Test
  void aUnitThatIsServedElsewhereAfterNobodyServedItIsUsedThere() throws Exception {
    int moved = 1;
    // Nobody listens there as long as the test runs: a port that is free is given to another test.
    Socket bound = new Socket();
    bound.bind(null);
    int closedPort = bound.getLocalPort();
    AtomicInteger looks = new AtomicInteger();
    AtomicBoolean isBack = new AtomicBoolean();
    cluster = new FileCluster("FO", random);
    TestSession session =
        new TestSession(cluster) {
          @Override
          public Located locate(int group) {
            Located now = super.locate(group);
            Map<Integer, UnitLocation> units = new HashMap<>(now.units());
            if (looks.getAndIncrement() == 0) {
              Endpoint there = units.get(moved).node();
              Endpoint before =
                  new Endpoint(there.host(), closedPort, there.blockPool(), there.grant());
              units.put(moved, new UnitLocation(units.get(moved).replica(), before));
            } else if (!isBack.get()) {
              units.remove(moved);
            }
            return new Located(now.id(), units);
          }
        };
    byte[] twin = cluster.initial();
    try (bound;
        StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      CompletableFuture<Void> written =
          updater.writeAsync(moved * cluster.layout().cellBytes(), ByteBuffer.wrap(new byte[] {7}));
      twin[moved * cluster.layout().cellBytes()] = 7;
      await().until(() -> looks.get() > 3);
      assertThat(written).isNotDone();
      isBack.set(true);
      written.get(20, TimeUnit.SECONDS);
      assertThat(read(updater, 0, twin.length)).isEqualTo(twin);
    }
    cluster.verify();
  }

  /** A node is lost for a while, and a healing goes on for as long as it is let. */
  private static class LongHealed extends TestSession {
    final AtomicBoolean isLacking = new AtomicBoolean();
    final CountDownLatch begun = new CountDownLatch(1);
    final List<String> events = new CopyOnWriteArrayList<>();
    private final long healMs;
    private final Callable<Void> then;

    LongHealed(FileCluster cluster, long healMs, Callable<Void> then) {
      super(cluster);
      this.healMs = healMs;
      this.then = then;
    }

    @Override
    public Located locate(int group) {
      Located now = super.locate(group);
      Map<Integer, UnitLocation> units = new HashMap<>(now.units());
      if (isLacking.get()) {
        units.remove(1);
      }
      if (!events.isEmpty() && !events.contains("located")) {
        events.add("located"); // what became of it is known before the session ends
      }
      return new Located(now.id(), units);
    }

    @Override
    public boolean heal(int group, Healer healer) throws IOException {
      begun.countDown();
      long beganNanos = System.nanoTime();
      try (Closeable giving = healer.yielding()) {
        while (TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos) < healMs) {
          healer.requireWanted();
          Thread.sleep(10); // reads a piece
        }
        then.call();
      } catch (IOException e) {
        events.add("given up");
        throw e;
      } catch (Exception e) {
        throw new IOException(e);
      }
      events.add("healed");
      return false;
    }

    @Override
    public void end(OptionalLong lastWriteMs) {
      events.add("end");
    }
  }

  @Test
  void aHealingThatNobodyWaitsForAnyMoreEndsBeforeTheSession() throws Exception {
    cluster = new FileCluster("FO", random);
    LongHealed session = new LongHealed(cluster, /* healMs= */ 600_000, () -> null);
    try (StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, 60_000))) {
      updater.write(0, ByteBuffer.allocate(1));
      session.isLacking.set(true);
      cluster.kill(1);
      CompletableFuture<Void> written =
          updater.writeAsync(cluster.layout().cellBytes(), ByteBuffer.allocate(1));
      session.begun.await();
      session.isLacking.set(false);
      cluster.restart(1);
      written.get();
    }
    assertThat(session.events).containsExactly("given up", "located", "end");
    cluster.verify();
  }

  @Test
  void aHealingIsWaitedForByWhatWaitsForIt() throws Exception {
    int operationMs = 1_000;
    cluster = new FileCluster("FO", random);
    List<LongHealed> healed = new ArrayList<>();
    LongHealed session =
        new LongHealed(
            cluster,
            4 * operationMs,
            () -> {
              healed.get(0).isLacking.set(false);
              cluster.restart(1);
              return null;
            });
    healed.add(session);
    byte[] twin = cluster.initial();
    StripedFileUpdater updater = StripedFileUpdater.open(session, calls, options(0, operationMs));
    updater.write(0, ByteBuffer.wrap(twin, 0, 1));
    session.isLacking.set(true);
    cluster.kill(1);
    int at = cluster.layout().cellBytes();
    twin[at] ^= 3;
    CompletableFuture<Void> given = updater.writeAsync(at, ByteBuffer.wrap(twin, at, 1));
    session.begun.await();
    assertThatThrownBy(given::get).hasMessageContaining("it is not known what was done");
    assertThatThrownBy(updater::close).hasMessageContaining("writes that failed=1");
    assertThat(session.events).containsExactly("healed", "located", "end");
    assertThat(cluster.content()).isEqualTo(twin);
    cluster.verify();
  }
}
