/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What a positional read wants of one block, or block group.
 *
 * @param start in the block, bytes
 * @param end of the last byte in the block
 * @param buffer takes the bytes, from its position on
 * @param corruptedBlocks takes the replicas with wrong checksums
 */
record BlockRange(
    LocatedBlock block, long start, long end, ByteBuffer buffer, CorruptedBlocks corruptedBlocks) {

  /** Reads the range. */
  @FunctionalInterface
  interface Fetch {
    void run() throws IOException;
  }
}
