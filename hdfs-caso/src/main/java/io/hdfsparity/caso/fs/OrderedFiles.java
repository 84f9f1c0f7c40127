/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import io.hdfsparity.caso.layout.LayoutIndex;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** What is known of the order of files, for commands. Stateless. */
public final class OrderedFiles {
  private OrderedFiles() {}

  /**
   * The index of a file; empty if it is stored in its own order.
   *
   * @param path absolute, without scheme
   * @throws IOException if the index is missing, damaged or another file's
   */
  public static Optional<LayoutIndex> index(
      DistributedFileSystem fs, HdfsFileStatus status, String path) throws IOException {
    return new LayoutStore(fs.getClient()).index(status, path);
  }

  /**
   * As above, also of a file that is longer than its index says, because a client that knows of no
   * order has appended to it.
   */
  public static Optional<LayoutIndex> indexOfBeginning(
      DistributedFileSystem fs, HdfsFileStatus status, String path) throws IOException {
    return new LayoutStore(fs.getClient()).indexOfBeginning(status, path);
  }
}
