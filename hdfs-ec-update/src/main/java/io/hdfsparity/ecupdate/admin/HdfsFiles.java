/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import io.hdfsparity.bridge.cli.FileWalk;
import io.hdfsparity.bridge.guard.CallerAbilities;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;

/** Erasure-coded files at a path of HDFS, and where their replicas are. Immutable. */
final class HdfsFiles {
  private final DistributedFileSystem fs;
  private final FileStatus root;

  /** Notified of each file. */
  @FunctionalInterface
  interface Visitor {
    void file(Path path) throws IOException;
  }

  private HdfsFiles(DistributedFileSystem fs, FileStatus root) {
    this.fs = fs;
    this.root = root;
  }

  /**
   * Looks a path up.
   *
   * @throws UsageException when it is not in HDFS
   */
  static HdfsFiles of(Configuration conf, String path) throws IOException, UsageException {
    Path given = Values.remote(path);
    DistributedFileSystem fs = hdfs(given.getFileSystem(conf), path);
    return new HdfsFiles(fs, fs.getFileStatus(given));
  }

  /**
   * HDFS itself.
   *
   * @throws UsageException when a path is elsewhere
   */
  static DistributedFileSystem hdfs(FileSystem any, String path) throws UsageException {
    FileSystem inner = any;
    while (inner instanceof FilterFileSystem filter) {
      inner = filter.getRawFileSystem();
    }
    if (inner instanceof DistributedFileSystem hdfs) {
      return hdfs;
    }
    throw new UsageException(path + " is not in HDFS but in " + any.getUri());
  }

  DistributedFileSystem fileSystem() {
    return fs;
  }

  /** The path, with its file system. */
  Path path() {
    return fs.makeQualified(root.getPath());
  }

  /** Goes through all erasure-coded files. A directory that vanishes meanwhile is passed over. */
  void forEach(Visitor visitor) throws IOException {
    FileWalk.from(
        root,
        fs,
        each -> {
          if (each instanceof HdfsFileStatus file && file.getErasureCodingPolicy() != null) {
            visitor.file(fs.makeQualified(each.getPath()));
          }
        });
  }

  private List<LocatedBlock> groups(String name) throws IOException {
    // Which replicas there are does not depend on the order of the cells.
    try (CallerAbilities.Statement ignored = CallerAbilities.state(CallerAbilities.ORDERS)) {
      return fs.getClient().getLocatedBlocks(name, 0, Long.MAX_VALUE).getLocatedBlocks();
    }
  }

  /** Adds the replicas of a file to those of each DataNode, by its uuid. */
  void replicas(Path file, TreeMap<String, TreeSet<Long>> byNode) throws IOException {
    String name = file.toUri().getPath();
    for (LocatedBlock block : groups(name)) {
      if (block instanceof LocatedStripedBlock group) {
        DatanodeInfo[] nodes = group.getLocations();
        for (int i = 0; i < nodes.length; i++) {
          byNode
              .computeIfAbsent(nodes[i].getDatanodeUuid(), uuid -> new TreeSet<>())
              .add(group.getBlock().getBlockId() + group.getBlockIndices()[i]);
        }
      }
    }
  }
}
