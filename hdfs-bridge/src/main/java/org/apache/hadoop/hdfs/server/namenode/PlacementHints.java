/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import io.hdfsparity.bridge.namenode.UnitOrder;
import io.hdfsparity.bridge.namenode.UnitOrder.NewGroup;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.server.namenode.snapshot.Snapshot;

/**
 * Hints for the placement of a file's next block group, from an extended attribute of its inode.
 *
 * <p>Reaches, package-private: XAttrStorage.readINodeXAttrByPrefixedName; FSDirectory's locks.
 * Checked for Hadoop 3.5.0. Thread-safe. Its caller holds no lock of the NameNode's: the targets of
 * a new block are chosen between two holds of the lock (FSNamesystem.getAdditionalBlock).
 */
public final class PlacementHints {
  private PlacementHints() {}

  /**
   * Looks at a file.
   *
   * @param path as its client has it
   * @return empty: no such striped file, or no hint
   * @throws IOException when the path cannot be resolved
   */
  public static Optional<NewGroup> read(Namesystem namesystem, String path, UnitOrder order)
      throws IOException {
    FSDirectory directory = namesystem.getFSDirectory();
    NameNodeLock.FILES.readLock(namesystem);
    try {
      directory.readLock();
      try {
        INode node = directory.getINode(path);
        if (node == null || !node.isFile() || !node.asFile().isStriped()) {
          return Optional.empty();
        }
        XAttr hint =
            XAttrStorage.readINodeXAttrByPrefixedName(
                node, Snapshot.CURRENT_STATE_ID, order.attribute());
        if (hint == null || hint.getValue() == null) {
          return Optional.empty();
        }
        INodeFile file = node.asFile();
        ErasureCodingPolicy policy =
            directory
                .getFSNamesystem()
                .getErasureCodingPolicyManager()
                .getByID(file.getErasureCodingPolicyID());
        if (file.getBlocks().length == 0) {
          order.keep(inodeId -> directory.getInode(inodeId) != null);
        }
        return Optional.of(
            new NewGroup(
                file.getId(), file.getBlocks().length, policy.getNumDataUnits(), hint.getValue()));
      } finally {
        directory.readUnlock();
      }
    } finally {
      NameNodeLock.FILES.readUnlock(namesystem, "placementHint");
    }
  }
}
