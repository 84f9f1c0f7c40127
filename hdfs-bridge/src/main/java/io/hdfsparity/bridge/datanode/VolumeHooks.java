/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.File;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Called for everything that changes the replicas of one volume, on the thread that does it and
 * before it takes effect unless said otherwise. An exception refuses the operation; the client sees
 * its message.
 *
 * <p>Thread-safety: called concurrently for different blocks. The calls about a replica's making,
 * reopening, cutting and finalizing hold Hadoop's lock of its directory, and so does {@link
 * #removing} in some cases; when a block pool is opened or deleted it holds that of the whole pool.
 * So no call may wait for somebody who asks HDFS for a replica ({@link DatasetAccess}).
 */
public interface VolumeHooks {
  /** Given as {@code maxBytes} where HDFS does not say how long a replica may get. */
  long MAX_BYTES_UNKNOWN = Long.MAX_VALUE;

  /** A new replica is about to be made, RBW or temporary. Idempotent per block. */
  void reserve(String blockPoolId, long blockId, long maxBytes) throws IOException;

  /**
   * As {@link #reserve}, for a copy of a replica on this volume: one that is cut by truncate while
   * a snapshot holds it goes on as another block. Nobody has asked {@link DatasetHooks#storageFor}
   * for the copy, and locks of the dataset are held.
   *
   * @param sourceBlockId the replica that is copied
   */
  default void reserveCopy(String blockPoolId, long blockId, long sourceBlockId, long maxBytes)
      throws IOException {
    reserve(blockPoolId, blockId, maxBytes);
  }

  /** The replica for which {@link #reserve} was called could not be made. */
  void reserveFailed(String blockPoolId, long blockId);

  /**
   * A complete replica is about to be finalized: the place for what takes long or waits for another
   * daemon, as no lock of the dataset is held. Both files are where the replica was written. {@link
   * #finalizing} follows, with the same arguments, or {@link #finalizeFailed}. If a recovery ends
   * the replica, {@link #truncating} may come before, and the generation stamp is a later one. It
   * also comes without this call, where HDFS does not know of the replica's state beforehand.
   */
  default void beforeFinalizing(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {}

  /** A replica for which {@link #beforeFinalizing} was called is not finalized after all. */
  default void finalizeFailed(String blockPoolId, long blockId) {}

  /**
   * A complete replica is about to be moved to finalized/; both files exist at the given places.
   * Also called after a finalized replica was changed in place (cut by truncate, or given another
   * generation stamp): then the files are already in finalized/. Idempotent.
   */
  void finalizing(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException;

  /**
   * As {@link #beforeFinalizing}, for {@link #reopening}, which follows soon or not at all.
   *
   * @param maxBytes or {@link #MAX_BYTES_UNKNOWN}
   */
  default void beforeReopening(String blockPoolId, long blockId, long maxBytes)
      throws IOException {}

  /**
   * A finalized replica is about to be reopened for writing, up to {@code maxBytes}; also called
   * for a replica that was copied from another node and continues being written ({@link
   * #MAX_BYTES_UNKNOWN}).
   */
  void reopening(String blockPoolId, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException;

  /**
   * The replica for which {@link #reopening} was called could not be reopened: it stays as it was.
   */
  default void reopenFailed(String blockPoolId, long blockId) {}

  /**
   * True when {@link #written} is wanted after each packet. Asked once for each replica that is
   * opened.
   */
  default boolean wantsWrites() {
    return false;
  }

  /**
   * More bytes of a replica being written are in its files (not necessarily synced): packet
   * granularity.
   */
  void written(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException;

  /**
   * A block file is about to be cut to {@code newLengthBytes}: a finalized replica by truncate, one
   * being written by recovery, or one left by a crash at start, which is before {@link
   * DatasetHooks#started}. A finalized one is followed by {@link #finalizing} when the cut is done.
   */
  void truncating(
      String blockPoolId, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException;

  /**
   * A block or checksum file is about to be deleted, or to be moved out of HDFS' sight (trash): the
   * block file first, then its checksum file if it is still there. In trash the file has a second
   * name (hard link) already, so the hook may take this one. May be called before {@link
   * DatasetHooks#started} (left-over temporary replicas are deleted at start). An exception keeps
   * the file: HDFS gets the answer that it could not be deleted.
   *
   * @return true when the hook took the file away itself (to limbo); the caller then deletes
   *     nothing
   */
  boolean removing(String blockPoolId, File file) throws IOException;

  /**
   * A file is found under finalized/ that has come back, or has changed, other than by finalize
   * (found by the directory scanner). Called before HDFS takes note of it; an exception leaves it
   * unknown to HDFS. Only after {@link DatasetHooks#started}: what came back while the DataNode was
   * down is found there.
   */
  void restored(String blockPoolId, File blockFile) throws IOException;

  /**
   * A finalized replica's block file is gone behind HDFS' back, or cannot be accessed (found by the
   * directory scanner). HDFS forgets the replica then; an exception leaves it known.
   */
  default void lost(String blockPoolId, long blockId) throws IOException {}

  /** A replica that is being moved to another volume of its DataNode. */
  @FunctionalInterface
  interface Move extends AutoCloseable {
    /** It has been moved, or could not be. */
    @Override
    void close();
  }

  /** A finalized replica is about to be moved from here to another volume of this DataNode. */
  default Move moving(String blockPoolId, long blockId) throws IOException {
    throw notMoved(blockId);
  }

  /** A finalized replica is about to be moved here from another volume of this DataNode. */
  default void movingHere(String blockPoolId, long blockId) throws IOException {
    throw notMoved(blockId);
  }

  private static IOException notMoved(long blockId) {
    return new IOException(
        "Cannot move replica: blockId="
            + blockId
            + ", expected no DiskBalancer, Mover or storage policy satisfier on a DataNode with"
            + " paired volumes");
  }

  /**
   * Whether a replica must stay on this volume, beside those that HDFS has pinned: the Balancer and
   * the Mover pass over it. No lock of the dataset is held.
   */
  default boolean isPinned(String blockPoolId, long blockId) {
    return false;
  }

  /** Who serves reads of finalized replicas; null: Hadoop does. Asked often. */
  default @Nullable SnapshotReads snapshotReads() {
    return null;
  }
}
