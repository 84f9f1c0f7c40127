/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.level.LevelRefusal;
import io.hdfsparity.izs.apply.MoveRefusal;
import io.hdfsparity.izs.apply.MoveResult;
import io.hdfsparity.izs.level.FileOutcome;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.mapping.StorageForm.Coded;
import io.hdfsparity.izs.mapping.StorageForm.Replicated;
import io.hdfsparity.izs.transfer.Mover;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.QuotaExceededException;

/**
 * Carries advice out in this process: copies on a bounded number of threads, level changes in calls
 * of many files, replication one by one. Advice is taken from one thread; {@link #take} waits when
 * all threads are busy, so a tree of any size takes a bounded amount of memory.
 */
final class ApplyRun implements AutoCloseable {
  private final DistributedFileSystem fs;
  private final LevelManagers managers;
  private final Mover mover;
  private final ApplyReport report;
  private final int batchFiles;
  private final int threads;
  private final ExecutorService pool;
  private final Semaphore idle;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final Map<Integer, List<Advice>> levels = new HashMap<>();

  ApplyRun(
      DistributedFileSystem fs,
      LevelManagers managers,
      Mover mover,
      ApplyReport report,
      int batchFiles,
      int threads) {
    this.fs = fs;
    this.managers = managers;
    this.mover = mover;
    this.report = report;
    this.batchFiles = batchFiles;
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
    this.idle = new Semaphore(threads);
  }

  /**
   * Does what is advised, now or soon.
   *
   * @throws IOException when the run cannot go on
   */
  void take(Advice advice) throws IOException {
    rethrow();
    StorageForm form = advice.form().orElse(advice.file().form());
    switch (advice.verdict()) {
      case KEEP, UNDECIDED, INVALID_IMPORTANCE -> report.leave(advice);
      case SET_REPLICATION -> setReplication(advice, (Replicated) form);
      case SET_LEVEL -> addLevel(advice, ((Coded) form).parity());
      case REWRITE -> rewrite(advice, form);
    }
  }

  private void setReplication(Advice advice, Replicated form) throws IOException {
    try {
      fs.setReplication(new Path(advice.file().path()), (short) form.copies());
    } catch (FileNotFoundException e) {
      report.refuse(advice, gone(advice));
      return;
    } catch (QuotaExceededException e) {
      report.refuse(
          advice,
          MoveRefusal.QUOTA.because(
              "quota", String.valueOf(e.getMessage()), "room", advice.file().path()));
      return;
    }
    report.change(advice, 0);
  }

  private static LevelRefusal gone(Advice advice) {
    return MoveRefusal.CHANGED.because("found", "nothing", "a file", advice.file().path());
  }

  private void addLevel(Advice advice, int level) throws IOException {
    List<Advice> batch = levels.computeIfAbsent(level, unused -> new ArrayList<>());
    batch.add(advice);
    if (batch.size() == batchFiles) {
      setLevels(level, batch);
    }
  }

  private void setLevels(int level, List<Advice> batch) throws IOException {
    while (!batch.isEmpty()) {
      List<String> paths = batch.stream().map(each -> each.file().path()).toList();
      List<FileOutcome> outcomes = managers.callActive(each -> each.setLevel(level, paths));
      for (int i = 0; i < outcomes.size(); i++) {
        Optional<LevelRefusal> refusal = outcomes.get(i).refusal();
        if (refusal.isPresent()) {
          report.refuse(batch.get(i), refusal.get());
        } else {
          report.change(batch.get(i), 0);
        }
      }
      batch.subList(0, outcomes.size()).clear();
    }
  }

  private void rewrite(Advice advice, StorageForm form) throws IOException {
    try {
      idle.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot go on: interrupted");
    }
    pool.execute(
        () -> {
          try {
            MoveResult result = mover.move(advice.file().path(), form);
            if (result.refusal().isPresent()) {
              report.refuse(advice, result.refusal().get());
            } else {
              report.change(advice, result.copiedBytes());
            }
          } catch (Throwable e) {
            // Handed to the thread that takes the advice; the first is what the user sees.
            failure.compareAndSet(null, e);
          } finally {
            idle.release();
          }
        });
  }

  /** Waits for all that was taken. */
  void finish() throws IOException {
    for (Map.Entry<Integer, List<Advice>> each : levels.entrySet()) {
      setLevels(each.getKey(), each.getValue());
    }
    try {
      idle.acquire(threads);
      idle.release(threads);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot go on: interrupted");
    }
    rethrow();
  }

  private void rethrow() throws IOException {
    Throwable thrown = failure.get();
    if (thrown instanceof Error error) {
      throw error;
    }
    if (thrown instanceof IOException io) {
      throw io;
    }
    if (thrown != null) {
      throw new IOException("Cannot go on: " + thrown.getMessage(), thrown);
    }
  }

  /** Ends the copies that are still being made; the next run begins them anew. */
  @Override
  public void close() {
    pool.shutdownNow();
    try {
      pool.awaitTermination(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
