/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Does something with each of many items on several daemon threads, and reports while it waits. */
final class Workers {
  private static final long REPORT_MS = 250;
  private static final long END_SECONDS = 20;

  private Workers() {}

  /** Something that is done with an item. */
  interface Action<T> {
    void on(T item) throws Exception;
  }

  /** An executor whose threads do not hold up the end of the JVM. */
  static ExecutorService daemons(int threads, String name) {
    return Executors.newFixedThreadPool(
        threads,
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Works on all items; the first failure ends it.
   *
   * @param report called now and then by this thread
   * @throws Exception the first failure
   */
  static <T> void forEach(
      List<T> items, int threads, String name, Runnable report, Action<T> action) throws Exception {
    ExecutorService executor = daemons(threads, name);
    try {
      CompletionService<Void> completion = new ExecutorCompletionService<>(executor);
      List<Future<Void>> futures = new ArrayList<>();
      for (T item : items) {
        futures.add(
            completion.submit(
                () -> {
                  action.on(item);
                  return null;
                }));
      }
      int done = 0;
      while (done < futures.size()) {
        Future<Void> next = completion.poll(REPORT_MS, TimeUnit.MILLISECONDS);
        if (next != null) {
          done++;
          next.get();
        }
        report.run();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause
          ? cause
          : new IllegalStateException(e.getCause());
    } finally {
      executor.shutdownNow();
      executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    }
  }
}
