/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import io.hdfsparity.bridge.namenode.BlockSuperchunks.Home;
import java.util.Collection;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.CorruptReplica;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Sides of superchunks with replicas that HDFS does not count, of blocks without a good replica
 * anywhere but on one disk. They are as if they had no such block. Immutable.
 */
final class DamagedSides {
  private final Set<Side> sides = new HashSet<>();

  /** Storages with such replicas whose superchunk is not known: it may be any of theirs. */
  private final Set<String> anySide = new HashSet<>();

  private record Side(String storageId, long superchunkId) {}

  /**
   * @param replicas that {@link #isOfBlockOnlyOn} has found
   * @param homes where blocks belong
   */
  DamagedSides(Collection<CorruptReplica> replicas, BlockSuperchunks homes) {
    for (CorruptReplica replica : replicas) {
      StoredBlock block = replica.block();
      Optional<Home> home = homes.of(block.blockId(), block.storageIds());
      home.ifPresentOrElse(
          its -> sides.add(new Side(replica.storageId(), its.superchunkId())),
          () -> anySide.add(replica.storageId()));
    }
  }

  /**
   * Whether a marked replica is one of a block whose last good replica the disk may have: it is
   * elsewhere, and no other place that answers has a good one. Does not block.
   */
  static boolean isOfBlockOnlyOn(ClusterView view, DiskView disk, CorruptReplica replica) {
    return !disk.storageIds().contains(replica.storageId())
        && replica.block().storageIds().stream()
            .filter(id -> replica.block().markAt(id).isEmpty())
            .allMatch(id -> disk.storageIds().contains(id) || isSilent(view, id));
  }

  /** A storage without frames is HDFS's alone, and counts as HDFS counts it. */
  private static boolean isSilent(ClusterView view, String storageId) {
    return view.framesOn(storageId).stream()
        .map(frame -> view.nodes().get(frame.nodeUuid()))
        .anyMatch(node -> node == null || node.silence() != NodeState.Silence.NONE);
  }

  /** Whether a side of a superchunk has, or may have, such a replica. */
  boolean has(FrameView side, long superchunkId) {
    return anySide.contains(side.storageId())
        || sides.contains(new Side(side.storageId(), superchunkId));
  }
}
