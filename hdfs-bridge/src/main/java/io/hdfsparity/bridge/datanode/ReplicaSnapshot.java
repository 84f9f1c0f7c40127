/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.Closeable;
import java.io.FileInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Bytes and checksums of one version of a replica, for one reader. Calls may come from several
 * threads.
 */
public interface ReplicaSnapshot extends Closeable {
  /** Of the block file. */
  long dataBytes();

  /** Of the checksum file, its header included. */
  long metaBytes();

  /**
   * Bytes of the block file.
   *
   * @return how many were read, at least one; -1 at the end
   * @throws IOException with a message; then also of every later call, so that a reader that was
   *     refused a checksum is not given the data without it
   */
  int readData(long position, byte[] into, int offset, int lengthBytes) throws IOException;

  /** Bytes of the checksum file, as {@link #readData}. */
  int readMeta(long position, byte[] into, int offset, int lengthBytes) throws IOException;

  /**
   * The block file itself, if its bytes never change: neither as long as it is open here nor
   * afterwards, as pages of it may wait to be sent by reference. It stays the snapshot's, and is
   * open until {@link #close}. Whoever reads it asks {@link #requireReadable} before each read.
   *
   * @return null if there is none, or if it was given out before, as it has one position
   */
  default @Nullable FileInputStream takeDataFile() {
    return null;
  }

  /**
   * Looks whether bytes may still be read.
   *
   * @throws IOException with the reason if not
   */
  default void requireReadable() throws IOException {}

  /** Nobody reads any more. */
  @Override
  void close();
}
