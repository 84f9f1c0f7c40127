/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.util.Collection;
import java.util.List;
import org.apache.hadoop.hdfs.server.datanode.ReplicaInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replicas on a volume that is being added, of blocks that the DataNode has on another volume. HDFS
 * would put them in the place of the others, however old they are. As at a start, the newer replica
 * stays, and of equal ones that in service. The other one is deleted.
 *
 * <p>Reaches, all package-private: ReplicaMap, BlockPoolSlice.selectReplicaToDelete. Checked for
 * Hadoop 3.5.0. Stateless.
 */
final class DuplicateReplicas {
  private static final Logger LOG = LoggerFactory.getLogger(DuplicateReplicas.class);

  private DuplicateReplicas() {}

  /**
   * Deletes those that are not newer, if the hooks of their volume release them. As at a start, the
   * hooks are asked before they have started: generation stamp and length do not say whether a
   * replica has changes, or is covered by parity. What they keep is not used, and the directory
   * scanner finds it again.
   *
   * @param added of the volume; they are taken out of it, deleted or not: what is left in it takes
   *     the place of what is in service
   * @param inService of the DataNode
   */
  @SuppressWarnings("ReferenceEquality") // Replicas of a block are equal, and one of both is meant.
  static void delete(String pool, ReplicaMap added, ReplicaMap inService) {
    Collection<ReplicaInfo> found = added.replicas(pool);
    if (found == null) {
      return;
    }
    for (ReplicaInfo replica : List.copyOf(found)) {
      ReplicaInfo known = inService.get(pool, replica.getBlockId());
      if (known != null && BlockPoolSlice.selectReplicaToDelete(known, replica) == replica) {
        LOG.info("Deleting a replica that is no newer than {}: {}", known, replica);
        added.remove(pool, replica.getBlockId());
        // Through the FileIoProvider of the volume, which asks its hooks.
        if (!replica.deleteBlockData()) {
          LOG.warn("Replica stays, and is not used: {}", replica);
        } else if (!replica.deleteMetadata()) {
          LOG.warn("Cannot delete the checksum file of a deleted replica: {}", replica);
        }
      }
    }
  }
}
