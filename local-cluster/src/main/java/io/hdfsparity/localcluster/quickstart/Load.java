/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.QuickstartException.require;
import static io.hdfsparity.localcluster.quickstart.Texts.firstLine;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.util.Daemon.DaemonFactory;

/**
 * Programs that read, write and update files while disks or nodes fail. Readers compare every byte
 * that they get. Thread-safe.
 */
final class Load implements Closeable {
  static final int READERS = 2;
  private static final long END_SECONDS = 120;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong readBytes = new AtomicLong();
  private final AtomicLong refusedReads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicLong repeated = new AtomicLong();
  private final AtomicLong slowestNanos = new AtomicLong();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Queue<String> unexpected = new ConcurrentLinkedQueue<>();
  private final CountDownLatch stop = new CountDownLatch(1);
  private final List<SourceFile> sources;
  private final ExecutorService threads = Executors.newCachedThreadPool(new DaemonFactory());
  private volatile boolean failuresExpected;

  /** A program, which ends when {@link #ends} says so. */
  interface Program {
    void run(Load load) throws IOException, InterruptedException;
  }

  /**
   * Starts programs, each on a thread of its own.
   *
   * @param sources what is read; if one has changed, that is why bytes are wrong
   */
  Load(List<SourceFile> sources, List<Program> programs) {
    this.sources = sources;
    programs.forEach(program -> threads.execute(() -> run(program)));
  }

  private void run(Program program) {
    try {
      program.run(this);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException e) {
      if (!ends() || !Thread.currentThread().isInterrupted()) {
        unexpected("A reader or writer ended: " + firstLine(e));
      }
    }
  }

  /** From now on a read may be refused: what it needs may be gone. */
  void failuresBegin() {
    failuresExpected = true;
  }

  /** All that is needed is there again. */
  void failuresEnd() {
    failuresExpected = false;
  }

  boolean failuresExpected() {
    return failuresExpected;
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

  void written(long bytes, long nanos) {
    writes.incrementAndGet();
    writtenBytes.addAndGet(bytes);
    slowestNanos.accumulateAndGet(nanos, Math::max);
  }

  void repeated() {
    repeated.incrementAndGet();
  }

  void wrong(String what) {
    wrong.add(what);
  }

  void unexpected(String what) {
    unexpected.add(what);
  }

  /** Ranges read and found right. */
  long reads() {
    return reads.get();
  }

  /** Their bytes. */
  long readBytes() {
    return readBytes.get();
  }

  /** Reads that ended with an error instead of bytes, while disks or nodes were down. */
  long refusedReads() {
    return refusedReads.get();
  }

  /** Writes that were acknowledged. */
  long writes() {
    return writes.get();
  }

  /** Their bytes. */
  long writtenBytes() {
    return writtenBytes.get();
  }

  /** The longest time that one of them took. */
  long slowestMs() {
    return TimeUnit.NANOSECONDS.toMillis(slowestNanos.get());
  }

  /** Reads or writes that failed and were done again. */
  long repetitions() {
    return repeated.get();
  }

  /** Reads that returned wrong bytes; must be none. */
  int wrongReads() {
    return wrong.size();
  }

  /** Wrong bytes end everything; so does an error that nothing explains. */
  void requireSound() throws QuickstartException {
    for (SourceFile file : wrong.isEmpty() ? List.<SourceFile>of() : sources) {
      file.requireUnchanged();
    }
    String template = "WRONG BYTES WERE READ, %s TIMES:\n  %s";
    require(wrong.isEmpty(), template, wrong.size(), Texts.first(wrong));
    require(unexpected.isEmpty(), "%s", Texts.first(unexpected));
  }

  /** Refuses until so many reads were right; gives how many. */
  long requireReads(long wanted) throws Poll.NotYet, QuickstartException {
    requireSound();
    Poll.NotYet.unless(reads() >= wanted, "%s reads, expected %s", reads(), wanted);
    return reads();
  }

  /** Refuses until so many writes were acknowledged; gives how many. */
  long requireWrites(long wanted) throws Poll.NotYet, QuickstartException {
    requireSound();
    Poll.NotYet.unless(writes() >= wanted, "%s writes, waiting for %s", writes(), wanted);
    return writes();
  }

  /** What readers, and writers of files, did meanwhile. */
  void addTo(Report report) {
    report.row(
        "meanwhile",
        "{read} of {bytes} right, %s refused, %s wrong; {file} of {bytes} written, {write} repeated",
        reads(),
        readBytes(),
        refusedReads(),
        wrongReads(),
        writes(),
        writtenBytes(),
        repetitions());
  }

  /** Ends readers and writers; each finishes what it is at. */
  void end() throws QuickstartException, InterruptedException {
    stop.countDown();
    threads.shutdown();
    boolean ended = threads.awaitTermination(END_SECONDS, TimeUnit.SECONDS);
    require(ended, "Readers and writers did not end in time");
  }

  /** Ends them at once. */
  @Override
  public void close() {
    stop.countDown();
    threads.shutdownNow();
  }
}
