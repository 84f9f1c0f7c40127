/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.bridge.datanode;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.function.LongPredicate;

/** What the bridge's dataset lets a feature do to replicas. Thread-safe. */
public interface DatasetAccess {
  /** A replica as the dataset knows it. {@code state} is the name of Hadoop's ReplicaState. */
  record ReplicaView(
      long blockId,
      long generationStamp,
      long lengthBytes,
      String state,
      File blockFile,
      File metaFile) {}

  String blockPoolId();

  /** Replicas of a volume, in no order. */
  List<ReplicaView> replicas(String storageId);

  /** The replica of a block on a volume, or null. */
  ReplicaView replica(String storageId, long blockId);

  /**
   * Bytes that HDFS would still use of a volume, beside what it keeps free and what it has promised
   * to writers.
   *
   * @throws IOException if the volume is not in service
   */
  long availableBytes(String storageId) throws IOException;

  /** Writes bytes of a replica that is being installed. */
  interface ReplicaSink {
    void write(byte[] data, int offset, int length) throws IOException;
  }

  /** Produces the bytes of a replica that is being installed. */
  interface ReplicaSource {
    void writeTo(ReplicaSink data, ReplicaSink meta) throws IOException;
  }

  /**
   * Makes a finalized replica from bytes that did not come from a client: creates a temporary
   * replica on the volume, writes data and checksum file (with header) to it, syncs, finalizes (all
   * hooks run) and tells the NameNode.
   */
  void install(
      String storageId, long blockId, long generationStamp, long lengthBytes, ReplicaSource source)
      throws IOException;

  /**
   * Puts two files, complete and synced, in the place of those of a finalized replica, whose stamp
   * and length stay as they are: a damaged replica gets its own bytes back. The files lie in the
   * same file system and are gone afterwards. No hooks run, because nothing changes that they
   * count.
   *
   * @return false, and nothing was changed, when the dataset has no finalized replica of the block
   *     with that stamp and length on the volume
   */
  boolean replaceFiles(
      String storageId, long blockId, long generationStamp, long lengthBytes, File data, File meta)
      throws IOException;

  /**
   * Makes the files of a finalized replica its own, so that they can be changed in place: hard
   * links that an upgrade has left are broken, durably, and a checksum that the dataset has cached
   * is forgotten.
   *
   * @throws IOException if the dataset has no finalized replica of the block on the volume
   */
  void breakHardLinks(String storageId, long blockId) throws IOException;

  /**
   * Deletes the replica of a block, as if the NameNode had ordered it, and tells the NameNode,
   * which then makes another one. Asynchronous, as Hadoop's deletions are.
   *
   * @param generationStamp of the block. A replica with a later one is not deleted. One that is not
   *     finalized is deleted if its own is older: the pipeline has gone on without it. A thread
   *     that writes it still is stopped
   * @throws IOException if it is on another volume or being written, or the thread does not stop
   */
  void discard(String storageId, long blockId, long generationStamp) throws IOException;

  /**
   * Takes note again of replicas of a volume that HDFS has deleted and forgotten while the volume's
   * hooks refused to release their files, as the directory scanner would hours later. The NameNode
   * learns of them, and orders their deletion again.
   *
   * <p>A replica is found once: not again if HDFS uses one of the block on another volume. That one
   * may still be there after {@link #discard}.
   *
   * @param isWanted by block id; the others can be found later
   */
  void findRefusedDeletes(String storageId, LongPredicate isWanted) throws IOException;

  /**
   * Tells the NameNode that a replica is damaged, as a reader does. Does nothing if the volume has
   * no such replica. May wait for HDFS's locks.
   */
  void reportDamaged(String storageId, long blockId);

  /**
   * Checks the disk of a volume as HDFS does after an error of it, and by writing to it; a full
   * disk is none that fails. Takes the volume out of service if it fails. Waits for the disk, and
   * may wait for HDFS's locks.
   *
   * @return whether the volume is in service afterwards
   */
  boolean checkDisk(String storageId);

  /**
   * Lets HDFS check a disk by its own rules, and returns at once: a disk that does not answer its
   * check within {@code dfs.datanode.disk.check.timeout} is taken out of service. May be called as
   * often as you like.
   */
  void checkDiskLater(String storageId);

  /** Takes volumes out of service as if a disk check had found them broken; hooks widen the set. */
  void declareFailed(List<String> storageIds, String reason);
}
