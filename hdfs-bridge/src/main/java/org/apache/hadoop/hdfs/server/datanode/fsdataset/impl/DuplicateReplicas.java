/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
   * Deletes those that are not newer. No hook is called: it is a volume whose hooks have not
   * started.
   *
   * @param added of the volume; they are taken out of it
   * @param inService of the DataNode
   */
  @SuppressWarnings("ReferenceEquality") // Replicas of a block are equal, and one of both is meant.
  static void delete(String pool, ReplicaMap added, ReplicaMap inService) throws IOException {
    Collection<ReplicaInfo> found = added.replicas(pool);
    if (found == null) {
      return;
    }
    for (ReplicaInfo replica : List.copyOf(found)) {
      ReplicaInfo known = inService.get(pool, replica.getBlockId());
      if (known != null && BlockPoolSlice.selectReplicaToDelete(known, replica) == replica) {
        LOG.info("Deleting a replica that is no newer than {}: {}", known, replica);
        added.remove(pool, replica.getBlockId());
        Files.deleteIfExists(Path.of(replica.getBlockURI()));
        Files.deleteIfExists(Path.of(replica.getMetadataURI()));
      }
    }
  }
}
