/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.datanode;

import io.hdfsparity.bridge.datanode.VolumeHooks;
import io.hdfsparity.core.store.DirectoryListing;
import io.hdfsparity.raidp.image.FrameDirectory;
import io.hdfsparity.raidp.image.Limbo;
import io.hdfsparity.raidp.image.ReplicaFiles;
import io.hdfsparity.raidp.image.TornTail;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.BlockType;

/**
 * The hooks of a volume of a disk that could not be opened. Plain replicas are made there as ever.
 * Which of the older ones are plain is said by the Lstor alone: those are read, and do not change,
 * because no parity would follow. But units of erasure-coded files are always plain.
 *
 * <p>Which replicas were made meanwhile is kept in memory: after a restart they are older ones.
 * When the disk is back they have no rows, and are plain. Thread-safe.
 */
final class RefusedVolume implements VolumeHooks {
  private final RefusedDisk disk;
  private final FrameDirectory directory;
  private final FrameChoice choice;
  private final Set<Long> plain = ConcurrentHashMap.newKeySet();

  RefusedVolume(RefusedDisk disk, Path directory, FrameChoice choice) {
    this.disk = disk;
    this.directory = new FrameDirectory(directory);
    this.choice = choice;
  }

  /**
   * Whether what HDFS does to the replica of a block concerns no parity. A unit of an erasure-coded
   * file never has a row.
   */
  private boolean isPlain(long blockId) {
    return plain.contains(blockId) || BlockType.fromBlockId(blockId) != BlockType.CONTIGUOUS;
  }

  private IOException refused(String operation) {
    return disk.refused(operation);
  }

  private void requirePlain(long blockId, String operation) throws IOException {
    if (!isPlain(blockId)) {
      throw refused(operation + " block " + blockId);
    }
  }

  @Override
  public boolean isPinned(String pool, long blockId) {
    return !isPlain(blockId);
  }

  @Override
  public void reserve(String pool, long blockId, long maxBytes) throws IOException {
    try {
      if (choice.frameFor(blockId).isPresent() || isInLimbo(blockId)) {
        throw refused("create block " + blockId);
      }
      plain.add(blockId);
    } finally {
      choice.done(blockId);
    }
  }

  /**
   * The Lstor may have a row of it, by which the new replica would be taken for the deleted one.
   */
  private boolean isInLimbo(long blockId) throws IOException {
    Path limbo = directory.root().resolve(Limbo.DIRECTORY);
    if (!Files.isDirectory(limbo)) {
      return false;
    }
    return !DirectoryListing.of(limbo, "blk_" + blockId + "_*").isEmpty();
  }

  @Override
  public void reserveCopy(String pool, long blockId, long sourceBlockId, long maxBytes)
      throws IOException {
    requirePlain(sourceBlockId, "copy");
    plain.add(blockId);
  }

  @Override
  public void reserveFailed(String pool, long blockId) {
    plain.remove(blockId);
  }

  @Override
  public void finalizing(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    requirePlain(blockId, "finalize");
  }

  @Override
  public void reopening(String pool, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    requirePlain(blockId, "append to");
  }

  @Override
  public void written(
      String pool,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    requirePlain(blockId, "write");
  }

  @Override
  public void truncating(
      String pool, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    // At its start Hadoop takes a replica that it cannot cut for an empty one. A lease recovery
    // that finds only empty ones deletes the block, whatever the disk has of it.
    if (TornTail.isCut(directory, pool, blockFile.toPath(), metaFile.toPath(), newLengthBytes)) {
      return;
    }
    requirePlain(blockId, "truncate");
  }

  @Override
  public boolean removing(String pool, File file) throws IOException {
    Path path = file.toPath();
    if (!directory.isLivePlace(pool, path)) {
      return false;
    }
    if (!ReplicaFiles.isData(path) && !ReplicaFiles.isMeta(path)) {
      throw refused("delete file " + file);
    }
    long blockId = ReplicaFiles.blockIdOf(path);
    requirePlain(blockId, "delete");
    // The checksum file comes after the block file.
    if (ReplicaFiles.isMeta(path)) {
      plain.remove(blockId);
    }
    return false;
  }

  @Override
  public void restored(String pool, File blockFile) throws IOException {
    requirePlain(ReplicaFiles.blockIdOf(blockFile.toPath()), "take in");
  }

  @Override
  public void lost(String pool, long blockId) {
    plain.remove(blockId);
  }
}
