/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.Closeable;
import java.io.EOFException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Copies of the two files of a replica, to take their place before it changes for the first time.
 * Whatever stock streams have opened before, and the pages of it that wait in sockets to be sent,
 * belongs to the old files, which nobody changes any more. Durable when it is made. For one thread.
 */
final class FreshFiles implements Closeable {
  /** Copied between two looks at whether there is room, and whether the copy is wanted. */
  private static final int STEP_BYTES = 4 << 20;

  /** Says whether a copy continues. */
  interface Room {
    /**
     * Refuses a copy that so many bytes are still needed for.
     *
     * @throws IOException if there is no room for them, or the copy is not wanted any more
     */
    void require(long bytes) throws IOException;
  }

  private final ReplicaView replica;
  private final Path data;
  private final Path meta;

  private FreshFiles(ReplicaView replica, Path data, Path meta) {
    this.replica = replica;
    this.data = data;
    this.meta = meta;
  }

  /**
   * Copies the files of a finalized replica.
   *
   * @param room asked before the first byte and after each step
   * @throws IOException also if there is no room for them; then nothing is left of them
   */
  static FreshFiles copy(UpdateDirectory here, ReplicaView replica, Room room) throws IOException {
    FreshFiles made =
        new FreshFiles(
            replica, here.copiedData(replica.blockId()), here.copiedMeta(replica.blockId()));
    boolean isWhole = false;
    try {
      room.require(replica.blockFile().length() + replica.metaFile().length());
      copy(replica.blockFile(), made.data, room);
      copy(replica.metaFile(), made.meta, room);
      isWhole = true;
      return made;
    } catch (IOException e) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("cause", e)
              .expected(
                  "to copy its files before their first change; make room on the disk if there is"
                      + " none")
              .where("file", replica.blockFile())
              .message(),
          e);
    } finally {
      if (!isWhole) {
        made.close();
      }
    }
  }

  private static void copy(File from, Path to, Room room) throws IOException {
    try (FileChannel source = FileChannel.open(from.toPath(), StandardOpenOption.READ);
        FileChannel target =
            FileChannel.open(
                to,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE)) {
      long lengthBytes = source.size();
      for (long at = 0; at < lengthBytes; ) {
        room.require(lengthBytes - at);
        long count = source.transferTo(at, Math.min(STEP_BYTES, lengthBytes - at), target);
        if (count <= 0) {
          throw new EOFException("file=" + from + " ended at offset=" + at);
        }
        at += count;
      }
      target.force(true);
    }
  }

  /**
   * Puts them in the place of the replica's files.
   *
   * @throws IOException if the replica is not the one any more that was copied; then it may be
   *     tried again
   */
  void install(DatasetAccess dataset, String storageId) throws IOException {
    if (!dataset.replaceFiles(
        storageId,
        replica.blockId(),
        replica.generationStamp(),
        replica.lengthBytes(),
        data.toFile(),
        meta.toFile())) {
      throw new IOException(
          ErrorMessage.to("update a replica")
              .value("replica", dataset.replica(storageId, replica.blockId()))
              .expected(replica + ", as when its files were copied; try again")
              .message());
    }
  }

  /** What has not been put in the place of anything is deleted. */
  @Override
  public void close() throws IOException {
    Files.deleteIfExists(data);
    Files.deleteIfExists(meta);
  }
}
