/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs.server.blockmanagement;

import io.hdfsparity.bridge.BridgeCluster;
import io.hdfsparity.bridge.namenode.BlockSuperchunks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/** All blocks are in one superchunk, as soon as a test says which sides it has. */
final class OneSuperchunk extends NoPairs implements BlockSuperchunks {
  static final long ID = 7;

  volatile List<Target> sides = List.of();

  /** Of a cluster that places blocks in pairs, with DataNodes as Hadoop has them. */
  static HdfsConfiguration conf(Path dir) {
    HdfsConfiguration conf = BridgeCluster.conf(null, dir);
    conf.unset("dfs.datanode.fsdataset.factory");
    conf.set("dfs.block.replicator.classname", PairPlacementPolicy.class.getName());
    return conf;
  }

  @Override
  public boolean isProtected(String path) {
    return false;
  }

  @Override
  public Optional<Home> of(long blockId, List<String> storageIds) {
    return sides.isEmpty() ? Optional.empty() : Optional.of(new Home(ID, 1, sides));
  }
}
