/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import io.hdfsparity.bridge.Rethrow;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.DF;
import org.apache.hadoop.hdfs.server.common.Storage.StorageDirectory;
import org.apache.hadoop.hdfs.server.datanode.ParityFileIoProvider;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;
import org.apache.hadoop.hdfs.server.datanode.StorageView;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How volumes of a dataset with hooks are made, come, fail and go.
 *
 * <p>Reaches, all package-private in FsDatasetImpl: datanode, storageMap, dataStorage. Checked for
 * Hadoop 3.5.0. Thread-safe.
 */
final class DatasetVolumes {
  private static final Logger LOG = LoggerFactory.getLogger(DatasetVolumes.class);

  private final ParityFsDataset dataset;
  private final DatasetHookChain hooks;
  private final DatasetPools pools;
  private final Configuration conf;

  /** The storage id of the volume that a thread is adding. */
  private final ThreadLocal<@Nullable String> madeHere = new ThreadLocal<>();

  DatasetVolumes(
      ParityFsDataset dataset, DatasetHookChain hooks, DatasetPools pools, Configuration conf) {
    this.dataset = dataset;
    this.hooks = hooks;
    this.pools = pools;
    this.conf = conf;
  }

  /**
   * A volume with hooks, or null if none of them wants it. None gets a volume in memory: HDFS puts
   * replicas of blocks there, and no units of block groups.
   */
  @Nullable ParityVolume make(
      String storageId, StorageDirectory directory, StorageLocation location) throws IOException {
    try {
      return makeLocked(storageId, directory, location);
    } catch (IOException | RuntimeException e) {
      // FsDatasetImpl would keep the lock, and refuse the next attempt for it.
      if (pools.isStarted()) {
        directory.unlock();
      }
      throw e;
    }
  }

  private @Nullable ParityVolume makeLocked(
      String storageId, StorageDirectory directory, StorageLocation location) throws IOException {
    StartRules.check(location, hooks.pairsVolumes());
    if (dataset.storageMap.containsKey(storageId)) {
      throw new IOException(
          "Cannot add volume: storageId="
              + storageId
              + ", expected one that no volume in service has, file="
              + directory.getRoot());
    }
    madeHere.set(storageId);
    VolumeHooks allPools =
        location.getStorageType().isTransient()
            ? null
            : hooks.volume(storageId, directory.getRoot());
    if (allPools == null) {
      LOG.info("Volume stays stock: storageId={}, file={}", storageId, directory.getRoot());
      return null;
    }
    VolumeHooks volumeHooks = new PoolHooks(allPools, pools::isStock);
    RefusedDeletes refused = new RefusedDeletes();
    // The directory scanner passes over blocks that are being deleted; one that stays must not be
    // taken for such.
    ParityFileIoProvider files =
        new ParityFileIoProvider(
            conf,
            dataset.datanode,
            directory.getCurrentDir(),
            volumeHooks,
            (pool, blockId, file) -> {
              dataset.removeDeletedBlocks(pool, Set.of(blockId));
              refused.add(pool, blockId, file);
            });
    return new ParityVolume(
        dataset,
        storageId,
        directory,
        files,
        conf,
        new DF(directory.getRoot(), conf),
        volumeHooks,
        refused,
        pools.isStarted() ? ParityVolume.Added.LATER : ParityVolume.Added.AT_START);
  }

  /** All that the thread was adding have been added. */
  void endAdding() {
    madeHere.remove();
  }

  /** Forgets the volume that the thread was adding, unless it is in service. */
  void endAddingOne() {
    String storageId = madeHere.get();
    madeHere.remove();
    if (storageId != null
        && dataset.getVolumeList().stream()
            .noneMatch(each -> each.getStorageID().equals(storageId))) {
      hooks.failed(Set.of(storageId));
    }
  }

  /** What is on the volume is known; no hook has been called yet. */
  void startAdded(StorageLocation location) throws IOException {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (location.equals(volume.getStorageLocation())
          && volume instanceof ParityVolume added
          && added.isStarting()) {
        boolean isServing = false;
        try {
          hooks.added(added.getStorageID());
          added.started();
          isServing = true;
        } finally {
          if (!isServing) {
            dataset.takeOut(List.of(location), /* clearFailure= */ true);
            ((StorageView) dataset.dataStorage).remove(List.of(location));
          }
        }
      }
    }
  }

  /** Refuses a reconfiguration that would take away a volume that has to stay. */
  void requireRemovable(Collection<StorageLocation> locations) {
    Set<String> leaving = storageIds(locations);
    if (leaving.isEmpty()) {
      return;
    }
    // DataNode.refreshVolumes catches the IOException and reports it.
    if (!hooks.allowsHotSwap()) {
      throw Rethrow.unchecked(
          new IOException(
              "Cannot remove volumes: locations="
                  + locations
                  + ", expected paired volumes to be removed by failing their disk or by a"
                  + " restart of the DataNode"));
    }
    try {
      hooks.removing(leaving);
    } catch (IOException e) {
      throw Rethrow.unchecked(e);
    }
  }

  /** Those of volumes in service. */
  Set<String> storageIds(Collection<StorageLocation> locations) {
    return dataset.getVolumeList().stream()
        .filter(volume -> locations.contains(volume.getStorageLocation()))
        .map(FsVolumeImpl::getStorageID)
        .collect(Collectors.toSet());
  }

  /** Volumes in service that fail with others. */
  Set<FsVolumeSpi> failingWith(Set<String> storageIds) {
    Set<String> wide = hooks.widenFailure(storageIds);
    return dataset.getVolumeList().stream()
        .filter(v -> wide.contains(v.getStorageID()) && !storageIds.contains(v.getStorageID()))
        .collect(Collectors.toSet());
  }

  /**
   * A volume with hooks.
   *
   * @throws ReplicaNotFoundException unless it is in service
   */
  ParityVolume find(String storageId) throws IOException {
    for (FsVolumeImpl volume : dataset.getVolumeList()) {
      if (volume.getStorageID().equals(storageId) && volume instanceof ParityVolume parity) {
        return parity;
      }
    }
    throw new ReplicaNotFoundException(
        "Cannot find volume: storageId="
            + storageId
            + ", expected a volume with hooks that is in service");
  }
}
