/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import io.hdfsparity.raidp.wire.message.Pairing;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.NameNodeAccess.StoredBlock;

/**
 * Tells replicas that are lost from those that are only out of reach. A DataNode that is silent may
 * come back with all that it has acknowledged; a disk that its DataNode or an administrator has
 * declared failed does not. Pure.
 */
final class LostReplicas {
  private LostReplicas() {}

  /**
   * Whether no replica of a block is expected back. A NameNode that has started since may not know
   * where an open block was written, so the disks of the superchunk count too.
   *
   * @param superchunk with a row of the block
   * @param block without a live replica
   */
  static boolean areLost(ClusterView view, SuperchunkView superchunk, StoredBlock block) {
    Set<String> storageIds = new HashSet<>(block.storageIds());
    for (FrameView gone : superchunk.gone()) {
      storageIds.add(gone.storageId());
      gone.pairing()
          .filter(pairing -> !pairing.isAlone())
          .map(Pairing::partnerStorageId)
          .ifPresent(storageIds::add);
    }
    // A live volume that the NameNode does not name has no replica that counts.
    return storageIds.stream().allMatch(id -> view.isAlive(id) || isLost(view, id));
  }

  /** Whether a volume is known, and each of its frames on a disk that was declared failed. */
  private static boolean isLost(ClusterView view, String storageId) {
    List<FrameView> frames = view.framesOn(storageId);
    return !frames.isEmpty() && frames.stream().allMatch(frame -> isFailed(view, frame));
  }

  private static boolean isFailed(ClusterView view, FrameView frame) {
    DiskView disk = view.disks().get(frame.diskId());
    return disk != null && disk.isDeclaredFailed() || isReportedFailed(view, frame);
  }

  private static boolean isReportedFailed(ClusterView view, FrameView frame) {
    NodeState node = view.nodes().get(frame.nodeUuid());
    if (node == null) {
      return false;
    }
    for (DiskReport disk : node.report().disks()) {
      if (disk.diskId().equals(frame.diskId())) {
        return disk.state() == DiskState.DISK_FAILED;
      }
    }
    return false;
  }
}
