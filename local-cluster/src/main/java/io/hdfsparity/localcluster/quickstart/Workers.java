/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.size;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.apache.hadoop.util.Daemon.DaemonFactory;

/** Does something with each of many items on several daemon threads, and reports while it waits. */
final class Workers {
  static final int THREADS = 4;
  private static final long REPORT_MS = 250;
  private static final long END_SECONDS = 20;

  private Workers() {}

  /** Something that is done with a file; counts bytes, and says whether the file counts. */
  interface FileAction<T> {
    boolean on(T file, AtomicLong bytes) throws Exception;
  }

  /** How many files count, bytes that were counted, and the time it took. */
  record Done(int files, long bytes, long ms) {}

  /**
   * Works on files, the largest first: otherwise one thread would still be busy with it when all
   * others are done.
   *
   * @param more what to show of a rate
   * @return what was done
   */
  static <T> Done forEachFile(
      List<T> files,
      ToLongFunction<T> lengthBytes,
      Screen screen,
      UnaryOperator<String> more,
      FileAction<T> action)
      throws Exception {
    long total = files.stream().mapToLong(lengthBytes).sum();
    long begin = System.nanoTime();
    AtomicLong bytes = new AtomicLong();
    int done = 0;
    ExecutorService executor = Executors.newFixedThreadPool(THREADS, new DaemonFactory());
    try {
      CompletionService<Boolean> completion = new ExecutorCompletionService<>(executor);
      files.stream()
          .sorted(Comparator.comparingLong(lengthBytes).reversed())
          .forEach(file -> completion.submit(() -> action.on(file, bytes)));
      for (int ended = 0; ended < files.size(); ) {
        Future<Boolean> next = completion.poll(REPORT_MS, TimeUnit.MILLISECONDS);
        if (next != null) {
          ended++;
          done += next.get() ? 1 : 0;
        }
        double perSecond = bytes.get() / Math.max((System.nanoTime() - begin) / 1e9, 0.001);
        screen.progress(
            (double) bytes.get() / Math.max(total, 1),
            "{bytes} of {bytes}, %s of %s files%s",
            bytes.get(),
            total,
            done,
            files.size(),
            more.apply(size((long) perSecond)));
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      executor.shutdownNow();
      executor.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    }
    return new Done(done, bytes.get(), Texts.msSince(begin));
  }
}
