/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;

/**
 * Readers and writers that go on while disks fail and are recovered. Readers compare every byte
 * that they get; writers note a file in the ledger when HDFS has acknowledged it, and from then on
 * it has to be there.
 *
 * <p>Thread-safe.
 */
final class Load implements AutoCloseable {
  private static final int READERS = 2;
  private static final int WRITERS = 2;
  private static final long END_SECONDS = 60;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong refusedReads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicLong retriedWrites = new AtomicLong();
  private final ConcurrentLinkedQueue<String> wrong = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> unexpected = new ConcurrentLinkedQueue<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final ExecutorService threads;
  private volatile boolean disksDown;

  private Load(FileSystem fileSystem, Ledger ledger, int writers, long budgetBytes) {
    threads = Workers.daemons(READERS + writers, "load");
    for (int i = 0; i < READERS; i++) {
      threads.execute(new ReadLoop(fileSystem, ledger, this));
    }
    for (int i = 0; i < writers; i++) {
      threads.execute(new WriteLoop(fileSystem, ledger, this, i, budgetBytes / writers));
    }
  }

  /** Starts readers of what is in the ledger. */
  static Load readers(FileSystem fileSystem, Ledger ledger) {
    return new Load(fileSystem, ledger, 0, 0);
  }

  /**
   * Starts readers and writers.
   *
   * @param fileSystem a stock client
   * @param ledger what is read, and where writers note their files
   * @param budgetBytes most bytes of written files at one time; then the oldest are deleted
   */
  static Load readersAndWriters(FileSystem fileSystem, Ledger ledger, long budgetBytes) {
    return new Load(fileSystem, ledger, WRITERS, budgetBytes);
  }

  /** From now on a read may be refused: both replicas may be gone. */
  void disksGoDown() {
    disksDown = true;
  }

  boolean disksDown() {
    return disksDown;
  }

  /** Waits; true when the load shall end. */
  boolean pause(long ms) throws InterruptedException {
    return stop.await(ms, TimeUnit.MILLISECONDS);
  }

  boolean ends() {
    return stop.getCount() == 0;
  }

  void read(long bytes) {
    reads.incrementAndGet();
    readBytes.addAndGet(bytes);
  }

  void refused() {
    refusedReads.incrementAndGet();
  }

  void written(long bytes) {
    writes.incrementAndGet();
    writtenBytes.addAndGet(bytes);
  }

  void retried() {
    retriedWrites.incrementAndGet();
  }

  void wrong(String what) {
    wrong.add(what);
  }

  void unexpected(String what) {
    unexpected.add(what);
  }

  LoadCounts counts() {
    List<String> wrongNow = new ArrayList<>(wrong);
    return new LoadCounts(
        reads.get(),
        readBytes.get(),
        refusedReads.get(),
        writes.get(),
        writtenBytes.get(),
        retriedWrites.get(),
        wrongNow,
        new ArrayList<>(unexpected));
  }

  /**
   * Ends readers and writers; each finishes what it is at.
   *
   * @return whether all ended
   */
  boolean end() throws InterruptedException {
    stop.countDown();
    threads.shutdown();
    return threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
  }

  /** Ends them at once. */
  @Override
  public void close() {
    stop.countDown();
    threads.shutdownNow();
  }
}
