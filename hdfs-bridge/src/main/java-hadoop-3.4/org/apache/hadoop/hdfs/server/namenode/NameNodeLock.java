/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.hdfs.util.RwLock;

/**
 * The NameNode's lock, by what it is held for. Hadoop 3.4 has one lock for everything; 3.5 has two
 * inside.
 *
 * <p>Reaches: RwLock. Checked for Hadoop 3.4.3. Thread-safe.
 */
public enum NameNodeLock {
  /** Files and blocks. */
  ALL,
  /** The names, attributes and leases of files. */
  FILES,
  /** Blocks, their storages and the queues of blocks. */
  BLOCKS;

  /** Waits for the lock, for reading. */
  public void readLock(RwLock namesystem) {
    namesystem.readLock();
  }

  /**
   * Releases it.
   *
   * @param operation name of the lock's holder in the NameNode's metrics and log
   */
  public void readUnlock(RwLock namesystem, String operation) {
    namesystem.readUnlock(operation);
  }

  /** Waits for the lock, for writing. */
  public void writeLock(RwLock namesystem) {
    namesystem.writeLock();
  }

  /**
   * Releases it.
   *
   * @param operation name of the lock's holder in the NameNode's metrics and log
   */
  public void writeUnlock(RwLock namesystem, String operation) {
    namesystem.writeUnlock(operation);
  }
}
