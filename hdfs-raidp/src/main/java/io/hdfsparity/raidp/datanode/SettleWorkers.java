/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.core.check.Clock;
import io.hdfsparity.core.check.Timers;
import java.io.Closeable;
import java.util.OptionalLong;
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
  private static final long CLOSE_WAIT_MS = 10_000;

  /** What a worker does when it is due; of one job never two at a time. */
  interface Job {
    /** When there is something to do. */
    OptionalLong nextNanos();

    void runDue();

    /** Sets what is called when something has become due earlier than before. */
    void onEarlier(Runnable listener);
  }

  private final Clock clock;
  private final ScheduledThreadPoolExecutor executor;

  /** When the next run of a job is set to. */
  private static final class Alarm {
    final Job job;
    final String name;
    @Nullable ScheduledFuture<?> task;
    long atNanos;
    boolean running;

    Alarm(Job job, String name) {
      this.job = job;
      this.name = name;
    }
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
    add(engine.settler(), engine.frame().storageId());
  }

  /** Runs a job whenever it is due. */
  void add(Job job, String name) {
    Alarm alarm = new Alarm(job, name);
    // The listener first: what becomes due before it is set is seen by arm, what does so later by
    // it.
    job.onEarlier(() -> arm(alarm));
    arm(alarm);
  }

  private void arm(Alarm alarm) {
    OptionalLong next = alarm.job.nextNanos();
    if (next.isEmpty()) {
      return;
    }
    synchronized (alarm) {
      if (alarm.running) {
        // It looks for itself when it is through. Another worker would find nothing that it may do,
        // and what is due still due, again and again.
        return;
      }
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
                () -> run(alarm),
                Math.max(0, alarm.atNanos - clock.nanoTime()),
                TimeUnit.NANOSECONDS);
      } catch (RejectedExecutionException e) {
        // Shutting down: what is due stays due and is found again at the next start.
        alarm.task = null;
      }
    }
  }

  private void run(Alarm alarm) {
    synchronized (alarm) {
      alarm.task = null;
      alarm.running = true;
    }
    try {
      alarm.job.runDue();
    } catch (RuntimeException | Error e) {
      LOG.error("Settling failed: storageId={}", alarm.name, e);
    } finally {
      synchronized (alarm) {
        alarm.running = false;
      }
      // Whatever was thrown: else nothing of the job is done until something new is due.
      arm(alarm);
    }
  }

  @Override
  public void close() {
    Timers.end(executor, CLOSE_WAIT_MS);
  }
}
