/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Method;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.caso.trace.RequestTable;
import io.hdfsparity.core.check.Refusal;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** {@code hdfs caso -organize}: stores a file's cells by how they are used. */
final class OrganizeCommand implements Command {
  private final Console console;
  private final RewritePoints points;

  OrganizeCommand(Console console, RewritePoints points) {
    this.console = console;
    this.points = points;
  }

  @Override
  public String name() {
    return "-organize";
  }

  @Override
  public String usage() {
    return "<path> -trace FILE [-inode N] [-ratio R] [-distance TIME] [-threshold N] [-seed N]"
        + " [-format msr] [-strict] [-json]";
  }

  @Override
  public String help() {
    return """
    Stores the cells of an erasure coded file of the cluster so that those that are written together
    share a stripe: makes a copy in that order, reads all of it back, compares it with the file, and
    puts it in its place in one step. Code and cell size are the file's. The file stays as it is if
    the trace does not promise a gain, see -analyze.
    Clients read such a file by io.hdfsparity.caso.fs.CasoFileSystem (fs.hdfs.impl); all others get
    its cells in stored order, without any error. -restore puts it back.
    Run it again if it was interrupted: the file is in the one or the other order, as a whole.
    -trace FILE       local file with requests of this file: offsets are its own; or a directory in
                      which updaters have noted what they did (dfs.parity.ecupdate.trace.dir): of the
                      traces there, those of this file are taken
    -inode N          take those of another inode, as the one that the file was before it was
                      organized
    -ratio, -distance, -threshold, -seed, -format, -strict: as for -analyze
    -json             one JSON document
    """;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Set<String> values = new HashSet<>(TraceArguments.VALUES);
    values.removeAll(Set.of("-k", "-m", "-cell"));
    values.add("-trace");
    Arguments a =
        Arguments.parse(
            args, Set.of(TraceArguments.STRICT, Console.JSON), values, List.of("the path"));
    String trace = a.value("-trace").orElseThrow(() -> new UsageException("-trace is missing"));
    ClusterFile file = ClusterFile.of(a.operand(0), console.conf());
    HdfsFileStatus status = file.status();
    ErasureCodingPolicy policy = status.getErasureCodingPolicy();
    if (policy == null) {
      throw new IOException(
          Refusal.to("organize a file")
              .value("form", "replication " + status.getReplication())
              .expected("an erasure coded file")
              .where("file", file.path())
              .message());
    }
    TraceArguments arguments =
        TraceArguments.ofFile(
            a,
            trace,
            status.getFileId(),
            policy.getNumDataUnits(),
            policy.getNumParityUnits(),
            policy.getCellSize());
    AnalysisOptions options = AnalysisOptions.of(console.conf());
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("file", file.path());
    try (Progress progress = new Progress(console.err())) {
      organize(file, status, arguments, options, progress, doc);
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(doc, a, OrganizeCommand::text);
    return 0;
  }

  private void organize(
      ClusterFile file,
      HdfsFileStatus status,
      TraceArguments arguments,
      AnalysisOptions options,
      Progress progress,
      ObjectNode doc)
      throws IOException {
    LoadedTrace trace =
        LoadedTrace.read(arguments, options.maxFiles(), console, progress).withWrites(arguments);
    // A last cell that is a part of one stays where it is.
    long wholeCells = status.getLen() / arguments.cellSizeBytes();
    RequestTable writes = trace.writes().below(wholeCells);
    RequestTable reads = trace.reads().below(wholeCells);
    doc.put("requests", writes.size() + reads.size());
    doc.put(
        "requestsBeyondTheFile",
        trace.writes().size() + trace.reads().size() - writes.size() - reads.size());
    TraceSplit split = TraceSplit.of(writes, reads, arguments.distanceTicks(), arguments.ratio());
    HeldBackOrganizer.Choice choice =
        new HeldBackOrganizer(
                arguments.dataCells(),
                options.analysis(arguments.threshold()),
                arguments.seed(),
                options.search(),
                progress::stage)
            .organize(split.analysed(), split.analysedReads());
    Documents.choice(choice, doc.putObject("default"));
    doc.put("organized", choice.method() != Method.SEQUENTIAL);
    if (choice.method() == Method.SEQUENTIAL) {
      return;
    }
    StoredOrder order =
        FileOrder.of(choice.organization(), status.getLen(), arguments.cellSizeBytes());
    doc.put("cells", order.cellCount()).put("runs", order.runCount());
    doc.put("lengthBytes", status.getLen());
    LongAdder bytes = new LongAdder();
    file.rewrite(
            points,
            count -> {
              bytes.add(count);
              progress.count("copying and comparing", bytes.sum(), "bytes");
            })
        .organize(
            file.path(),
            new FileRewrite.NewOrder(
                status.getFileId(),
                order,
                origin(choice, arguments),
                ParityForecast.of(
                    split.analysed(),
                    order,
                    arguments.dataCells(),
                    status.getBlockSize() / arguments.cellSizeBytes())));
  }

  private static String origin(HeldBackOrganizer.Choice choice, TraceArguments arguments) {
    return String.format(
        Locale.ROOT,
        "%s, estimated saving %.1f %%, by %s, ratio %s, distance %d ticks, threshold %d, seed %d",
        Documents.word(choice.method()),
        100 * choice.estimatedGain(),
        arguments.file().getFileName(),
        arguments.ratio(),
        arguments.distanceTicks(),
        arguments.threshold(),
        arguments.seed());
  }

  private static void text(JsonNode d, PrintStream out) {
    Documents.choiceText(d.path("default"), out);
    if (d.path("requestsBeyondTheFile").asLong() > 0) {
      out.printf(
          Locale.ROOT,
          "Left out: %,d requests beyond the file's last whole cell%n",
          d.path("requestsBeyondTheFile").asLong());
    }
    if (d.path("organized").asBoolean()) {
      out.printf(
          Locale.ROOT,
          "Stored:   %s, %,d bytes, %,d cells in %,d runs, in %.1f s%n"
              + "Clients other than CasoFileSystem get its cells in stored order from now on%n",
          d.path("file").asText(),
          d.path("lengthBytes").asLong(),
          d.path("cells").asLong(),
          d.path("runs").asLong(),
          d.path("elapsedMs").asLong() / 1000.0);
    } else {
      out.printf("Left as it is: %s, the trace promises no gain%n", d.path("file").asText());
    }
  }
}
