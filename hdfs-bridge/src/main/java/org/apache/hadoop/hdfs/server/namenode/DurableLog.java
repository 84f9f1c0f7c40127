/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Waits until all that was logged so far is durable. Not by FSEditLog.logSync: on a thread that
 * serves an RPC, that of FSEditLogAsync returns at once and only holds the response back.
 *
 * <p>Holds no lock of the namesystem while it waits, as HDFS's own calls do not: writers would wait
 * for the journal one by one, and readers behind them.
 *
 * <p>FSEditLogAsync.logSyncAll queues an entry for its thread and waits for it, for ever when that
 * thread has been stopped in between. It is stopped under the namesystem's write lock, when a
 * NameNode ceases to be active. So a thread of its own calls it, and whoever waits for that thread
 * also looks whether the log is open. A log that has been closed is durable: closing writes all
 * that is queued, and what is waited for was queued under the lock before. An entry that is left
 * writes nothing; its thread ends when the NameNode is active again.
 *
 * <p>Reaches, package-private: FSEditLog.isOpenForWrite, logSyncAll. Checked for Hadoop 3.5.0.
 * Callers hold no lock of the namesystem. Stateless.
 */
final class DurableLog {
  private static final long LOOK_MS = 10;

  private DurableLog() {}

  /**
   * @param operation for the metrics of the lock
   * @throws StandbyException when this NameNode is not active any more, which the caller's client
   *     takes to the other one; what was logged before is durable
   */
  static void sync(FSNamesystem namesystem, String operation) throws IOException {
    FSEditLog log = namesystem.getEditLog();
    // Not closed, and not being closed: that takes the write lock.
    NameNodeLock.ALL.readLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      requireOpen(log::isOpenForWrite);
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, operation);
    }
    await(log::logSyncAll, log::isOpenForWrite);
  }

  /**
   * Waits for a sync, or for the log to be closed.
   *
   * @param sync may never return once the log is closed
   */
  static void await(Runnable sync, BooleanSupplier isOpen) throws IOException {
    FutureTask<Object> syncing = new FutureTask<>(Executors.callable(sync));
    Thread thread = new Thread(syncing, "parity-durable-log");
    thread.setDaemon(true);
    thread.start();
    boolean isInterrupted = false;
    try {
      boolean isDone = false;
      while (!isDone) {
        try {
          syncing.get(LOOK_MS, TimeUnit.MILLISECONDS);
          isDone = true;
        } catch (TimeoutException e) {
          requireOpen(isOpen);
        } catch (InterruptedException e) {
          // What is logged cannot be taken back: as HDFS does, it is waited for all the same.
          isInterrupted = true;
        } catch (ExecutionException e) {
          requireOpen(isOpen);
          throw new IOException("Cannot wait for the edit log: " + e.getMessage(), e);
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void requireOpen(BooleanSupplier isOpen) throws StandbyException {
    if (!isOpen.getAsBoolean()) {
      throw new StandbyException(
          "Cannot wait for the edit log: open=false, expected that of the active NameNode");
    }
  }
}
