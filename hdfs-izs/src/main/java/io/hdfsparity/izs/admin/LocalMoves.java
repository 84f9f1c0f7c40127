/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.izs.apply.ApplyItem;
import io.hdfsparity.izs.apply.MoveResult;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.transfer.Mover;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Moves in this process, on a bounded number of threads. {@link #take} waits while all are busy, so
 * a tree of any size takes a bounded amount of memory.
 */
final class LocalMoves implements Moves {
  private final Mover mover;
  private final ApplyReport report;
  private final int threads;
  private final ExecutorService pool;
  private final Semaphore idle;
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  LocalMoves(Mover mover, ApplyReport report, int threads) {
    this.mover = mover;
    this.report = report;
    this.threads = threads;
    this.pool = Executors.newFixedThreadPool(threads);
    this.idle = new Semaphore(threads);
  }

  @Override
  public void take(Advice advice) throws IOException {
    rethrow();
    acquire(1);
    pool.execute(
        () -> {
          try {
            move(advice);
          } catch (Throwable e) {
            // Handed to the thread that takes the advice; the first is what the user sees.
            failure.compareAndSet(null, e);
          } finally {
            idle.release();
          }
        });
  }

  private void move(Advice advice) throws IOException {
    ApplyItem item = ApplyItem.of(advice);
    MoveResult result = mover.move(item.path(), item.inodeId(), advice.form().orElseThrow());
    if (result.refusal().isPresent()) {
      report.refuse(item, result.refusal().get());
    } else {
      report.change(item, result.copiedBytes());
    }
  }

  private void acquire(int permits) throws IOException {
    try {
      idle.acquire(permits);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Cannot continue: interrupted");
    }
  }

  @Override
  public void finish() throws IOException {
    acquire(threads);
    idle.release(threads);
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
      throw new IOException("Cannot continue: " + thrown.getMessage(), thrown);
    }
  }

  /** Ends the copies that are still being made; the next run restarts them. */
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
