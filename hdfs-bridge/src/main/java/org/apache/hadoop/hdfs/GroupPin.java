/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import io.hdfsparity.bridge.client.GroupReplacedException;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/**
 * The block group that a read began with. Its units fit together; those of another group, which has
 * taken its place in the file meanwhile, do not fit with them, though they have the same place and
 * length. Ids of groups are never used twice in a block pool, so pool and id tell. Immutable.
 */
final class GroupPin {
  private final String file;
  private final LocatedStripedBlock group;

  GroupPin(String file, LocatedStripedBlock group) {
    this.file = file;
    this.group = group;
  }

  LocatedStripedBlock group() {
    return group;
  }

  /**
   * The same group as it is located by now: its nodes and tokens may be others.
   *
   * @throws GroupReplacedException if it is another group
   */
  LocatedStripedBlock require(LocatedStripedBlock located) throws GroupReplacedException {
    if (BlockName.of(located).equals(BlockName.of(group))) {
      return located;
    }
    throw new GroupReplacedException(
        file, group.getStartOffset(), group.getBlock().toString(), located.getBlock().toString());
  }
}
