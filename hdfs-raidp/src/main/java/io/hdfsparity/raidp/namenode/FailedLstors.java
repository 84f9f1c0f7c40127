/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.namenode;

import io.hdfsparity.raidp.namenode.RecoveryStatus.Waiting;
import io.hdfsparity.raidp.wire.message.DiskReport;
import io.hdfsparity.raidp.wire.message.DiskState;
import java.util.Map;
import java.util.TreeMap;

/**
 * Disks in service whose Lstor has failed. Their blocks can be read, but their DataNode stores no
 * pairing there and takes no blocks: what waits for that waits until somebody replaces the Lstor.
 * Pure.
 */
final class FailedLstors {
  private FailedLstors() {}

  /** Whether a frame is on such a disk. */
  static boolean isOn(ClusterView view, FrameView frame) {
    NodeState node = view.nodes().get(frame.nodeUuid());
    if (frame.health() != FrameHealth.HELD || node == null) {
      return false;
    }
    for (DiskReport disk : node.report().disks()) {
      if (disk.diskId().equals(frame.diskId())) {
        return disk.state() == DiskState.LSTOR_FAILED;
      }
    }
    return false;
  }

  /** Superchunks that get no new side, as their survivors are on such disks; by id. */
  static Map<Long, Waiting> waiting(ClusterView view) {
    Map<Long, Waiting> waiting = new TreeMap<>();
    for (SuperchunkView superchunk : view.all()) {
      if (superchunk.state() == SuperchunkState.DEGRADED) {
        superchunk
            .survivor()
            .filter(survivor -> isOn(view, survivor))
            .ifPresent(
                survivor -> waiting.put(superchunk.id(), waiting(view, superchunk.id(), survivor)));
      }
    }
    return waiting;
  }

  /** A superchunk that waits, with its survivor. */
  static Waiting waiting(ClusterView view, long superchunkId, FrameView survivor) {
    return new Waiting(
        superchunkId,
        Problem.Kind.LSTOR_FAILED.name(),
        "its frame "
            + view.name(survivor.ref())
            + " has the only replicas, and gets no partner while the Lstor of disk "
            + survivor.diskId()
            + " on node "
            + survivor.nodeUuid()
            + " is out of service; replace its device or restart the DataNode, then run hdfs raidp"
            + " -lstor -rebuild "
            + survivor.diskId());
  }
}
