/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupHealingsTest {
  private static final int GROUP = 3;

  private final ExecutorService mayBlock = Executors.newCachedThreadPool();
  private final ScheduledExecutorService work = Executors.newSingleThreadScheduledExecutor();
  private final AtomicInteger begun = new AtomicInteger();
  private final AtomicInteger gaveWay = new AtomicInteger();
  private final AtomicInteger looked = new AtomicInteger();

  @AfterEach
  void stop() {
    mayBlock.shutdownNow();
    work.shutdownNow();
  }

  private GroupHealings healings(GroupHealings.Heal heal, GroupHealings.Look look) {
    return new GroupHealings(
        (group, healer) -> {
          begun.incrementAndGet();
          return heal.heal(group, healer);
        },
        mayBlock,
        work,
        group -> gaveWay.incrementAndGet(),
        look);
  }

  private void lookAtOnce(int group, Runnable then) {
    looked.incrementAndGet();
    then.run();
  }

  @Test
  void whatIsUnderWayIsGivenUpWhenTheUpdaterIsClosed() {
    CountDownLatch refused = new CountDownLatch(1);
    GroupHealings healings =
        healings(
            (group, healer) -> {
              try {
                while (true) {
                  healer.requireWanted();
                  Thread.onSpinWait();
                }
              } catch (IOException e) {
                refused.countDown();
                throw e;
              }
            },
            this::lookAtOnce);
    healings.heal(GROUP);
    await().untilAsserted(() -> assertThat(begun).hasValue(1));
    assertThat(healings.underWay()).isNotDone();
    CompletableFuture<Void> stopped = healings.stop();
    await().until(stopped::isDone);
    assertThat(refused.getCount()).isZero();
    assertThat(looked).hasValue(1);
    healings.heal(GROUP);
    healings.heal(GROUP + 1);
    assertThat(healings.underWay()).isDone();
    assertThat(begun).hasValue(1);
  }

  @Test
  void itHasEndedWhenItIsKnownWhereTheGroupIs() {
    CompletableFuture<Runnable> looking = new CompletableFuture<>();
    GroupHealings healings =
        healings((group, healer) -> true, (group, then) -> looking.complete(then));
    healings.heal(GROUP);
    CompletableFuture<Void> underWay = healings.underWay();
    await().until(looking::isDone);
    assertThat(underWay).isNotDone();
    looking.join().run();
    assertThat(underWay).isDone();
    assertThat(healings.underWay()).isDone();
  }

  @Test
  void oneThatCouldNotBeHealedRests() {
    GroupHealings healings =
        healings(
            (group, healer) -> {
              sleepMs(300); // it rests for four times as long
              return false;
            },
            this::lookAtOnce);
    healings.heal(GROUP);
    CompletableFuture<Void> underWay = healings.underWay();
    await().until(underWay::isDone);
    long restsNanos = System.nanoTime();
    healings.heal(GROUP);
    assertThat(healings.underWay()).as("not again at once").isDone();
    await()
        .until(
            () -> {
              healings.heal(GROUP);
              return begun.get() == 2;
            });
    assertThat(System.nanoTime() - restsNanos).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(900));
  }

  @Test
  void oneThatWasHealedAndLacksUnitsAgainIsBegunAtOnce() {
    GroupHealings healings = healings((group, healer) -> true, this::lookAtOnce);
    for (int i = 1; i <= 3; i++) {
      healings.heal(GROUP);
      int times = i;
      await().until(() -> begun.get() == times && healings.underWay().isDone());
    }
  }

  @Test
  void recoveriesAreToldToGiveWayUntilTheCopyIsMade() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    GroupHealings healings =
        healings(
            (group, healer) -> {
              try (Closeable yielding = healer.yielding()) {
                go.await();
                return true;
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            },
            this::lookAtOnce);
    healings.heal(GROUP);
    await().until(() -> gaveWay.get() >= 3);
    CompletableFuture<Void> underWay = healings.underWay();
    go.countDown();
    underWay.get();
    // One that was on its way may still be notified; the clock is the one thread's.
    work.submit(() -> {}).get();
    int notified = gaveWay.get();
    await()
        .during(600, TimeUnit.MILLISECONDS)
        .untilAsserted(() -> assertThat(gaveWay).hasValue(notified));
  }

  private static void sleepMs(long ms) {
    try {
      TimeUnit.MILLISECONDS.sleep(ms);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
