/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.File;
import java.io.IOException;

/**
 * Called for everything that changes the replicas of one volume, on the thread that does it and before it takes effect
 * unless said otherwise. An exception refuses the operation; the client sees its message.
 *
 * <p>Thread-safety: called concurrently for different blocks.
 */
public interface VolumeHooks {
  long capacityBytes();

  long availableBytes();

  long usedBytes();

  /** A new replica is about to be made: RBW, temporary, or a copy made by truncate. Idempotent per block. */
  void reserve(String blockPoolId, long blockId, long maxBytes) throws IOException;

  /** The replica for which {@link #reserve} was called could not be made. */
  void reserveFailed(String blockPoolId, long blockId);

  /** A complete replica is about to be moved to finalized/; both files exist at the given places. */
  void finalizing(String blockPoolId, long blockId, long generationStamp, File blockFile, File metaFile,
      long lengthBytes) throws IOException;

  /** A finalized replica is about to be reopened for writing, up to {@code maxBytes}. */
  void reopening(String blockPoolId, long blockId, File blockFile, File metaFile, long maxBytes) throws IOException;

  /** More bytes of a replica being written are in its files (not necessarily synced): packet granularity. */
  void written(String blockPoolId, long blockId, long generationStamp, File blockFile, File metaFile,
      long lengthBytes) throws IOException;

  /** A block file is about to be cut to {@code newLengthBytes}. */
  void truncating(String blockPoolId, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException;

  /**
   * A block or checksum file is about to be deleted, or to be moved out of HDFS' sight (trash).
   *
   * @return true when the hook took the file away itself (to limbo); the caller then deletes nothing
   */
  boolean removing(String blockPoolId, File file) throws IOException;

  /** A file has come back under finalized/ other than by finalize (trash restore, rollback, duplicate resolution). */
  void restored(String blockPoolId, File blockFile) throws IOException;
}
