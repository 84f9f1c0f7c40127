/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;

/**
 * Chooses the volume that the NameNode nominated by its storage id and no other, for {@code
 * dfs.datanode.fsdataset.volume.choosing.policy}.
 *
 * <p>Reaches: FsVolumeImpl, as type argument. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class StorageIdVolumeChoosingPolicy implements VolumeChoosingPolicy<FsVolumeImpl> {
  /**
   * {@inheritDoc}
   *
   * @throws DiskOutOfSpaceException when there is no volume at all, which also is how Hadoop asks
   *     for a RAM disk (FsDatasetImpl.createRbw catches it and goes on to a disk)
   * @throws IOException when the storage id is missing or unknown
   */
  @Override
  public FsVolumeImpl chooseVolume(List<FsVolumeImpl> volumes, long replicaBytes, String storageId)
      throws IOException {
    if (volumes.isEmpty()) {
      throw new DiskOutOfSpaceException(
          "Cannot choose a volume: volumes=0, expected at least one, storageId=" + storageId);
    }
    if (storageId == null || storageId.isEmpty()) {
      throw new IOException(
          "Cannot choose a volume: storageId="
              + storageId
              + ", expected the storage id that the NameNode's placement policy chose");
    }
    for (FsVolumeImpl volume : volumes) {
      if (storageId.equals(volume.getStorageID())) {
        return volume;
      }
    }
    throw new IOException(
        "Cannot choose a volume: storageId="
            + storageId
            + ", expected one of the "
            + volumes.size()
            + " volumes in service of this DataNode");
  }
}
