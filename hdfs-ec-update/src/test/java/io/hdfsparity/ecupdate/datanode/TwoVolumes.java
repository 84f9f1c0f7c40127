/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.bridge.datanode.ReadCaller;
import io.hdfsparity.bridge.datanode.SnapshotReads;
import io.hdfsparity.bridge.datanode.VolumeHooks;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;

/** A DataNode and the hooks of its volumes, by storage. */
final class TwoVolumes implements AutoCloseable {
  private final EcUpdateDatasetHooks hooks = new EcUpdateDatasetHooks();
  private final Map<String, OneVolume> disks;
  private final Map<String, VolumeHooks> volumes = new HashMap<>();

  /**
   * @param late storages that are added after the start
   */
  TwoVolumes(Map<String, OneVolume> disks, Configuration conf, String... late) throws IOException {
    this.disks = disks;
    hooks.open(null, dataset(disks), conf);
    for (String storageId : disks.keySet()) {
      if (!Set.of(late).contains(storageId)) {
        add(storageId);
      }
    }
  }

  void add(String storageId) throws IOException {
    volumes.put(storageId, hooks.volume(storageId, disks.get(storageId).root().toFile()));
  }

  void added(String storageId) throws IOException {
    hooks.added(storageId);
  }

  TwoVolumes start() throws IOException {
    hooks.started(OneVolume.POOL);
    return this;
  }

  VolumeHooks hooks(String storageId) {
    return volumes.get(storageId);
  }

  SnapshotReads reads(String storageId) {
    return hooks(storageId).snapshotReads();
  }

  UpdateReplicas replicas() throws IOException {
    return hooks.replicas();
  }

  @Override
  public void close() {
    hooks.close();
  }

  /** As a client reads. */
  static SnapshotReads.Request request(ReplicaView view) {
    return new SnapshotReads.Request(
        OneVolume.POOL,
        view.blockId(),
        view.generationStamp(),
        view.lengthBytes(),
        view.blockFile(),
        view.metaFile(),
        ReadCaller.CLIENT);
  }

  /** Asks the volume of the storage that is named first. */
  private static DatasetAccess dataset(Map<String, OneVolume> volumes) {
    return (DatasetAccess)
        Proxy.newProxyInstance(
            DatasetAccess.class.getClassLoader(),
            new Class<?>[] {DatasetAccess.class},
            (proxy, method, arguments) -> {
              Object named =
                  arguments[0] instanceof List<?> several ? several.get(0) : arguments[0];
              try {
                return method.invoke(volumes.get((String) named), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
