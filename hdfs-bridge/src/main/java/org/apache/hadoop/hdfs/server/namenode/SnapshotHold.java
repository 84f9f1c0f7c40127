/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Whether a snapshot has a hold on a file.
 *
 * <p>Reaches, package-private: INode.isInLatestSnapshot's callers' rules, INode.getParentReference.
 * Checked for Hadoop 3.5.0. Callers hold the directory's lock. Stateless.
 */
final class SnapshotHold {
  private SnapshotHold() {}

  /** A snapshot holds the file, or a reference that a rename out of a snapshot left leads to it. */
  static boolean isShared(INodesInPath place, INodeFile file) {
    int latest = place.getLatestSnapshotId();
    if (file.isWithSnapshot()
        || latest != Snapshot.CURRENT_STATE_ID && file.isInLatestSnapshot(latest)) {
      return true;
    }
    for (INode node = place.getLastINode(); node != null; node = node.getParent()) {
      if (node.isReference() || node.getParentReference() != null) {
        return true;
      }
    }
    return false;
  }
}
