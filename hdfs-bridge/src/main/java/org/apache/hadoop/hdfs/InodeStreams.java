/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package org.apache.hadoop.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;

/**
 * Streams that stay with one file, whatever their path leads to by now.
 *
 * <p>Hadoop's stream of a striped file asks the NameNode for blocks by path again when it cannot
 * read one, and does not see whether those are of another file: it continues with the other file's
 * bytes. One that asks by inode gets an error when the inode is gone.
 *
 * <p>Reaches: the package-private constructor of DFSStripedInputStream; the protected fields
 * dfsClient and verifyChecksum of DFSInputStream and its getLocatedBlocks(). Checked for Hadoop
 * 3.5.0. Stateless.
 */
public final class InodeStreams {
  private InodeStreams() {}

  /**
   * A stream with the blocks of another one, and at its beginning. Asks the NameNode nothing.
   *
   * @param opened of a striped file that is not encrypted; to be closed by the caller, who reads
   *     none of it
   * @param inodeId of the file that it was opened of
   */
  public static HdfsDataInputStream of(DFSStripedInputStream opened, long inodeId)
      throws IOException {
    DFSClient client = opened.dfsClient;
    LocatedBlocks blocks = opened.getLocatedBlocks();
    ErasureCodingPolicy policy = blocks.getErasureCodingPolicy();
    if (policy == null || blocks.getFileEncryptionInfo() != null) {
      throw new IllegalArgumentException(
          "Cannot open a file by its inode: inode="
              + inodeId
              + " policy="
              + policy
              + ", expected a striped file that is not encrypted");
    }
    String byInode = InodePaths.path(inodeId);
    DFSInputStream stream =
        client instanceof FeatureClient own
            ? own.stream(blocks, byInode, opened.getSrc(), opened.verifyChecksum, false)
            : new DFSStripedInputStream(client, byInode, opened.verifyChecksum, policy, blocks);
    return new HdfsDataInputStream(stream);
  }

  /**
   * A stream with all blocks of a file, which reads none but these: for who has no path by inode. A
   * block group that is rewritten while it is open is an error.
   *
   * @param opened as above
   * @param all the blocks of the file
   * @throws IOException if the client has not the suite's streams
   */
  public static HdfsDataInputStream bound(DFSStripedInputStream opened, LocatedBlocks all)
      throws IOException {
    String path = opened.getSrc();
    if (opened.dfsClient instanceof FeatureClient own) {
      return new HdfsDataInputStream(
          own.stream(all, path, path, opened.verifyChecksum, /* isBound= */ true));
    }
    throw InodePaths.notLed("open a file", path);
  }
}
