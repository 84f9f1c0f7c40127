/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.core.check.ErrorMessage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Engines of volumes that have gone out of service, until they are closed. An engine writes to its
 * disk when it is closed, and a disk may have failed because it does not answer any more: so nobody
 * waits long for one. As long as it is not closed, no other may be opened on its log.
 *
 * <p>Invariant: a storage counts as closed only when all its engines are. The next one of the same
 * storage is closed after the one before. Thread-safe.
 */
final class ClosingVolumes {
  private static final Logger LOG = LoggerFactory.getLogger(ClosingVolumes.class);
  private final Map<String, CountDownLatch> closing = new ConcurrentHashMap<>();
  private final long maxWaitMs;

  /**
   * None yet.
   *
   * @param maxWaitMs how long a disk is waited for
   */
  ClosingVolumes(long maxWaitMs) {
    this.maxWaitMs = maxWaitMs;
  }

  /** Begins to close engines, by storage id, and waits for them some time. */
  void close(Map<String, Closeable> engines) {
    engines.forEach(this::begin);
    long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(maxWaitMs);
    for (String storageId : engines.keySet()) {
      long leftMs = TimeUnit.NANOSECONDS.toMillis(endNs - System.nanoTime());
      if (!isClosed(storageId, Math.max(1, leftMs))) {
        LOG.error(
            "Engine of a volume is not closed yet, and nobody waits for its disk any more:"
                + " storageId={} waitedMs={}",
            storageId,
            maxWaitMs);
      }
    }
  }

  private void begin(String storageId, Closeable engine) {
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch before = closing.put(storageId, closed);
    Thread closer =
        new Thread(() -> close(storageId, engine, before, closed), "ec-update-close-" + storageId);
    closer.setDaemon(true);
    try {
      closer.start();
    } catch (OutOfMemoryError e) {
      LOG.error("Cannot close the engine of storageId={}; restart the DataNode", storageId, e);
    }
  }

  private static void close(
      String storageId, Closeable engine, @Nullable CountDownLatch before, CountDownLatch closed) {
    try {
      if (before != null) {
        before.await();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      LOG.error("Cannot close the engine of storageId={}; restart the DataNode", storageId, e);
      return;
    }
    try {
      engine.close();
    } catch (IOException e) {
      LOG.warn("Cannot close the engine of storageId={}; its next opening recovers", storageId, e);
    } finally {
      closed.countDown();
    }
  }

  /** An interrupt ends the wait, and stays. */
  private boolean isClosed(String storageId, long waitMs) {
    CountDownLatch closed = closing.get(storageId);
    if (closed == null) {
      return true;
    }
    boolean isClosed = closed.getCount() == 0;
    try {
      isClosed = isClosed || closed.await(waitMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (isClosed) {
      closing.remove(storageId, closed);
    }
    return isClosed;
  }

  /**
   * Refuses a volume whose engine of before may still write to its log.
   *
   * @throws IOException until that is closed
   */
  void requireClosed(String storageId) throws IOException {
    if (!isClosed(storageId, 1)) {
      throw new IOException(
          ErrorMessage.to("add volume")
              .value("engine of before", "still being closed")
              .expected(
                  "a disk that has answered since it failed: try again, or restart the DataNode")
              .where("storageId", storageId)
              .message());
    }
  }
}
