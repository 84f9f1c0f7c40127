/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configurable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.RoundRobinVolumeChoosingPolicy;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.VolumeChoosingPolicy;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the volume that the NameNode nominated by its storage id, for {@code
 * dfs.datanode.fsdataset.volume.choosing.policy}.
 *
 * <p>The Balancer, the Mover and the storage policy satisfier name none (Dispatcher.PendingMove
 * sends no storage id, which arrives as an empty one), and some clients neither. Unless hooks have
 * found the storage ({@link DatasetPools#storageFor}), the DataNode then does as Hadoop does by
 * default, by {@link RoundRobinVolumeChoosingPolicy} with its keys. So it does when the storage
 * that is named has no room, as Hadoop obeys no name. What must not be made on another volume is
 * refused there by its hooks.
 *
 * <p>Reaches: FsVolumeImpl, as type argument. Checked for Hadoop 3.5.0. Thread-safe.
 */
public final class StorageIdVolumeChoosingPolicy
    implements VolumeChoosingPolicy<FsVolumeImpl>, Configurable {
  private final RoundRobinVolumeChoosingPolicy<FsVolumeImpl> ours =
      new RoundRobinVolumeChoosingPolicy<>();
  private @Nullable Configuration conf;

  @Override
  public void setConf(Configuration conf) {
    this.conf = conf;
    ours.setConf(conf);
  }

  @Override
  public @Nullable Configuration getConf() {
    return conf;
  }

  /**
   * {@inheritDoc}
   *
   * @throws DiskOutOfSpaceException when there is no volume at all, which also is how Hadoop asks
   *     for a RAM disk (FsDatasetImpl.createRbw catches it and takes a disk then); or none has the
   *     room
   */
  @Override
  public FsVolumeImpl chooseVolume(
      List<FsVolumeImpl> volumes, long replicaBytes, @Nullable String storageId)
      throws IOException {
    if (volumes.isEmpty()) {
      throw new DiskOutOfSpaceException(
          "Cannot choose a volume: volumes=0, expected at least one, storageId=" + storageId);
    }
    for (FsVolumeImpl volume : volumes) {
      if (volume.getStorageID().equals(storageId) && volume.getAvailable() >= replicaBytes) {
        return volume;
      }
    }
    return ours.chooseVolume(volumes, replicaBytes, storageId);
  }
}
