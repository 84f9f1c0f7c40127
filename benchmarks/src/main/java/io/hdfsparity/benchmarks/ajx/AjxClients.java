/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.benchmarks.ajx;

import io.hdfsparity.benchmarks.ecupdate.UpdatedFiles;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Clients that read or write blocks at random places, each in a file of its own, so many at a time.
 * Used by one thread.
 */
final class AjxClients implements Closeable {
  /** Longer than an operation may take. */
  private static final long END_SECONDS = 180;

  private final UpdatedFiles files;
  private final int blockBytes;
  private final int outstanding;
  private final SplittableRandom seeds;

  /** What a client asks for. */
  enum Operation {
    READ,
    WRITE,
    /** One or the other, by chance. */
    EITHER
  }

  /**
   * An operation that has ended well.
   *
   * @param endNanos since the run began
   * @param tookNanos it lasted
   */
  record Done(long endNanos, long tookNanos) {}

  /**
   * Opens files.
   *
   * @param paths one for each client
   * @param outstanding operations of a client at a time
   */
  AjxClients(FileSystem fs, List<Path> paths, int blockBytes, int outstanding, long seed)
      throws IOException {
    this.blockBytes = blockBytes;
    this.outstanding = outstanding;
    seeds = new SplittableRandom(seed);
    files = UpdatedFiles.open(fs, paths, outstanding);
  }

  /**
   * Works for a time, and waits for what is under way then.
   *
   * @return all operations, each client's in the order in which they ended
   * @throws IOException when one fails
   */
  List<Done> run(Operation operation, double seconds) throws IOException, InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(files.all().size());
    long begun = System.nanoTime();
    long until = begun + (long) (seconds * 1e9);
    try {
      List<Future<ConcurrentLinkedQueue<Done>>> clients = new ArrayList<>();
      for (StripedFileUpdater file : files.all()) {
        SplittableRandom random = seeds.split();
        clients.add(threads.submit(() -> work(file, operation, random, begun, until)));
      }
      List<Done> all = new ArrayList<>();
      for (Future<ConcurrentLinkedQueue<Done>> client : clients) {
        all.addAll(client.get((long) seconds + END_SECONDS, TimeUnit.SECONDS));
      }
      return all;
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("Cannot measure: an operation failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  private ConcurrentLinkedQueue<Done> work(
      StripedFileUpdater file, Operation operation, SplittableRandom random, long begun, long until)
      throws IOException, InterruptedException {
    ConcurrentLinkedQueue<Done> done = new ConcurrentLinkedQueue<>();
    ConcurrentLinkedQueue<Throwable> failed = new ConcurrentLinkedQueue<>();
    Semaphore window = new Semaphore(outstanding);
    byte[] bytes = new byte[blockBytes];
    long places = file.lengthBytes() / blockBytes;
    while (System.nanoTime() < until && failed.isEmpty()) {
      window.acquire();
      boolean isWrite =
          operation == Operation.WRITE || operation == Operation.EITHER && random.nextBoolean();
      long place = random.nextLong(places) * blockBytes;
      long from = System.nanoTime();
      CompletableFuture<?> one;
      if (isWrite) {
        random.nextBytes(bytes);
        one = file.writeAsync(place, ByteBuffer.wrap(bytes));
      } else {
        one = file.readAsync(place, blockBytes);
      }
      one.whenComplete(
          (result, problem) -> {
            long now = System.nanoTime();
            if (problem == null) {
              done.add(new Done(now - begun, now - from));
            } else {
              failed.add(problem);
            }
            window.release();
          });
    }
    window.acquire(outstanding);
    if (!failed.isEmpty()) {
      throw new IOException("Cannot measure: an operation failed", failed.peek());
    }
    return done;
  }

  /**
   * Recomputes the parity of all stripes.
   *
   * @throws IOException when some is not what is stored
   */
  void requireParity() throws IOException {
    files.requireParity(TimeUnit.SECONDS.toMillis(END_SECONDS));
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
