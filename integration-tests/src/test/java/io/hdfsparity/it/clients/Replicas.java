/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.it.clients;

import java.io.IOException;
import java.util.Arrays;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/** Where the last block of a replicated file is: the one that an append goes on with. */
final class Replicas {
  private Replicas() {}

  /** Whether a DataNode has a replica of it. */
  static boolean isAt(DistributedFileSystem fs, String path, String node) throws IOException {
    LocatedBlock last =
        fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLastLocatedBlock();
    return Arrays.stream(last.getLocations()).anyMatch(at -> at.getDatanodeUuid().equals(node));
  }
}
