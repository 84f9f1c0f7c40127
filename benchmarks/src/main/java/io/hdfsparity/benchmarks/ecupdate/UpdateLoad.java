/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ecupdate;

import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/**
 * Clients that write at random places, each to a file of its own, so many writes at a time. Each
 * has sessions, connections and threads of its own, as programs of their own would. Used by one
 * thread.
 */
final class UpdateLoad implements Closeable {
  private static final long END_SECONDS = 120;

  private final UpdatedFiles files;
  private final List<KnownFile> known = new ArrayList<>();
  private final int updateBytes;
  private final int outstanding;
  private final long seed;
  private int runs;

  /**
   * What one run did.
   *
   * @param updates that were durable within it
   * @param seconds it lasted
   * @param nanos each update took, sorted
   */
  record Done(long updates, double seconds, long[] nanos) {
    double perSecond() {
      return updates / seconds;
    }

    /** A percentile of the times in ms; not a number without updates. */
    double ms(double share) {
      return nanos.length == 0
          ? Double.NaN
          : nanos[(int) Math.min(nanos.length - 1L, (long) (nanos.length * share))] / 1e6;
    }
  }

  /**
   * Opens the files.
   *
   * @param updateBytes of a write, which begins at a multiple of them
   * @param outstanding writes of a client at a time
   */
  UpdateLoad(FileSystem fs, List<Path> paths, int updateBytes, int outstanding, long seed)
      throws IOException {
    this.updateBytes = updateBytes;
    this.outstanding = outstanding;
    this.seed = seed;
    files = UpdatedFiles.open(fs, paths, outstanding);
  }

  /** The same for files that are told of each write. */
  static UpdateLoad known(
      FileSystem fs, List<KnownFile> files, int updateBytes, int outstanding, long seed)
      throws IOException {
    UpdateLoad load =
        new UpdateLoad(
            fs, files.stream().map(KnownFile::path).toList(), updateBytes, outstanding, seed);
    load.known.addAll(files);
    return load;
  }

  /** Writes for some time, and waits for the last ones. */
  Done forSeconds(double seconds) throws IOException, InterruptedException {
    long until = System.nanoTime() + (long) (seconds * 1e9);
    return run(() -> System.nanoTime() < until, Long.MAX_VALUE);
  }

  /** So many writes by each client. */
  Done times(long writesEach) throws IOException, InterruptedException {
    return run(() -> true, writesEach);
  }

  private Done run(BooleanSupplier goesOn, long maxEach) throws IOException, InterruptedException {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    ConcurrentLinkedQueue<long[]> times = new ConcurrentLinkedQueue<>();
    List<StripedFileUpdater> open = files.all();
    CountDownLatch ended = new CountDownLatch(open.size());
    int run = runs++;
    long begun = System.nanoTime();
    for (int i = 0; i < open.size(); i++) {
      StripedFileUpdater file = open.get(i);
      @Nullable KnownFile twin = known.isEmpty() ? null : known.get(i);
      SplittableRandom random = new SplittableRandom(seed * 1_000_003 + run * 1009L + i);
      Thread thread =
          new Thread(
              () -> {
                try {
                  times.add(write(file, twin, random, goesOn, maxEach, failure));
                } catch (IOException | InterruptedException | RuntimeException e) {
                  failure.compareAndSet(null, e);
                } finally {
                  ended.countDown();
                }
              },
              "client-" + i);
      thread.setDaemon(true);
      thread.start();
    }
    ended.await();
    double seconds = (System.nanoTime() - begun) / 1e9;
    if (failure.get() != null) {
      throw new IOException("Cannot measure: an update failed", failure.get());
    }
    long[] all = times.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return new Done(all.length, seconds, all);
  }

  private long[] write(
      StripedFileUpdater file,
      @Nullable KnownFile twin,
      SplittableRandom random,
      BooleanSupplier goesOn,
      long most,
      AtomicReference<Throwable> failure)
      throws IOException, InterruptedException {
    long places = file.lengthBytes() / updateBytes;
    ConcurrentLinkedQueue<Long> times = new ConcurrentLinkedQueue<>();
    Semaphore window = new Semaphore(outstanding);
    byte[] bytes = new byte[updateBytes];
    for (long n = 0; n < most && goesOn.getAsBoolean() && failure.get() == null; n++) {
      random.nextBytes(bytes);
      window.acquire();
      long place = random.nextLong(places) * updateBytes;
      if (twin != null) {
        twin.change(place, bytes);
      }
      long began = System.nanoTime();
      file.writeAsync(place, ByteBuffer.wrap(bytes))
          .whenComplete(
              (done, e) -> {
                if (e == null) {
                  times.add(System.nanoTime() - began);
                } else {
                  failure.compareAndSet(null, e instanceof CompletionException ? e.getCause() : e);
                }
                window.release();
              });
    }
    if (!window.tryAcquire(outstanding, END_SECONDS, TimeUnit.SECONDS)) {
      throw new IOException("Cannot measure: updates have not ended within " + END_SECONDS + " s");
    }
    return times.stream().mapToLong(Long::longValue).toArray();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
