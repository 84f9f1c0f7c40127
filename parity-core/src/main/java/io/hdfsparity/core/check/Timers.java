/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Timers and pools of threads that keep no process alive. Stateless. */
public final class Timers {
  private Timers() {}

  /**
   * A timer with one daemon thread, which is started with the first task. Its owner shuts it down.
   *
   * @param threadName as thread dumps show it
   */
  public static ScheduledExecutorService daemon(String threadName) {
    return Executors.newSingleThreadScheduledExecutor(daemons(threadName));
  }

  /**
   * A pool of daemon threads, which are started with tasks. Its owner shuts it down.
   *
   * @param threads at most
   * @param threadName of each, as thread dumps show it
   */
  public static ExecutorService daemonPool(int threads, String threadName) {
    return Executors.newFixedThreadPool(threads, daemons(threadName));
  }

  /**
   * Periodic work that goes on whatever it throws. A timer drops work for good that has thrown
   * once, an error as well as an exception, and nobody notices.
   *
   * @param failed gets what was thrown, to log it
   */
  public static Runnable guarded(Runnable work, Consumer<Throwable> failed) {
    return () -> {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        report(e, failed);
      }
    };
  }

  private static void report(Throwable thrown, Consumer<Throwable> failed) {
    try {
      failed.accept(thrown);
    } catch (RuntimeException | Error e) {
      // There may be no memory for a line in the log either; the next round comes all the same.
      thrown.addSuppressed(e);
    }
  }

  /**
   * Ends a timer or pool. What has begun is waited for, and interrupted after so long, or at once
   * where this thread is interrupted: it stays so.
   */
  public static void end(ExecutorService executor, long maxMs) {
    executor.shutdown();
    try {
      if (!executor.awaitTermination(maxMs, TimeUnit.MILLISECONDS)) {
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      executor.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }

  private static ThreadFactory daemons(String threadName) {
    return task -> {
      Thread thread = new Thread(task, threadName);
      thread.setDaemon(true);
      return thread;
    };
  }
}
