/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.hdfs.util.RwLock;
import org.apache.hadoop.hdfs.util.RwLockMode;

/**
 * The NameNode's lock, by what it is held for. Hadoop 3.5 has two locks inside, which its own
 * configuration can tell apart; 3.4 has one.
 *
 * <p>Reaches: RwLock, RwLockMode. Checked for Hadoop 3.5.0. Thread-safe.
 */
public enum NameNodeLock {
  /** Files and blocks. */
  ALL(RwLockMode.GLOBAL),
  /** The names, attributes and leases of files. */
  FILES(RwLockMode.FS),
  /** Blocks, their storages and the queues of blocks. */
  BLOCKS(RwLockMode.BM);

  private final RwLockMode mode;

  NameNodeLock(RwLockMode mode) {
    this.mode = mode;
  }

  /** Waits for the lock, for reading. */
  public void readLock(RwLock namesystem) {
    namesystem.readLock(mode);
  }

  /**
   * Releases it.
   *
   * @param operation name of the lock's holder in the NameNode's metrics and log
   */
  public void readUnlock(RwLock namesystem, String operation) {
    namesystem.readUnlock(mode, operation);
  }

  /** Waits for the lock, for writing. */
  public void writeLock(RwLock namesystem) {
    namesystem.writeLock(mode);
  }

  /**
   * Releases it.
   *
   * @param operation name of the lock's holder in the NameNode's metrics and log
   */
  public void writeUnlock(RwLock namesystem, String operation) {
    namesystem.writeUnlock(mode, operation);
  }
}
