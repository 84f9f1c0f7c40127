/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.datanode;

import io.hdfsparity.bridge.datanode.DatasetAccess.ReplicaView;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas with changes on disks that were away, of whose blocks another disk of the DataNode has a
 * file. Generation stamp and length do not tell the two apart, so HDFS uses either.
 *
 * <p>A copy that another DataNode has sent meanwhile is right: its group was quiescent, and what it
 * was made from has let no session in since. It has the changes, and stays. Any other file may lack
 * them, as one that a move has left which was cut short: then both are withheld, until somebody
 * deletes one. For one thread; volumes have started, and none of the replicas is reported yet.
 */
final class ReturnedReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(ReturnedReplicas.class);

  private final String pool;
  private final Collection<UpdateVolume> all;

  ReturnedReplicas(String pool, Collection<UpdateVolume> all) {
    this.pool = pool;
    this.all = all;
  }

  /** Decides which of the files count, of volumes that have just started. */
  void settle(Collection<UpdateVolume> started) {
    started.forEach(this::useKeptCopies);
    started.forEach(this::settleUnused);
  }

  /** HDFS uses the replica with changes, and wanted to delete the copy. */
  private void useKeptCopies(UpdateVolume home) {
    Set<Long> kept = home.keptCopies().takeUnsettled();
    if (kept.isEmpty()) {
      return;
    }
    for (long blockId : kept) {
      for (UpdateVolume other : all) {
        ReplicaView used = other == home ? null : other.used(blockId);
        if (used != null
            && home.hasCopy(pool, blockId, used.generationStamp(), used.lengthBytes())) {
          replace(other, blockId, used.generationStamp(), home);
        }
      }
    }
    home.keptCopies().settled(kept);
    home.keptCopies().use(all);
  }

  /** HDFS uses the other file. */
  private void settleUnused(UpdateVolume changed) {
    for (Map.Entry<Long, ReplicaDescriptor> each : Map.copyOf(changed.unused()).entrySet()) {
      long blockId = each.getKey();
      for (UpdateVolume other : all) {
        if (other == changed) {
          continue;
        }
        ReplicaDescriptor descriptor = each.getValue();
        long stamp = descriptor.generationStamp();
        if (other.hasCopy(pool, blockId, stamp, descriptor.lengthBytes())) {
          replace(changed, blockId, stamp, other);
        } else {
          other.withholdUnchanged(blockId, descriptor, changed.storageId());
        }
      }
    }
  }

  private static void replace(
      UpdateVolume returned, long blockId, long generationStamp, UpdateVolume home) {
    LOG.warn(
        "Replica with updates is deleted: it was rebuilt while its disk was away: block={}"
            + " storageId={} rebuilt on storageId={}",
        blockId,
        returned.storageId(),
        home.storageId());
    try {
      returned.giveWay(blockId, generationStamp);
    } catch (IOException e) {
      LOG.error(
          "Cannot delete a replica that was rebuilt; delete its files: block={} storageId={}",
          blockId,
          returned.storageId(),
          e);
    }
  }
}
