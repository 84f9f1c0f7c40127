/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.izs.config.AccessOptions;
import io.hdfsparity.izs.history.HistoryView;
import io.hdfsparity.izs.mapping.AccessRate;
import io.hdfsparity.izs.mapping.Advice;
import io.hdfsparity.izs.mapping.Advisor;
import io.hdfsparity.izs.mapping.FileFacts;
import io.hdfsparity.izs.mapping.MappingTable;
import io.hdfsparity.izs.mapping.StorageForm;
import io.hdfsparity.izs.wire.access.AccessProtocol;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * {@code hdfs izs -advise}: which scheme files have, which they should have, why, and what that
 * saves or costs. Changes nothing.
 */
final class AdviseCommand implements Command {
  private static final String RECURSIVE = "-R";
  private final Console console;

  AdviseCommand(Console console) {
    this.console = console;
  }

  @Override
  public String name() {
    return "-advise";
  }

  @Override
  public String usage() {
    return "<path> [-R] [-json]";
  }

  @Override
  public String help() {
    return """
    Says how a file is stored, how it should be by its importance and access frequency, why, and
    the bytes saved or spent; for a directory, of the files in it; with -R, of all below it. Changes
    nothing. Needs the access history in the NameNode, and a superuser.
    """;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(args, Set.of(Console.JSON, RECURSIVE), Set.of(), List.of("the path"));
    AccessOptions options = AccessOptions.of(console.conf());
    MappingTable table = Mappings.load(options);
    Path given = new Path(a.operand(0));
    FileSystem found = given.getFileSystem(console.conf());
    if (!(found instanceof DistributedFileSystem fs)) {
      throw new IOException(
          "Cannot advise: fileSystem=" + found.getUri() + ", expected hdfs, path=" + given);
    }
    String authority = fs.getUri().getHost();
    Walk walk =
        new Walk(
            fs,
            new Importances(fs),
            new AccessCounts(console, options, authority == null ? "" : authority),
            new Advisor(table),
            table.windowMs());
    try (AdvicePrinter printer = AdvicePrinter.of(console, a.has(Console.JSON))) {
      walk.advise(fs.getFileStatus(fs.makeQualified(given)), a.has(RECURSIVE), printer);
      return printer.exitCode();
    }
  }

  /** A tree, batch by batch. */
  private record Walk(
      DistributedFileSystem fs,
      Importances importances,
      AccessCounts counts,
      Advisor advisor,
      long windowMs) {
    void advise(FileStatus root, boolean recursive, AdvicePrinter printer) throws IOException {
      List<FileStatus> batch = new ArrayList<>();
      Deque<Path> directories = new ArrayDeque<>();
      if (root.isDirectory()) {
        directories.add(root.getPath());
      } else {
        batch.add(root);
      }
      while (!directories.isEmpty()) {
        RemoteIterator<FileStatus> children = fs.listStatusIterator(directories.remove());
        while (children.hasNext()) {
          FileStatus child = children.next();
          if (child.isFile()) {
            batch.add(child);
          } else if (child.isDirectory() && recursive) {
            directories.add(child.getPath());
          }
          if (batch.size() == AccessProtocol.MAX_PATHS) {
            settle(batch, printer);
          }
        }
      }
      settle(batch, printer);
    }

    private void settle(List<FileStatus> batch, AdvicePrinter printer) throws IOException {
      if (batch.isEmpty()) {
        return;
      }
      HistoryView view =
          counts.of(batch.stream().map(file -> file.getPath().toUri().getPath()).toList());
      long nowMs = System.currentTimeMillis();
      for (FileStatus file : batch) {
        String path = file.getPath().toUri().getPath();
        long ageMs = nowMs - file.getModificationTime();
        Optional<Importances.Set> importance = importances.of(file.getPath());
        FileFacts facts =
            new FileFacts(
                path,
                file.getLen(),
                file.getBlockSize(),
                ageMs,
                form(file),
                importance.map(Importances.Set::value),
                importance.map(at -> at.at().toUri().getPath()));
        Advice advice = advisor.advise(facts, AccessRate.of(view, path, windowMs, ageMs));
        printer.print(advice);
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
}
