/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.storage;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A thread that executes steps of callers, one after the other. Callers may be interrupted, as
 * threads of HDFS are, and an interrupt in the middle of I/O closes the file; nobody interrupts
 * this thread. Thread-safe.
 */
final class StepThread implements Closeable {
  private final ThreadPoolExecutor executor;

  private StepThread(ThreadPoolExecutor executor) {
    this.executor = executor;
  }

  /** Starts the thread. */
  static StepThread start(String name) {
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    // Now: a step must not fail because the process has too many threads then.
    executor.prestartAllCoreThreads();
    return new StepThread(executor);
  }

  /**
   * Executes a step and waits for its end. An interrupt of the caller does not end the waiting; the
   * caller is still interrupted on return.
   *
   * @throws IOException what the step throws
   */
  void run(ReplicaTable.Step step) throws IOException {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              step.run();
              return true;
            });
    executor.execute(task);
    boolean isInterrupted = false;
    try {
      while (true) {
        try {
          task.get();
          return;
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw failure(e);
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** What the step has thrown. */
  private static IOException failure(ExecutionException thrown) {
    Throwable cause = thrown.getCause();
    if (cause instanceof IOException failure) {
      return failure;
    }
    if (cause instanceof RuntimeException failure) {
      throw failure;
    }
    if (cause instanceof Error failure) {
      throw failure;
    }
    return new IOException(cause);
  }

  /** Ends the thread after the steps that were begun. */
  @Override
  public void close() {
    executor.shutdown();
  }
}
