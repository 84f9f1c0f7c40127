/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import java.io.IOException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The start of a volume: what of it was admitted or removed before, and what of that holds. */
final class VolumeRecovery {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeRecovery.class);

  private final VolumeEngine engine;
  private final DatasetAccess dataset;
  private final AdmittedReplicas replicas;
  private final ReplicaUses uses;

  VolumeRecovery(
      VolumeEngine engine, DatasetAccess dataset, AdmittedReplicas replicas, ReplicaUses uses) {
    this.engine = engine;
    this.dataset = dataset;
    this.replicas = replicas;
    this.uses = uses;
  }

  /** As {@link UpdateVolume#start}. */
  void start() throws IOException {
    UpdateDirectory here = engine.openDirectory();
    UpdateDirectory.Found descriptors = here.admitted();
    UpdateDirectory.Found deleting = here.removed();
    for (Map.Entry<Long, ReplicaDescriptor> each : deleting.descriptors().entrySet()) {
      startRemoved(here, each.getKey(), each.getValue());
    }
    deleting.damaged().forEach(replicas::withhold);
    for (Map.Entry<Long, ReplicaDescriptor> each : descriptors.descriptors().entrySet()) {
      startAdmitted(here, each.getKey(), each.getValue());
    }
    descriptors.damaged().forEach(replicas::withhold);
    uses.start(here, replicas.all());
    engine.open(descriptors.isEmpty() && deleting.isEmpty());
    for (Long id : replicas.all()) {
      check(id);
    }
  }

  private void startRemoved(UpdateDirectory here, long id, ReplicaDescriptor descriptor)
      throws IOException {
    if (dataset.replica(engine.storageId(), id) == null) {
      here.forgetRemoved(id);
      return;
    }
    replicas.remove(id, descriptor);
    LOG.error(
        "Replica is kept out of block reports and reads, for its deletion was cut short; delete its"
            + " files: storageId={} block={}",
        engine.storageId(),
        id);
  }

  private void startAdmitted(UpdateDirectory here, long id, ReplicaDescriptor descriptor)
      throws IOException {
    ReplicaView replica = dataset.replica(engine.storageId(), id);
    if (replica == null) {
      // All of the volume's replicas were looked at just now.
      LOG.warn("Replica with updates is gone: storageId={} block={}", engine.storageId(), id);
      here.forget(id);
      return;
    }
    replicas.put(id, descriptor, engine.files(replica.blockFile(), replica.metaFile(), id));
    try {
      descriptor.requireDescribes(replica);
      dataset.breakHardLinks(engine.storageId(), id);
    } catch (IOException e) {
      replicas.withhold(id, e);
    }
  }

  /** Withholds a replica that cannot be read. */
  private void check(long id) throws IOException {
    try {
      replicas.requireUsable(id);
      engine.running().openReader(engine.key(id)).close();
      replicas.allowWrites(id);
    } catch (IOException e) {
      replicas.withhold(id, e);
    } catch (InterruptedException e) {
      throw VolumeEngine.interrupted(e);
    }
  }
}
