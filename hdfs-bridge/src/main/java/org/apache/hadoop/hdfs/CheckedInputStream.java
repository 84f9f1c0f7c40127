/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DFSUtilClient.CorruptedBlocks;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Hadoop's stream of a replicated file, which fails where the path leads to an erasure coded one by
 * now. Hadoop's own would take a block group for a block, whose id is that of unit 0.
 *
 * <p>Reaches: the package-private constructor of DFSInputStream, its getBlockAt(long), by which
 * stateful reads and all repeated ones get their block, fetchBlockByteRange, which positional reads
 * begin with, and chooseDataNode(LocatedBlock, Collection, boolean), by which they continue.
 * Checked for Hadoop 3.5.0. Thread-safe as its parent.
 */
final class CheckedInputStream extends DFSInputStream {
  private final OpenedForm form;

  CheckedInputStream(
      DFSClient client, String src, boolean verifyChecksum, LocatedBlocks blocks, OpenedForm form)
      throws IOException {
    super(client, src, verifyChecksum, blocks);
    this.form = form;
  }

  @Override
  protected LocatedBlock getBlockAt(long offset) throws IOException {
    return form.require(super.getBlockAt(offset));
  }

  @Override
  protected void fetchBlockByteRange(
      LocatedBlock block,
      long start,
      long end,
      ByteBuffer buffer,
      CorruptedBlocks corruptedBlocks,
      Map<InetSocketAddress, List<IOException>> failures)
      throws IOException {
    form.require(block);
    super.fetchBlockByteRange(block, start, end, buffer, corruptedBlocks, failures);
  }

  /**
   * Each try of a positional read begins here, and ends with the error that this throws. One that
   * is thrown where the parent looks for new locations in the middle of a try is swallowed by it,
   * as one that the next DataNode may not have, and the same DataNode tried again, for ever.
   */
  @Override
  DNAddrPair chooseDataNode(
      LocatedBlock block, Collection<DatanodeInfo> ignoredNodes, boolean refetchIfRequired)
      throws IOException {
    getBlockAt(block.getStartOffset());
    return super.chooseDataNode(block, ignoredNodes, refetchIfRequired);
  }
}
