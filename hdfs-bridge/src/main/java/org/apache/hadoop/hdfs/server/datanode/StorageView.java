/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;

/**
 * A DataStorage that hides its directories until {@link #showDirectories} is called.
 *
 * <p>Why: FsDatasetImpl's constructor makes the volumes with a private method that cannot be
 * overridden. Shown an empty storage it makes none, and the dataset then adds each one through the
 * public addVolume, which calls createFsVolume.
 *
 * <p>Reaches: package-private members of DataStorage by overriding (getNumStorageDirs,
 * getStorageDir, dirIterator, prepareVolume, the trash and rolling upgrade methods) and the public
 * constructor of VolumeBuilder. Every method that FsDatasetImpl calls on its storage is forwarded.
 * Checked for Hadoop 3.5.0. Thread-safe after the dataset's constructor.
 */
public final class StorageView extends DataStorage {
  private final DataStorage real;
  private volatile boolean hidden = true;

  /** Hides the directories of {@code real}. */
  public StorageView(DataStorage real) {
    super((StorageInfo) real);
    this.real = real;
  }

  /** From now on behaves as the storage behind it. */
  public void showDirectories() {
    hidden = false;
  }

  /** Lets go of directories whose volumes are out of service. */
  public void remove(List<StorageLocation> locations) throws IOException {
    real.removeVolumes(locations);
  }

  @Override
  public int getNumStorageDirs() {
    return hidden ? 0 : real.getNumStorageDirs();
  }

  @Override
  public StorageDirectory getStorageDir(int index) {
    return real.getStorageDir(index);
  }

  // Not hidden: the constructor counts failed volumes with it (getInitialVolumeFailureInfos).
  @Override
  public Iterator<StorageDirectory> dirIterator() {
    return real.dirIterator();
  }

  @Override
  public VolumeBuilder prepareVolume(
      DataNode datanode, StorageLocation location, List<NamespaceInfo> namespaces)
      throws IOException {
    if (!hidden) {
      return real.prepareVolume(datanode, location, namespaces);
    }
    // The directory was loaded and locked by recoverTransitionRead; it needs no second preparation.
    for (int i = 0; i < real.getNumStorageDirs(); i++) {
      if (real.getStorageDir(i).getStorageLocation().equals(location)) {
        return new VolumeBuilder(this, real.getStorageDir(i));
      }
    }
    throw new IOException(
        "Cannot add volume: location=" + location + ", expected a loaded storage directory");
  }

  @Override
  public BlockPoolSliceStorage getBPStorage(String blockPoolId) {
    return real.getBPStorage(blockPoolId);
  }

  @Override
  public String getDatanodeUuid() {
    return real.getDatanodeUuid();
  }

  @Override
  public String getTrashDirectoryForReplica(String blockPoolId, ReplicaInfo replica) {
    return real.getTrashDirectoryForReplica(blockPoolId, replica);
  }

  @Override
  public void enableTrash(String blockPoolId) {
    real.enableTrash(blockPoolId);
  }

  @Override
  public void clearTrash(String blockPoolId) {
    real.clearTrash(blockPoolId);
  }

  @Override
  public boolean trashEnabled(String blockPoolId) {
    return real.trashEnabled(blockPoolId);
  }

  @Override
  public void setRollingUpgradeMarker(String blockPoolId) throws IOException {
    real.setRollingUpgradeMarker(blockPoolId);
  }

  @Override
  public void clearRollingUpgradeMarker(String blockPoolId) throws IOException {
    real.clearRollingUpgradeMarker(blockPoolId);
  }
}
