/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.caso.config.LayoutOptions;
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.IndexRepair;
import io.hdfsparity.caso.fs.OrderedFiles;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.mapreduce.CopyJobs;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.InodePaths;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * A file of a cluster that a command is about.
 *
 * @param path without scheme and authority
 */
record ClusterFile(DistributedFileSystem fs, String path, Configuration conf) {
  static final String MAPREDUCE = JobAnalysis.FLAG;

  static final String MAPREDUCE_USAGE = " [" + MAPREDUCE + "]";

  /** Explains {@link #MAPREDUCE}. */
  static final String MAPREDUCE_HELP =
      """
      -mapreduce        copy and compare a file of dfs.parity.caso.layout.mapreduce.min or more by
                        jobs on the cluster, part by part; run again, it goes on with the parts that
                        are there. -restore deletes them
      """;

  /** Whether an operand names a file of the cluster, and not a local one. */
  static boolean isOne(String operand, Configuration conf) {
    return operand.contains("://")
        || (!Files.exists(java.nio.file.Path.of(operand))
            && operand.startsWith("/")
            && FileSystem.getDefaultUri(conf).getScheme().equals("hdfs"));
  }

  /**
   * @throws IOException if it is none of HDFS
   */
  static ClusterFile of(String operand, Configuration conf) throws IOException {
    Path path = new Path(operand);
    FileSystem fs = path.getFileSystem(conf);
    if (!(fs instanceof DistributedFileSystem hdfs)) {
      throw new IOException(
          ErrorMessage.to("change the order of a file")
              .value("fileSystem", fs.getUri())
              .expected("HDFS")
              .where("file", operand)
              .message());
    }
    return new ClusterFile(hdfs, hdfs.makeQualified(path).toUri().getPath(), conf);
  }

  /** What the NameNode says of it. */
  HdfsFileStatus status() throws IOException {
    return file(path, fs.getClient().getFileInfo(path));
  }

  /**
   * Refuses what is no file.
   *
   * @param status null if there is nothing of that name
   */
  static HdfsFileStatus file(String path, @Nullable HdfsFileStatus status)
      throws FileNotFoundException {
    if (status == null || status.isDirectory()) {
      throw new FileNotFoundException(
          ErrorMessage.to("find a file")
              .value("file", path)
              .expected(status == null ? "a file that exists" : "a file, it is a directory")
              .message());
    }
    return status;
  }

  /**
   * The index of a file in stored order.
   *
   * @param doing for messages
   */
  LayoutIndex index(String doing) throws IOException {
    Optional<LayoutIndex> index = OrderedFiles.index(fs, status(), path);
    return index.orElseThrow(
        () ->
            new IOException(
                ErrorMessage.to(doing)
                    .value("order", "its own")
                    .expected("a file in stored order, see -organize")
                    .where("file", path)
                    .message()));
  }

  /** Notes what clients without CASO have appended since the file is in stored order, if any. */
  void noteAppended(ObjectNode doc) throws IOException {
    HdfsFileStatus status = status();
    Optional<LayoutIndex> index = OrderedFiles.indexOfBeginning(fs, status, path);
    if (index.isPresent() && status.getLen() > index.get().lengthBytes()) {
      doc.put("appendedBytes", status.getLen() - index.get().lengthBytes());
    }
  }

  /** Says what {@link #noteAppended} has noted. */
  static void appendedText(JsonNode d, PrintStream out) {
    if (d.has("appendedBytes")) {
      out.printf(
          Locale.ROOT,
          "Appended: %,d bytes by clients without CASO, taken as they are; with hdfs concat, files"
              + " in stored order are not what they were%n",
          d.path("appendedBytes").asLong());
    }
  }

  /** Whether and how it is copied by MapReduce, if it is large. */
  static Optional<FileRewrite.InParts> inParts(Arguments a, Configuration conf) {
    LayoutOptions options = LayoutOptions.of(conf);
    return a.has(MAPREDUCE)
        ? Optional.of(
            new FileRewrite.InParts(
                new CopyJobs(conf), options.mapReduceMinBytes(), options.mapReducePartBytes()))
        : Optional.empty();
  }

  /** What rebuilds its index. */
  IndexRepair repair() throws IOException {
    InodePaths.requireNameNode(fs, "look at the index of a file");
    return new IndexRepair(fs, LayoutOptions.of(conf).folder());
  }

  /**
   * What changes its order.
   *
   * @param progress of what is copied and compared
   * @param inParts empty: it is copied by this process, however large it is
   */
  FileRewrite rewrite(
      RewritePoints points, Progress progress, Optional<FileRewrite.InParts> inParts)
      throws IOException {
    LongAdder bytes = new LongAdder();
    return new FileRewrite(
        fs,
        LayoutOptions.of(conf).folder(),
        new LayoutNameNodes(conf, fs),
        LayoutOptions.of(conf).settleMs(),
        points,
        count -> {
          bytes.add(count);
          progress.count("copying and comparing", bytes.sum(), "bytes");
        },
        inParts);
  }
}
