/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;

/**
 * Blocks that are being written, also appended to. HDFS has them in no queue, whatever replicas
 * they lack, until their files are closed.
 *
 * <p>Reaches, package-private: FSNamesystem.getLeaseManager; LeaseManager.getINodeIdWithLeases.
 * Checked for Hadoop 3.5.0. Stateless.
 */
public final class OpenBlocks {
  /** The last block of an open file, and the one before while it is being committed. */
  private static final int MAX_OPEN = 2;

  private OpenBlocks() {}

  /** All of them; the caller holds {@link NameNodeLock#ALL}. */
  public static List<BlockInfo> of(FSNamesystem namesystem) {
    List<BlockInfo> open = new ArrayList<>();
    for (long id : List.copyOf(namesystem.getLeaseManager().getINodeIdWithLeases())) {
      INode node = namesystem.getFSDirectory().getInode(id);
      if (node != null && node.isFile()) {
        BlockInfo[] all = node.asFile().getBlocks();
        for (int i = Math.max(0, all.length - MAX_OPEN); i < all.length; i++) {
          if (!all[i].isComplete()) {
            open.add(all[i]);
          }
        }
      }
    }
    return open;
  }
}
