/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import java.io.Closeable;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Threads that run the settlers of all frames when something is due. Thread-safe. */
final class SettleWorkers implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(SettleWorkers.class);
  private static final int THREADS = 4;
  private static final long CLOSE_WAIT_SECONDS = 10;

  private final Clock clock;
  private final ScheduledThreadPoolExecutor executor;
  private final Map<FrameEngine, Alarm> alarms = new ConcurrentHashMap<>();

  /** When the next run of a frame is set to. */
  private static final class Alarm {
    @Nullable ScheduledFuture<?> task;
    long atNanos;
  }

  SettleWorkers(Clock clock) {
    this.clock = clock;
    this.executor =
        new ScheduledThreadPoolExecutor(
            THREADS,
            work -> {
              Thread thread = new Thread(work, "raidp-settle");
              thread.setDaemon(true);
              return thread;
            });
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void add(FrameEngine engine) {
    alarms.put(engine, new Alarm());
    engine.frame().due().onEarlier(() -> arm(engine));
    arm(engine);
  }

  private void arm(FrameEngine engine) {
    Alarm alarm = alarms.get(engine);
    OptionalLong next = engine.settler().nextNanos();
    if (alarm == null || next.isEmpty()) {
      return;
    }
    synchronized (alarm) {
      if (alarm.task != null) {
        if (alarm.atNanos - next.getAsLong() <= 0) {
          return;
        }
        alarm.task.cancel(false);
      }
      alarm.atNanos = next.getAsLong();
      try {
        alarm.task =
            executor.schedule(
                () -> run(engine, alarm),
                Math.max(0, alarm.atNanos - clock.nanoTime()),
                TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // Shutting down: what is due stays due and is found again at the next start.
        alarm.task = null;
      }
    }
  }

  private void run(FrameEngine engine, Alarm alarm) {
    synchronized (alarm) {
      alarm.task = null;
    }
    try {
      engine.settler().runDue();
    } catch (RuntimeException e) {
      LOG.error("Settling failed: storageId={}", engine.frame().storageId(), e);
    }
    arm(engine);
  }

  @Override
  public void close() {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(CLOSE_WAIT_SECONDS, TimeUnit.SECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
