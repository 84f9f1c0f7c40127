/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What the agent in a DataNode tells the manager: everything, or what has changed since the manager
 * gave a receipt. Of a disk whose state, failure, path and shape are as before, an incremental
 * report has the frames that changed; of any other disk that it names, all frames. Disks that it
 * does not name are as before.
 *
 * @param node the DataNode
 * @param disks all disks, or those that changed
 * @param rebuilds rebuilds that it has run or is running since it started
 * @param basis receipt for the report that this one continues; empty: this one is full
 */
public record NodeReport(
    NodeIdentity node, List<DiskReport> disks, List<RebuildStatus> rebuilds, OptionalLong basis) {
  public NodeReport {
    disks = List.copyOf(disks);
    rebuilds = List.copyOf(rebuilds);
  }

  /** A full report. */
  public NodeReport(NodeIdentity node, List<DiskReport> disks, List<RebuildStatus> rebuilds) {
    this(node, disks, rebuilds, OptionalLong.empty());
  }

  /** DataNode uuid. */
  public String nodeUuid() {
    return node.nodeUuid();
  }

  /** Frames of all disks. */
  public Stream<FrameReport> frames() {
    return disks.stream().flatMap(disk -> disk.frames().stream());
  }

  /** Whether only numbers of frames are others; looks at disks that the two do not share. */
  public boolean differsInNumbersOnly(NodeReport other) {
    if (!node.equals(other.node) || disks.size() != other.disks.size()) {
      return false;
    }
    for (int d = 0; d < disks.size(); d++) {
      if (!disks.get(d).differsInNumbersOnly(other.disks.get(d))) {
        return false;
      }
    }
    return true;
  }
}
