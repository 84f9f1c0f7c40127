/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.File;
import java.io.IOException;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;

/**
 * Tells an {@link UpdateVolume} what HDFS does with its replicas. Space is counted by HDFS, side
 * files as other use of the disk. Thread-safe.
 */
final class UpdateVolumeHooks implements VolumeHooks {
  private final UpdateVolume volume;
  private final BooleanSupplier isTrashed;
  private final OtherVolumes others;

  /** Hooks of the only volume of a DataNode. */
  UpdateVolumeHooks(UpdateVolume volume, BooleanSupplier isTrashed) {
    this(volume, isTrashed, OtherVolumes.NONE);
  }

  /**
   * Hooks of a volume.
   *
   * @param isTrashed whether deleted files go to trash now, from where a rollback brings them back
   * @param others of the DataNode
   */
  UpdateVolumeHooks(UpdateVolume volume, BooleanSupplier isTrashed, OtherVolumes others) {
    this.volume = volume;
    this.isTrashed = isTrashed;
    this.others = others;
  }

  @Override
  public SnapshotReads snapshotReads() {
    return volume.reads();
  }

  @Override
  public void reserve(String blockPoolId, long blockId, long maxBytes) {}

  @Override
  public void reserveFailed(String blockPoolId, long blockId) {}

  @Override
  public void written(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes) {}

  @Override
  public void finalizing(
      String blockPoolId,
      long blockId,
      long generationStamp,
      File blockFile,
      File metaFile,
      long lengthBytes)
      throws IOException {
    if (isFinalized(blockFile)) {
      volume.changes().refuseIfAdmitted("change a replica", blockId);
    } else if (volume.reads().takes(blockId)) {
      volume.changes().arriving(blockId, generationStamp, blockFile, metaFile, lengthBytes);
      if (isWrittenByClient(blockFile)) {
        return;
      }
      if (others.isMoving(blockId)) {
        volume.changes().moveArrived(blockId);
      } else {
        volume.changes().copyArrived(blockId);
      }
    }
  }

  @Override
  public void reopening(
      String blockPoolId, long blockId, File blockFile, File metaFile, long maxBytes)
      throws IOException {
    if (isFinalized(blockFile)) {
      volume.changes().refuseIfAdmitted("reopen a replica", blockId);
    }
  }

  @Override
  public void truncating(
      String blockPoolId, long blockId, File blockFile, File metaFile, long newLengthBytes)
      throws IOException {
    if (isFinalized(blockFile)) {
      volume.changes().refuseIfAdmitted("truncate a replica", blockId);
    }
  }

  @Override
  public Move moving(String blockPoolId, long blockId) throws IOException {
    return volume.reads().takes(blockId) ? volume.beginMove(blockId) : () -> {};
  }

  /** What comes counts as a copy when it is finalized. */
  @Override
  public void movingHere(String blockPoolId, long blockId) {}

  @Override
  public boolean removing(String blockPoolId, File file) throws IOException {
    long blockId = Block.getBlockId(file.getName());
    if (!isFinalized(file) || !volume.reads().takes(blockId)) {
      return false;
    }
    volume.requireNoUnusedChanges(blockPoolId, blockId);
    volume.requireNotNeeded(blockPoolId, blockId, others);
    if (!Block.isBlockFilename(file)) {
      volume.changes().deleted(blockId);
      return false;
    }
    if (isTrashed.getAsBoolean()) {
      // A rollback would bring it back without its changes. What is known of others stays known.
      volume.changes().refuseIfAdmitted("move a replica to trash", blockId);
      return false;
    }
    volume.changes().deleting(blockId);
    return false;
  }

  @Override
  public void restored(String blockPoolId, File blockFile) throws IOException {
    volume.changes().restored(Block.getBlockId(blockFile.getName()), blockFile);
  }

  @Override
  public void lost(String blockPoolId, long blockId) throws IOException {
    volume.changes().lost(blockId);
  }

  /** What another DataNode sends lies in the directory of temporary replicas. */
  private static boolean isWrittenByClient(File blockFile) {
    return DataStorage.STORAGE_DIR_RBW.equals(blockFile.getParentFile().getName());
  }

  private static boolean isFinalized(File file) {
    return file.getPath()
        .contains(File.separator + DataStorage.STORAGE_DIR_FINALIZED + File.separator);
  }
}
