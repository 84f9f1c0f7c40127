/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.io.IOException;
import org.apache.hadoop.ipc.StandbyException;

/**
 * Waits until all that was logged so far is durable. Not by FSEditLog.logSync: on a thread that
 * serves an RPC, that of FSEditLogAsync returns at once and only holds the response back.
 *
 * <p>Holds no lock of the namesystem while it waits, as HDFS's own calls do not: writers would wait
 * for the journal one by one, and readers behind them.
 *
 * <p>Nor by FSEditLogAsync.logSyncAll. That queues an entry which takes all transactions for
 * written that have a number by then. Those behind it in the queue have one, too: they would be
 * acknowledged without being durable, unless the caller holds the namesystem's lock until the entry
 * is done, as HDFS does. So nothing is queued: FSEditLogAsync writes what it has as soon as its
 * queue is empty, or its buffer full, and says up to which transaction all is durable. A FSEditLog
 * that is not asynchronous has no queue, and writes when it is asked.
 *
 * <p>A log that is closed meanwhile is durable: closing, under the namesystem's write lock, writes
 * all that is queued.
 *
 * <p>Reaches, package-private: FSEditLog.isOpenForWrite, getLastWrittenTxId, getSyncTxId,
 * logSyncAll; FSEditLogAsync. Checked for Hadoop 3.5.0. Callers hold no lock of the namesystem.
 * Stateless.
 */
final class DurableLog {
  /** FSEditLog notifies whoever waits for it after each write; closing it does not. */
  private static final long LOOK_MS = 10;

  private DurableLog() {}

  /**
   * Waits.
   *
   * @throws StandbyException where this NameNode is not active any more, which a failover proxy
   *     takes to the other one; what was logged before is durable
   */
  static void sync(FSNamesystem namesystem, String operation) throws IOException {
    FSEditLog log = namesystem.getEditLog();
    long upTo;
    // Not closed, and not being closed: that takes the write lock.
    NameNodeLock.ALL.readLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      requireOpen(log);
      upTo = log.getLastWrittenTxId();
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, operation);
    }
    if (log instanceof FSEditLogAsync) {
      await(log, upTo);
    } else {
      log.logSyncAll();
    }
  }

  private static void await(FSEditLog log, long upTo) throws StandbyException {
    boolean isInterrupted = false;
    try {
      synchronized (log) {
        while (log.getSyncTxId() < upTo) {
          requireOpen(log);
          try {
            log.wait(LOOK_MS);
          } catch (InterruptedException e) {
            // What is logged cannot be taken back: as HDFS does, it is waited for all the same.
            isInterrupted = true;
          }
        }
      }
    } finally {
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static void requireOpen(FSEditLog log) throws StandbyException {
    if (!log.isOpenForWrite()) {
      throw new StandbyException(
          "Cannot wait for the edit log: open=false, expected that of the active NameNode");
    }
  }
}
