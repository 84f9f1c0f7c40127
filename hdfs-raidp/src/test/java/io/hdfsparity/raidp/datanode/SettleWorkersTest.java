/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.hdfsparity.core.check.Clock;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class SettleWorkersTest {
  private final Clock clock = Clock.system();

  /** Always due; its run ends when it is told to. */
  private final class Endless implements SettleWorkers.Job {
    final AtomicInteger asked = new AtomicInteger();
    final AtomicInteger runs = new AtomicInteger();
    final AtomicReference<CountDownLatch> end = new AtomicReference<>(new CountDownLatch(1));
    final AtomicReference<Runnable> earlier = new AtomicReference<>();

    @Override
    public void onEarlier(Runnable listener) {
      earlier.set(listener);
    }

    @Override
    public OptionalLong nextNanos() {
      asked.incrementAndGet();
      return OptionalLong.of(clock.nanoTime());
    }

    @Override
    public void runDue() {
      runs.incrementAndGet();
      try {
        assertThat(end.get().await(120, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Something becomes due right after the workers, which have just been told of it, have looked.
   */
  private final class Late implements SettleWorkers.Job {
    final DueQueue due = new DueQueue();
    final AtomicInteger runs = new AtomicInteger();
    final AtomicInteger asked = new AtomicInteger();

    @Override
    public OptionalLong nextNanos() {
      OptionalLong next = due.nextNanos();
      if (asked.getAndIncrement() == 0) {
        due.schedule(1, clock.nanoTime());
      }
      return next;
    }

    @Override
    public void runDue() {
      runs.addAndGet(due.take(clock.nanoTime(), 10).size());
    }

    @Override
    public void onEarlier(Runnable listener) {
      due.onEarlier(listener);
    }
  }

  /** Fails once. */
  private final class Failing implements SettleWorkers.Job {
    final AtomicInteger runs = new AtomicInteger();

    @Override
    public OptionalLong nextNanos() {
      return OptionalLong.of(clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(5));
    }

    @Override
    public void runDue() {
      if (runs.incrementAndGet() == 1) {
        throw new OutOfMemoryError("Direct buffer memory");
      }
    }

    @Override
    public void onEarlier(Runnable listener) {}
  }

  /** Nothing new becomes due. */
  @Test
  void aJobGoesOnAfterAnError() {
    Failing job = new Failing();
    try (SettleWorkers workers = new SettleWorkers(clock)) {
      workers.add(job, "DS-1");
      Awaitility.await().until(() -> job.runs.get() > 1);
    }
  }

  @Test
  void whatBecomesDueWhileAJobIsAddedIsDone() {
    Late job = new Late();
    try (SettleWorkers workers = new SettleWorkers(clock)) {
      workers.add(job, "DS-1");
      Awaitility.await().until(() -> job.runs.get() == 1);
    }
  }

  @Test
  void whatIsDueAgainDuringARunWaitsForItsEnd() {
    Endless job = new Endless();
    try (SettleWorkers workers = new SettleWorkers(clock)) {
      workers.add(job, "DS-1");
      Awaitility.await().until(() -> job.runs.get() == 1);
      int before = job.asked.get();
      for (int i = 0; i < 5; i++) {
        job.earlier.get().run();
      }
      assertThat(job.asked.get()).as("asked by ours alone").isEqualTo(before + 5);
      assertThat(job.runs.get()).isEqualTo(1);
      CountDownLatch first = job.end.getAndSet(new CountDownLatch(1));
      first.countDown();
      Awaitility.await().until(() -> job.runs.get() == 2);
      job.end.get().countDown();
    }
  }
}
