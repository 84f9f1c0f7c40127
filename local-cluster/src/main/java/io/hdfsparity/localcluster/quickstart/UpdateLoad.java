/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import io.hdfsparity.ecupdate.client.FileUpdates;
import io.hdfsparity.ecupdate.updater.StripedFileUpdater;
import io.hdfsparity.ecupdate.updater.UpdaterOptions;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Programs that change files in place, each its own, and Hadoop's own client, which reads pieces of
 * them and checks each. Thread-safe.
 */
final class UpdateLoad implements Closeable {
  private static final int READERS = 2;
  private static final int MAX_PIECES = 32;
  private static final int SMALL_IN = 4;
  private static final long END_SECONDS = 90;

  private final FileSystem stock;
  private final Map<String, Pieces> files;
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Queue<String> failed = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads;

  /**
   * What was done.
   *
   * @param writes acknowledged
   * @param bytes of these
   * @param reads that were right
   * @param refused reads that HDFS refused while a node was down
   * @param slowestMs longest time that a write took
   */
  record Counts(long writes, long bytes, long reads, long refused, long slowestMs) {}

  private volatile boolean nodeDown;

  /**
   * Begins.
   *
   * @param files by path
   */
  UpdateLoad(FileSystem updating, FileSystem stock, Map<String, Pieces> files) {
    this.stock = stock;
    this.files = Map.copyOf(files);
    threads = Workers.daemons(files.size() + READERS, "update");
    long seed = 1;
    for (Map.Entry<String, Pieces> file : files.entrySet()) {
      SplittableRandom random = new SplittableRandom(seed++);
      threads.execute(
          () -> guarded(() -> update(updating, file.getKey(), file.getValue(), random)));
    }
    for (int i = 0; i < READERS; i++) {
      SplittableRandom random = new SplittableRandom(-i - 1);
      threads.execute(() -> guarded(() -> read(random)));
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private void guarded(Task task) {
    try {
      task.run();
    } catch (IOException | RuntimeException e) {
      failed.add(Texts.firstLine(e));
    }
  }

  private void update(FileSystem updating, String path, Pieces pieces, SplittableRandom random)
      throws IOException {
    try (StripedFileUpdater file =
        FileUpdates.open(updating, new Path(null, null, path), UpdaterOptions.standard())) {
      while (!ends.get()) {
        // Mostly one piece, now and then many, across cells and stripes.
        int most = Math.min(MAX_PIECES, pieces.count());
        int count = random.nextInt(SMALL_IN) == 0 ? 1 + random.nextInt(most) : 1;
        int first = random.nextInt(pieces.count() - count + 1);
        byte[] content = pieces.begin(first, count);
        long beganNanos = System.nanoTime();
        file.write((long) first * Pieces.BYTES, ByteBuffer.wrap(content));
        pieces.acknowledge(first, count);
        slowestNanos.accumulateAndGet(System.nanoTime() - beganNanos, Math::max);
        writes.incrementAndGet();
        bytes.addAndGet(content.length);
      }
    }
  }

  private void read(SplittableRandom random) throws IOException {
    List<Map.Entry<String, Pieces>> all = new ArrayList<>(files.entrySet());
    byte[] got = new byte[Pieces.BYTES];
    while (!ends.get()) {
      Map.Entry<String, Pieces> file = all.get(random.nextInt(all.size()));
      int piece = random.nextInt(file.getValue().count());
      boolean mayFail = nodeDown;
      int oldest = file.getValue().oldest(piece);
      try (FSDataInputStream in = stock.open(new Path(null, null, file.getKey()))) {
        in.readFully((long) piece * Pieces.BYTES, got);
      } catch (IOException e) {
        if (mayFail || nodeDown) {
          refused.incrementAndGet();
          continue;
        }
        throw e;
      }
      if (!file.getValue().isRight(piece, oldest, got)) {
        wrong.add(file.getKey() + ": bytes from " + (long) piece * Pieces.BYTES + " on");
      }
      reads.incrementAndGet();
    }
  }

  /** While it is, reads of what is there may be refused. */
  void setNodeDown(boolean isDown) {
    nodeDown = isDown;
  }

  long writes() {
    return writes.get();
  }

  /** What went wrong: wrong bytes first. */
  List<String> findings() {
    List<String> findings = new ArrayList<>();
    wrong.forEach(each -> findings.add("WRONG BYTES WERE READ: " + each));
    findings.addAll(failed);
    return findings;
  }

  Counts counts() {
    return new Counts(
        writes.get(), bytes.get(), reads.get(), refused.get(), slowestNanos.get() / 1_000_000);
  }

  /**
   * Ends all programs, which close their files.
   *
   * @return whether all have ended in time
   */
  boolean end() throws InterruptedException {
    ends.set(true);
    threads.shutdown();
    return threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
  }

  /** Ends them without waiting. */
  @Override
  public void close() {
    ends.set(true);
    threads.shutdownNow();
  }
}
