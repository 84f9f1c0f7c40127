/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Hadoop's stream of a replicated file, whose positional reads pass {@link #fetchRange}. Lines of
 * Hadoop differ in the signature of the method that they go by.
 *
 * <p>Reaches: the package-private constructor of DFSInputStream, fetchBlockByteRange. Checked for
 * Hadoop 3.5.0. Thread-safe as its parent.
 */
abstract class RangeInputStream extends DFSInputStream {
  RangeInputStream(DFSClient client, String src, boolean verifyChecksum, LocatedBlocks blocks)
      throws IOException {
    super(client, src, verifyChecksum, blocks);
  }

  /**
   * A positional read of a range of one block.
   *
   * @param stock Hadoop's own way to read it
   */
  abstract void fetchRange(BlockRange range, BlockRange.Fetch stock) throws IOException;

  @Override
  protected final void fetchBlockByteRange(
      LocatedBlock block,
      long start,
      long end,
      ByteBuffer buffer,
      CorruptedBlocks corruptedBlocks,
      Map<InetSocketAddress, List<IOException>> failures)
      throws IOException {
    fetchRange(
        new BlockRange(block, start, end, buffer, corruptedBlocks),
        () -> super.fetchBlockByteRange(block, start, end, buffer, corruptedBlocks, failures));
  }
}
