/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import org.apache.hadoop.hdfs.server.common.AutoCloseDataSetLock;
import org.apache.hadoop.hdfs.server.common.DataNodeLockManager.LockLevel;

/**
 * The lock that FsDatasetImpl holds while it changes a replica: in Hadoop 3.5 that of the replica's
 * directory, in 3.4 that of its volume.
 *
 * <p>Reaches: LockLevel. Checked for Hadoop 3.4.3. Stateless.
 */
final class ReplicaLock {
  private ReplicaLock() {}

  /**
   * Waits for the lock, for writing; closing it releases it.
   *
   * @param blockId in Hadoop 3.5 the block's directory decides; here it does not matter
   */
  static AutoCloseDataSetLock write(
      FsDatasetImpl dataset, String pool, String storageId, long blockId) {
    return dataset.acquireDatasetLockManager().writeLock(LockLevel.VOLUME, pool, storageId);
  }
}
