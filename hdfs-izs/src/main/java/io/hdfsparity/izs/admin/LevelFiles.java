/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.FileWalk;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/** The files that a command is about: one, or all of a tree in the order of its listings. */
final class LevelFiles {
  /** The option that takes all files below a directory. */
  static final String RECURSIVE = "-R";

  private final DistributedFileSystem fs;
  private final FileStatus root;

  /** Called with each file and its policy; null: replicated. */
  @FunctionalInterface
  interface Visitor {
    void file(String path, @Nullable ErasureCodingPolicy policy) throws IOException;
  }

  private LevelFiles(DistributedFileSystem fs, FileStatus root) {
    this.fs = fs;
    this.root = root;
  }

  /**
   * Looks a path up.
   *
   * @param a may have {@link #RECURSIVE}
   * @throws UsageException when it is a directory and {@code -R} is not given, or no HDFS path
   */
  static LevelFiles of(Configuration conf, String path, Arguments a)
      throws IOException, UsageException {
    Path given = new Path(path);
    FileSystem any = given.getFileSystem(conf);
    if (!(any instanceof DistributedFileSystem fs)) {
      throw new UsageException(path + " is not in HDFS but in " + any.getUri());
    }
    FileStatus status = fs.getFileStatus(given);
    if (status.isDirectory() && !a.has(RECURSIVE)) {
      throw new UsageException(path + " is a directory; -R takes all files below it");
    }
    return new LevelFiles(fs, status);
  }

  DistributedFileSystem fileSystem() {
    return fs;
  }

  /** Name of the policy that new files get; empty: none, or the path is a file. */
  String policyOfNewFiles() throws IOException {
    ErasureCodingPolicy policy =
        root.isDirectory() ? fs.getErasureCodingPolicy(pathOf(root)) : null;
    return policy == null ? "" : policy.getName();
  }

  /** Goes through all files. A directory that vanishes meanwhile is passed over. */
  void forEach(Visitor visitor) throws IOException {
    FileWalk.from(
        root,
        fs,
        each ->
            visitor.file(
                pathOf(each).toUri().getPath(), ((HdfsFileStatus) each).getErasureCodingPolicy()));
  }

  private Path pathOf(FileStatus each) {
    return fs.makeQualified(each.getPath());
  }
}
