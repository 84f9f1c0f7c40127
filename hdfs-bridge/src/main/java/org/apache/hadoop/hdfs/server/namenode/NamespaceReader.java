/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

/**
 * Reads of inodes and of their blocks together, under the NameNode's lock and the directory's, both
 * for reading.
 *
 * <p>Reaches, package-private: FSDirectory's locks. Checked for Hadoop 3.5.0. Thread-safe.
 */
final class NamespaceReader {
  private final FSNamesystem namesystem;
  private final FSDirectory directory;
  private final String operation;

  /**
   * @param operation name of the lock's holder in the NameNode's metrics and log
   */
  NamespaceReader(FSNamesystem namesystem, String operation) {
    this.namesystem = namesystem;
    this.directory = namesystem.getFSDirectory();
    this.operation = operation;
  }

  /** What is read. */
  @FunctionalInterface
  interface Read<T, E extends Exception> {
    /** Called under the locks. */
    T read() throws E;
  }

  <T, E extends Exception> T locked(Read<T, E> read) throws E {
    NameNodeLock.ALL.readLock(namesystem);
    try {
      directory.readLock();
      try {
        return read.read();
      } finally {
        directory.readUnlock();
      }
    } finally {
      NameNodeLock.ALL.readUnlock(namesystem, operation);
    }
  }
}
