/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/**
 * Looks at a disk that may not answer for minutes, on behalf of work on other disks: nobody waits
 * longer than some time, and one thread at most is at the disk. Thread-safe.
 */
final class BoundedLook {
  private final String storageId;
  private final long maxWaitMs;
  private final Runnable onUnanswered;

  /** Whoever has it is at the disk. */
  private final Semaphore turn = new Semaphore(1);

  /**
   * @param onUnanswered is called by each who has waited for too long; must not wait for the disk
   */
  BoundedLook(String storageId, long maxWaitMs, Runnable onUnanswered) {
    this.storageId = storageId;
    this.maxWaitMs = maxWaitMs;
    this.onUnanswered = onUnanswered;
  }

  /**
   * Looks.
   *
   * @throws IOException if the disk does not answer in time
   */
  boolean ask(BooleanSupplier look) throws IOException {
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    try {
      if (!turn.tryAcquire(maxWaitMs, TimeUnit.MILLISECONDS)) {
        throw unanswered();
      }
      start(look, answer);
      return answer.get(maxWaitMs, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw unanswered();
    } catch (ExecutionException e) {
      throw new IOException("Cannot look at a disk: storageId=" + storageId, e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException failure = new InterruptedIOException("Cannot look at a disk");
      failure.initCause(e);
      throw failure;
    }
  }

  private void start(BooleanSupplier look, CompletableFuture<Boolean> answer) {
    Thread looker =
        new Thread(
            () -> {
              try {
                answer.complete(look.getAsBoolean());
              } catch (RuntimeException | Error e) {
                answer.completeExceptionally(e);
              } finally {
                turn.release();
              }
            },
            "ec-update-look-" + storageId);
    looker.setDaemon(true);
    boolean isStarted = false;
    try {
      looker.start();
      isStarted = true;
    } finally {
      if (!isStarted) {
        turn.release();
      }
    }
  }

  private IOException unanswered() {
    onUnanswered.run();
    return new IOException(
        ErrorMessage.to("look at a disk")
            .value("waitedMs", maxWaitMs)
            .expected(
                "a disk that answers; try again: HDFS is asked to check it, and takes it out of"
                    + " service after dfs.datanode.disk.check.timeout")
            .where("storageId", storageId)
            .message());
  }
}
