/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.fs;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** Files by their inodes, whatever they are called by now. */
final class Inodes {
  private Inodes() {}

  /**
   * Inode of a file that was made a moment ago.
   *
   * @throws FileNotFoundException if it is gone: another run took it for a leftover
   */
  static long of(DistributedFileSystem fs, Path made) throws IOException {
    HdfsFileStatus status = fs.getClient().getFileInfo(made.toUri().getPath());
    if (status == null) {
      throw new FileNotFoundException(
          "Cannot continue: " + made + " is gone, expected no other run on the same file");
    }
    return status.getFileId();
  }
}
