/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_ALLOW_SAME_DISK_TIERING;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY;
import static org.apache.hadoop.hdfs.DFSConfigKeys.DFS_DATANODE_STARTUP_KEY;

import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.StartupOption;
import org.apache.hadoop.hdfs.server.common.Storage;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.StorageLocation;

/**
 * What a DataNode with hooks may not be configured to do, because bytes would change without the
 * hooks knowing.
 *
 * <p>Reaches: nothing that is not public. Checked for Hadoop 3.5.0. Stateless.
 */
final class StartRules {
  private StartRules() {}

  /**
   * Checks the configuration, before any volume exists.
   *
   * @param needsNamedStorage whether hooks leave the choice of the volume to the NameNode only
   * @param pairsVolumes whether replicas stay on the volumes where they were made
   */
  static void check(Configuration conf, boolean needsNamedStorage, boolean pairsVolumes)
      throws IOException {
    if (pairsVolumes && conf.getBoolean(DFS_DATANODE_ALLOW_SAME_DISK_TIERING, false)) {
      throw new IOException(
          "Cannot start the dataset: "
              + DFS_DATANODE_ALLOW_SAME_DISK_TIERING
              + "=true, expected false: it moves replicas between volumes, and those of this DataNode are paired");
    }
    String policy = volumePolicy(conf);
    if (needsNamedStorage
        && !policy.isEmpty()
        && !StorageIdVolumeChoosingPolicy.class.getName().equals(policy)) {
      throw new IOException(
          "Cannot start the dataset: "
              + DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY
              + "="
              + policy
              + ", expected nothing or "
              + StorageIdVolumeChoosingPolicy.class.getName()
              + ": the NameNode chooses the volume");
    }
    for (StorageLocation location : DataNode.getStorageLocations(conf)) {
      check(location, pairsVolumes);
    }
  }

  private static String volumePolicy(Configuration conf) {
    return conf.getTrimmed(DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY, "");
  }

  /** Where the NameNode chooses the volume, the DataNode's policy is to obey it. */
  static void setVolumePolicy(Configuration conf, boolean needsNamedStorage) {
    if (needsNamedStorage && volumePolicy(conf).isEmpty()) {
      conf.set(
          DFS_DATANODE_FSDATASET_VOLUME_CHOOSING_POLICY_KEY,
          StorageIdVolumeChoosingPolicy.class.getName());
    }
  }

  /**
   * Checks a storage location. RAM_DISK is the only way into lazy persist, which writes a replica
   * to one volume and keeps it on another. Volumes that are paired cannot do that; without such a
   * volume HDFS writes the replica to disk (FsDatasetImpl.createRbw).
   *
   * @param pairsVolumes whether replicas stay on the volumes where they were made
   */
  static void check(StorageLocation location, boolean pairsVolumes) throws IOException {
    StorageType type = location.getStorageType();
    if (type.isRAM() && pairsVolumes || type == StorageType.PROVIDED) {
      throw new IOException(
          "Cannot start the dataset: storageType="
              + type
              + ", expected a disk: lazy persist and provided storage bypass the hooks, file="
              + location);
    }
  }

  /**
   * Refuses a rollback to the state before an upgrade where hooks do not allow it: DataStorage
   * would put older replicas in place of those that they know. Called before DataStorage does it. A
   * rolling upgrade's rollback has no previous directory; it brings deleted replicas back from
   * trash with the bytes they had, and that is found at start.
   */
  static void checkRollback(Configuration conf) throws IOException {
    if (!DatasetHookChain.configured(conf)
        || StartupOption.getEnum(conf.get(DFS_DATANODE_STARTUP_KEY, "REGULAR"))
            != StartupOption.ROLLBACK) {
      return;
    }
    DatasetHookChain hooks = DatasetHookChain.load(conf);
    try {
      for (StorageLocation location : DataNode.getStorageLocations(conf)) {
        File root = new File(location.getUri());
        refusePrevious(root, root, hooks);
        File[] pools = new File(root, Storage.STORAGE_DIR_CURRENT).listFiles(File::isDirectory);
        for (File pool : pools == null ? new File[0] : pools) {
          refusePrevious(pool, root, hooks);
        }
      }
    } finally {
      hooks.close();
    }
  }

  private static void refusePrevious(File dir, File root, DatasetHookChain hooks)
      throws IOException {
    File previous = new File(dir, Storage.STORAGE_DIR_PREVIOUS);
    if (previous.exists() && !hooks.allowsRollback(root.toPath())) {
      throw new IOException(
          "Cannot roll back: startup=ROLLBACK, expected no state before an upgrade, because parity"
              + " or logs of updates describe the replicas as they are now; finalize the upgrade"
              + " instead, file="
              + previous);
    }
  }
}
