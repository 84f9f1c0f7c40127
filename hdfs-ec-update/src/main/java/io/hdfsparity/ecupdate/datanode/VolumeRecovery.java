/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess;
import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import io.hdfsparity.core.check.ErrorMessage;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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

  /**
   * As {@link UpdateVolume#start}.
   *
   * @return replicas whose files are here, and of whose blocks HDFS uses other files
   */
  Map<Long, ReplicaDescriptor> start() throws IOException {
    UpdateDirectory here = engine.openDirectory();
    UpdateDirectory.Found descriptors = here.admitted();
    UpdateDirectory.Found deleting = here.removed();
    for (Map.Entry<Long, ReplicaDescriptor> each : deleting.descriptors().entrySet()) {
      startRemoved(each.getKey(), each.getValue());
    }
    for (long id : deleting.damaged().keySet()) {
      // What it was does not matter: a block file with this note does not count.
      startRemoved(id, /* descriptor= */ null);
    }
    Map<Long, ReplicaDescriptor> unused = new HashMap<>();
    for (Map.Entry<Long, ReplicaDescriptor> each : descriptors.descriptors().entrySet()) {
      if (!startAdmitted(here, each.getKey(), each.getValue())) {
        unused.put(each.getKey(), each.getValue());
      }
    }
    for (Map.Entry<Long, IOException> each : descriptors.damaged().entrySet()) {
      startUnreadable(here, each.getKey(), each.getValue());
    }
    uses.start(here, replicas.all());
    engine.open(descriptors.isEmpty() && deleting.isEmpty());
    for (Long id : replicas.all()) {
      check(id);
    }
    return unused;
  }

  private void startRemoved(long id, @Nullable ReplicaDescriptor descriptor) {
    ReplicaView replica = dataset.replica(engine.storageId(), id);
    if (replica == null) {
      // Nothing is served, but the file may come back.
      replicas.lose(id, descriptor);
      return;
    }
    replicas.remove(id, descriptor);
    LOG.error(
        "Replica is kept out of block reports and reads, and deleted, for its deletion was cut short,"
            + " or its block file was gone for some time, or it lacks changes: storageId={} block={}",
        engine.storageId(),
        id);
    discard(id, descriptor == null ? replica.generationStamp() : descriptor.generationStamp());
  }

  /** As long as HDFS knows it, a copy that is sent here may be refused. */
  private void discard(long id, long generationStamp) {
    try {
      dataset.discard(engine.storageId(), id, generationStamp);
    } catch (IOException e) {
      LOG.warn("Cannot delete a replica; delete its files: block={}", id, e);
    }
  }

  /**
   * @return false if HDFS uses another file of the block
   */
  private boolean startAdmitted(UpdateDirectory here, long id, ReplicaDescriptor descriptor)
      throws IOException {
    ReplicaView replica = dataset.replica(engine.storageId(), id);
    if (replica == null) {
      // All of the volume's replicas were looked at just now.
      return startWithoutReplica(here, id, descriptor);
    }
    replicas.put(id, descriptor, engine.files(replica.blockFile(), replica.metaFile(), id));
    try {
      descriptor.requireDescribes(replica);
      dataset.breakHardLinks(engine.storageId(), id);
    } catch (IOException e) {
      replicas.withhold(id, e);
    }
    return true;
  }

  private boolean startWithoutReplica(UpdateDirectory here, long id, ReplicaDescriptor descriptor)
      throws IOException {
    if (!engine.isGone(id)) {
      // A move that was cut short has left a file on another disk, too. The changes fit this one:
      // it is not removed, even if an earlier one was.
      replicas.forget(id);
      replicas.withhold(
          id,
          new IOException(
              ErrorMessage.to("use a replica")
                  .value("used by HDFS", false)
                  .expected(
                      "the only file of its block on this DataNode: delete the one without changes,"
                          + " which the log names, and restart the DataNode")
                  .file(engine.finalPlace(id).toPath())
                  .message()));
      return false;
    }
    startLost(here, id, descriptor);
    return true;
  }

  private void startLost(UpdateDirectory here, long id, @Nullable ReplicaDescriptor descriptor)
      throws IOException {
    LOG.warn("Replica with updates is gone: storageId={} block={}", engine.storageId(), id);
    here.remove(id);
    here.deleteState(id);
    replicas.lose(id, descriptor);
  }

  /**
   * What the log has of it may be all that there is of acknowledged changes: it is kept, and takes
   * its room, until the block file is deleted.
   */
  private void startUnreadable(UpdateDirectory here, long id, IOException why) {
    if (dataset.replica(engine.storageId(), id) == null && engine.isGone(id)) {
      try {
        startLost(here, id, /* descriptor= */ null);
        return;
      } catch (IOException e) {
        why.addSuppressed(e); // one file is no reason to refuse the disk
      }
    }
    replicas.withholdUnreadable(
        id,
        new IOException(
            ErrorMessage.to("use a replica")
                .value("descriptor", "unreadable: " + why.getMessage())
                .expected(
                    "one that can be read; its changes keep their room in the log until its block"
                        + " file and its checksum file are deleted, when HDFS has all other units of"
                        + " its group")
                .file(engine.finalPlace(id).toPath())
                .message(),
            why));
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
