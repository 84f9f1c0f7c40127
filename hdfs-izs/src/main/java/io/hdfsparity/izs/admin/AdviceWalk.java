/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.copy.SystemFolder;
import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.config.ApplyOptions;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.mapping.AccessRate;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advisor;
import io.hdfsparity.izs.mapping.FileFacts;
import io.hdfsparity.izs.mapping.MappingException;
import io.hdfsparity.izs.mapping.MappingTable;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.wire.access.AccessProtocol;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * Advice for the files of a tree, batch by batch; copies that {@code -apply} is making are not
 * among them. For one command; not thread-safe.
 */
final class AdviceWalk {
  private final DistributedFileSystem fs;
  private final FileStatus root;
  private final Importances importances;
  private final AccessCounts counts;
  private final Advisor advisor;
  private final long windowMs;
  private final Path workFolder;

  /** Told of each file. */
  @FunctionalInterface
  interface Visitor {
    void file(Advice advice) throws IOException;
  }

  /** Whether directories below the first are gone through. */
  enum Tree {
    YES,
    NO
  }

  private AdviceWalk(
      DistributedFileSystem fs,
      FileStatus root,
      AccessCounts counts,
      MappingTable table,
      String workFolder) {
    this.fs = fs;
    this.root = root;
    this.importances = new Importances(fs);
    this.counts = counts;
    this.advisor = new Advisor(table);
    this.windowMs = table.windowMs();
    this.workFolder = fs.makeQualified(new Path(workFolder));
  }

  /**
   * Looks a path and the rule table up.
   *
   * @param what for messages
   */
  static AdviceWalk of(Console console, String what, String path)
      throws IOException, MappingException {
    AccessOptions options = AccessOptions.of(console.conf());
    MappingTable table = Mappings.load(options);
    Path given = new Path(path);
    FileSystem found = given.getFileSystem(console.conf());
    if (!(found instanceof DistributedFileSystem fs)) {
      throw new IOException(
          "Cannot " + what + ": fileSystem=" + found.getUri() + ", expected hdfs, path=" + given);
    }
    return new AdviceWalk(
        fs,
        fs.getFileStatus(fs.makeQualified(given)),
        new AccessCounts(console, options, fs.getUri()),
        table,
        ApplyOptions.of(console.conf()).workFolder());
  }

  DistributedFileSystem fileSystem() {
    return fs;
  }

  /**
   * Goes through the files. A directory that vanishes meanwhile is passed over, and so are folders
   * of indexes: who made an index knows how many losses it has to survive.
   */
  void forEach(Tree tree, Visitor visitor) throws IOException {
    List<FileStatus> batch = new ArrayList<>();
    Deque<Path> directories = new ArrayDeque<>();
    if (root.isDirectory()) {
      directories.add(root.getPath());
    } else {
      batch.add(root);
    }
    while (!directories.isEmpty()) {
      Path directory = directories.remove();
      try {
        if (fs.getXAttrs(directory).containsKey(SystemFolder.ORDERS)) {
          continue;
        }
        RemoteIterator<FileStatus> children = fs.listStatusIterator(directory);
        while (children.hasNext()) {
          FileStatus child = children.next();
          if (child.isFile()) {
            batch.add(child);
          } else if (child.isDirectory()
              && tree == Tree.YES
              && !child.getPath().equals(workFolder)) {
            directories.add(child.getPath());
          }
          if (batch.size() == AccessProtocol.MAX_PATHS) {
            settle(batch, visitor);
          }
        }
      } catch (FileNotFoundException e) {
        if (fs.exists(directory)) {
          throw e;
        }
      }
    }
    settle(batch, visitor);
  }

  private void settle(List<FileStatus> batch, Visitor visitor) throws IOException {
    if (batch.isEmpty()) {
      return;
    }
    HistoryView view =
        counts.of(batch.stream().map(file -> file.getPath().toUri().getPath()).toList());
    long nowMs = System.currentTimeMillis();
    for (FileStatus file : batch) {
      String path = file.getPath().toUri().getPath();
      long ageMs = nowMs - file.getModificationTime();
      Optional<Importances.Set> importance;
      try {
        importance = importances.of(file.getPath());
      } catch (FileNotFoundException e) {
        // It is gone, or was renamed.
        continue;
      }
      FileFacts facts =
          new FileFacts(
              path,
              ((HdfsFileStatus) file).getFileId(),
              file.getLen(),
              file.getBlockSize(),
              ageMs,
              form(file),
              importance.map(Importances.Set::value),
              importance.map(at -> at.at().toUri().getPath()));
      AccessRate rate = AccessRate.of(view, path, windowMs, file.getModificationTime());
      visitor.file(advisor.advise(facts, rate));
    }
    batch.clear();
  }

  private static StorageForm form(FileStatus file) {
    if (file instanceof HdfsFileStatus hdfs && hdfs.getErasureCodingPolicy() != null) {
      ErasureCodingPolicy policy = hdfs.getErasureCodingPolicy();
      return new StorageForm.Coded(
          policy.getName(),
          policy.getCodecName().toUpperCase(java.util.Locale.ROOT),
          policy.getNumDataUnits(),
          policy.getNumParityUnits(),
          policy.getCellSize());
    }
    return new StorageForm.Replicated(file.getReplication());
  }
}
