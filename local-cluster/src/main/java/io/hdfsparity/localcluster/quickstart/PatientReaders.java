/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
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
 * Programs that read pieces of a file and compare every byte, while another file takes its place.
 * Who has a file open that is replaced gets an error, and opens it again. Thread-safe.
 */
final class PatientReaders implements Closeable {
  private static final int READERS = 2;
  private static final int MAX_BYTES = 256 << 10;
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);
  private static final long PAUSE_MS = 50;
  private static final long END_SECONDS = 120;

  private final FileSystem fileSystem;
  private final Path path;
  private final Content content;
  private final AtomicBoolean ends = new AtomicBoolean();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final Queue<String> findings = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = Workers.daemons(READERS, "read");

  /**
   * Begins.
   *
   * @param content what the file holds, whatever happens
   */
  PatientReaders(FileSystem fileSystem, Path path, Content content) {
    this.fileSystem = fileSystem;
    this.path = path;
    this.content = content;
    for (int i = 0; i < READERS; i++) {
      SplittableRandom random = new SplittableRandom(i + 1);
      threads.execute(() -> run(random));
    }
  }

  private void run(SplittableRandom random) {
    byte[] got = new byte[MAX_BYTES];
    byte[] expected = new byte[MAX_BYTES];
    try {
      while (!ends.get() && findings.isEmpty()) {
        int count = 1 + random.nextInt(MAX_BYTES);
        long position = random.nextLong(content.lengthBytes() - count + 1);
        read(position, got, count);
        content.read(position, expected, count);
        int differs = Arrays.mismatch(got, 0, count, expected, 0, count);
        if (differs >= 0) {
          findings.add("WRONG BYTES WERE READ: " + path + ", byte " + (position + differs));
        }
        reads.incrementAndGet();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      findings.add("A reader of " + path + " ended: " + Texts.firstLine(e));
    }
  }

  private void read(long position, byte[] got, int count) throws IOException, InterruptedException {
    long beganNanos = System.nanoTime();
    while (true) {
      try (FSDataInputStream in = fileSystem.open(path)) {
        in.readFully(position, got, 0, count);
        return;
      } catch (IOException e) {
        if (System.nanoTime() - beganNanos > PATIENCE_NANOS) {
          throw e;
        }
        repeated.incrementAndGet();
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
    }
  }

  /** Reads that were right. */
  long reads() {
    return reads.get();
  }

  /** Reads that failed and were repeated. */
  long repeated() {
    return repeated.get();
  }

  /** What went wrong: wrong bytes first. */
  List<String> findings() {
    return List.copyOf(findings);
  }

  /**
   * Ends all; each finishes what it is at.
   *
   * @return whether all have ended in time
   */
  boolean end() throws InterruptedException {
    ends.set(true);
    threads.shutdown();
    return threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    ends.set(true);
    threads.shutdownNow();
  }
}
