/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.fs;

import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.ecupdate.client.StripedFileUpdater;
import io.hdfsparity.ecupdate.client.UpdaterOptions;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Opens closed erasure-coded files of HDFS to change bytes in place. Thread-safe. */
public final class FileUpdates {
  private FileUpdates() {}

  /**
   * Opens a closed erasure-coded file for in-place updates: asks the session manager of its
   * NameNode for a session, as the user of {@code fs}. The session is renewed until the updater is
   * closed, which also closes all connections.
   *
   * @param fs a DistributedFileSystem, or a FilterFileSystem around one; not closed, and need not
   *     stay open
   * @param path of the file, absolute or relative to the working directory of {@code fs}
   * @param options how the updater works
   * @throws java.io.FileNotFoundException if there is no such file
   * @throws org.apache.hadoop.security.AccessControlException if the user may not write it
   * @throws IOException if {@code fs} is no HDFS, the session is refused (the message has kind,
   *     reason and remedy), the cluster's configuration asks for protection that the update channel
   *     does not have, or no session manager answers
   * @throws IllegalArgumentException if the options do not survive the failures that are demanded,
   *     or the cache cannot hold a stripe
   */
  public static StripedFileUpdater open(FileSystem fs, Path path, UpdaterOptions options)
      throws IOException {
    DistributedFileSystem hdfs = hdfs(fs, path);
    throw new UnsupportedOperationException(
        "Cannot update in place: not yet, file=" + hdfs.makeQualified(path));
  }

  private static DistributedFileSystem hdfs(FileSystem fs, Path path) throws IOException {
    FileSystem inner = fs;
    while (inner instanceof FilterFileSystem filter) {
      inner = filter.getRawFileSystem();
    }
    if (inner instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new IOException(
        Refusal.to("update a file in place")
            .value("fileSystem", inner == null ? "none" : inner.getClass().getName())
            .expected("HDFS, or a FilterFileSystem around it")
            .where("file", path)
            .message());
  }
}
