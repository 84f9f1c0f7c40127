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
 * <p>FSEditLogAsync.logSyncAll queues an entry for its thread and waits for it, for ever when that
 * thread has been stopped in between. It is stopped under the namesystem's write lock, when a
 * NameNode ceases to be active; so this holds the read lock, as FSNamesystem.enterSafeMode holds
 * the write lock, and looks first whether the log is open. A log that has been closed is durable:
 * closing writes all that is queued.
 *
 * <p>Reaches, package-private: FSEditLog.isOpenForWrite, logSyncAll. Checked for Hadoop 3.5.0.
 * Callers hold no lock of the namesystem. Stateless.
 */
final class DurableLog {
  private DurableLog() {}

  /**
   * @param operation for the metrics of the lock
   * @throws StandbyException when this NameNode is not active any more, which the caller's client
   *     takes to the other one; what was logged before is durable
   */
  static void sync(FSNamesystem namesystem, String operation) throws IOException {
    NameNodeLock.ALL.readLock(namesystem);
    try {
      namesystem.checkOperation(NameNode.OperationCategory.WRITE);
      if (!namesystem.getEditLog().isOpenForWrite()) {
        throw new StandbyException(
            "Cannot wait for the edit log: open=false, expected that of the active NameNode");
      }
      namesystem.getEditLog().logSyncAll();
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, operation);
    }
  }
}
