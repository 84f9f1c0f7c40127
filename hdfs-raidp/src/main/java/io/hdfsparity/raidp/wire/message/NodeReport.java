/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.wire.message;

import java.util.List;

/**
 * What the agent in a DataNode tells the manager.
 *
 * @param node the DataNode
 * @param disks all disks
 * @param rebuilds rebuilds that it has run or is running since it started
 */
public record NodeReport(NodeIdentity node, List<DiskReport> disks, List<RebuildStatus> rebuilds) {
  public NodeReport {
    disks = List.copyOf(disks);
    rebuilds = List.copyOf(rebuilds);
  }

  /** DataNode uuid. */
  public String nodeUuid() {
    return node.nodeUuid();
  }
}
