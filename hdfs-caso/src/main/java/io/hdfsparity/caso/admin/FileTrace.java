/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.caso.wire.LayoutNameNodes;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/**
 * A file of the cluster whose cells are to be stored by a trace, and how it is analysed. Immutable.
 */
record FileTrace(
    ClusterFile file,
    HdfsFileStatus status,
    TraceArguments arguments,
    AnalysisOptions options,
    Optional<FileRewrite.InParts> inParts) {
  /** Explains -trace and -inode. */
  static final String HELP =
      """
      -trace FILE       local file with requests of this file: offsets are its own; or a directory in
                        which updaters have noted what they did (dfs.parity.ecupdate.trace.dir): of the
                        traces there, those of this file are taken. Of several volumes, or of what
                        updaters did to another file, it is refused
      -inode N          take what was noted of another inode, as the one that the file was before it was
                        organized; of a trace in one file, the requests that have this DiskNumber
      """;

  /**
   * What a command was given.
   *
   * @param without options of an analysis that it does not have
   */
  static Arguments parse(List<String> args, Set<String> without) throws UsageException {
    Set<String> values = new HashSet<>(TraceArguments.VALUES);
    values.removeAll(Set.of("-k", "-m", "-cell"));
    values.removeAll(without);
    values.add("-trace");
    return Arguments.parse(
        args,
        Set.of(TraceArguments.STRICT, Console.JSON, ClusterFile.MAPREDUCE),
        values,
        List.of("the path"));
  }

  /**
   * @throws IOException if there is no such file, it is not erasure coded, or a NameNode does not
   *     keep files in stored order from clients that know no orders
   */
  static FileTrace of(Arguments a, Console console) throws IOException, UsageException {
    String trace = a.value("-trace").orElseThrow(() -> new UsageException("-trace is missing"));
    ClusterFile file = ClusterFile.of(a.operand(0), console.conf());
    HdfsFileStatus status = file.status();
    ErasureCodingPolicy policy = status.getErasureCodingPolicy();
    if (policy == null) {
      throw new IOException(
          ErrorMessage.to("organize a file")
              .value("form", "replication " + status.getReplication())
              .expected("an erasure coded file")
              .where("file", file.path())
              .message());
    }
    new LayoutNameNodes(console.conf(), file.fs()).requireGuarded();
    TraceArguments arguments =
        TraceArguments.ofFile(
            a,
            trace,
            status.getFileId(),
            new TraceArguments.Stripes(
                policy.getNumDataUnits(), policy.getNumParityUnits(), policy.getCellSize()));
    return new FileTrace(
        file,
        status,
        arguments,
        AnalysisOptions.of(console.conf()),
        ClusterFile.inParts(a, console.conf()));
  }

  /** Reads the trace. */
  TraceSplit read(Console console, Progress progress, ObjectNode doc) throws IOException {
    LoadedTrace trace =
        LoadedTrace.read(arguments, options.maxFiles(), console, progress)
            .withWrites(arguments)
            .ofOneFile(arguments);
    trace.describe(arguments, doc.putObject("trace"));
    // A last cell that is a part of one stays where it is.
    long wholeCells = status.getLen() / arguments.stripes().cellSizeBytes();
    RequestTable writes = trace.writes().below(wholeCells);
    RequestTable reads = trace.reads().below(wholeCells);
    doc.put("requests", writes.size() + reads.size());
    doc.put(
        "requestsBeyondTheFile",
        trace.writes().size() + trace.reads().size() - writes.size() - reads.size());
    return arguments.search().split(writes, reads);
  }

  /**
   * Stores the file in another order.
   *
   * @param split of which the analysed part tells how often parity will be updated
   */
  void store(
      Organization organization,
      String origin,
      TraceSplit split,
      RewritePoints points,
      Progress progress,
      ObjectNode doc)
      throws IOException {
    StoredOrder order =
        FileOrder.of(organization, status.getLen(), arguments.stripes().cellSizeBytes());
    doc.put("cells", order.cellCount()).put("runs", order.runCount());
    doc.put("lengthBytes", status.getLen());
    file.noteAppended(doc);
    file.rewrite(points, progress, inParts)
        .organize(
            file.path(),
            new FileRewrite.NewOrder(
                status.getFileId(),
                order,
                origin,
                ParityForecast.of(
                    split.analysed(),
                    order,
                    arguments.stripes().dataCells(),
                    status.getBlockSize() / arguments.stripes().cellSizeBytes())));
  }

  /** What was read of the trace, and what of that was not used. */
  static void traceText(JsonNode d, PrintStream out) {
    Documents.traceLine(d.path("trace"), out);
    if (d.path("requestsBeyondTheFile").asLong() > 0) {
      out.printf(
          Locale.ROOT,
          "Left out: %,d requests beyond the file's last whole cell%n",
          d.path("requestsBeyondTheFile").asLong());
    }
  }

  static void storedText(JsonNode d, PrintStream out) {
    ClusterFile.appendedText(d, out);
    out.printf(
        Locale.ROOT,
        "Stored:   %s, %,d bytes, %,d cells in %,d runs, in %.1f s%n"
            + "Clients other than ParityFileSystem are refused to read it from now on%n",
        d.path("file").asText(),
        d.path("lengthBytes").asLong(),
        d.path("cells").asLong(),
        d.path("runs").asLong(),
        d.path("elapsedMs").asLong() / 1000.0);
  }
}
