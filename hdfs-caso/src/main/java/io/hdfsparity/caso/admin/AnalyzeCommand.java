/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.TimeWindows;
import io.hdfsparity.caso.layout.LayoutFiles;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.layout.StoredOrder;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.caso.trace.FileCells;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** {@code hdfs caso -analyze}: organizes stripes by a trace. */
final class AnalyzeCommand extends ConsoleCommand {
  private static final double ALL = 1;
  private static final int DEFAULT_STRIPES = 10;

  AnalyzeCommand(Console console) {
    super(
        console,
        "-analyze",
        TraceArguments.USAGE
            + " [-out FILE [-length SIZE]] [-stripes N] [-mapreduce [-work DIR]] [-json]",
        """
    Organizes stripes by a trace: each method (order of addresses, the paper's greedy, both after a
    local search) learns from two thirds of the analysed windows and is tried on the third that was
    held back, twice; the one that saves most is taken, if that is 2 % or more and degraded reads do
    not become worse, else the order of addresses stays. The trace is a local file, plain or compressed.
    """
            + String.format(Locale.ROOT, TraceArguments.HELP, ALL)
            + """
        -out FILE         save the organization to a new local file, for -show
        -length SIZE      of the file that the addresses of the trace belong to (the end of the highest
                          cell in the trace)
        -stripes N        show the first N stripes that are not in order of address (10)
        -mapreduce        count by jobs on the cluster: the trace is a path of its file system, a file or
                          a folder; organized by the paper's greedy, without the trial on windows held
                          back; needs -length for -out, and -ratio stays 1
        -work DIR         folder of the cluster's file system for what the jobs hand on (.)
        -json             one JSON document
        """);
  }

  /** What is asked for beside the analysis. */
  private record Request(Optional<Path> out, Optional<Long> lengthBytes, int stripes) {
    static Request of(Arguments a, TraceArguments arguments) throws UsageException {
      boolean isAudit = arguments.source().format() == TraceArguments.Format.AUDIT;
      if (isAudit && a.value("-out").isPresent()) {
        throw new UsageException(
            "-out, expected with a block trace only: the cells of an audit log are whole files");
      }
      if (a.value("-length").isPresent() && a.value("-out").isEmpty()) {
        throw new UsageException("-length, expected with -out only");
      }
      return new Request(
          a.value("-out").isPresent()
              ? Optional.of(LocalPaths.parseNew(a.value("-out").get()))
              : Optional.empty(),
          a.value("-length").isPresent()
              ? Optional.of(TraceArguments.bytes("-length", a.value("-length").get()))
              : Optional.empty(),
          (int) a.number("-stripes", 0, Integer.MAX_VALUE, DEFAULT_STRIPES));
    }
  }

  /**
   * What was found.
   *
   * @param cellEnd above the highest cell of the trace, 0 if that is not known
   * @param method how, for people
   */
  private record Found(Organization organization, long cellEnd, String method) {}

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        TraceArguments.parse(
            args,
            List.of(Console.JSON, JobAnalysis.FLAG),
            List.of("-out", "-length", "-stripes", JobAnalysis.WORK));
    TraceArguments arguments = TraceArguments.of(a, ALL);
    Request request = Request.of(a, arguments);
    AnalysisOptions options = AnalysisOptions.of(console.conf());
    if (a.value(JobAnalysis.WORK).isPresent() && !a.has(JobAnalysis.FLAG)) {
      throw new UsageException(JobAnalysis.WORK + ", expected with " + JobAnalysis.FLAG + " only");
    }
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    Found found;
    try (Progress progress = new Progress(console.err())) {
      found =
          a.has(JobAnalysis.FLAG)
              ? byJobs(a, arguments, request, options, progress, doc)
              : inProcess(arguments, request, options, progress, doc);
    }
    try {
      if (request.out().isPresent()) {
        save(arguments, request, found, doc);
      }
    } finally {
      // It took its time, and says what was found whether that could be saved or not.
      console.print(doc, a, AnalyzeCommand::text);
    }
    return 0;
  }

  private Found byJobs(
      Arguments a,
      TraceArguments arguments,
      Request request,
      AnalysisOptions options,
      Progress progress,
      ObjectNode doc)
      throws Exception {
    JobAnalysis jobs = JobAnalysis.of(a, arguments, console.conf());
    GroupedOrganization organization =
        jobs.organize(a.operand(0), arguments, options, progress, doc);
    stripes(organization, request, Optional.empty(), doc);
    Documents.effort(doc, 0, progress.elapsedMs(), 0);
    return new Found(organization, 0, "greedy, counted by MapReduce,");
  }

  private Found inProcess(
      TraceArguments arguments,
      Request request,
      AnalysisOptions options,
      Progress progress,
      ObjectNode doc)
      throws Exception {
    LoadedTrace trace =
        LoadedTrace.read(arguments, options.maxFiles(), console, progress).withWrites(arguments);
    trace.describe(arguments, doc.putObject("trace"));
    Documents.parameters(arguments, doc.putObject("parameters"));
    long readMs = progress.elapsedMs();
    TraceSplit split = arguments.search().split(trace.writes(), trace.reads());
    TimeWindows analysed = split.analysed();
    CorrelationAnalysis analysis = options.analysis(arguments.search().threshold());
    progress.stage("counting correlations");
    CorrelationGraph graph = analysis.analyse(analysed);
    Documents.analysed(analysed, graph, doc.putObject("analysed"));
    GroupedOrganization greedy =
        new PaperGreedy(arguments.stripes().dataCells(), Remainder.LAST_GROUP).organize(graph);
    HeldBackOrganizer.Choice choice =
        new HeldBackOrganizer(
                arguments.stripes().dataCells(),
                analysis,
                arguments.search().seed(),
                options.search(),
                progress::stage)
            .organize(analysed, split.analysedReads(), greedy);
    Documents.choice(choice, doc.putObject("default"));
    stripes(choice.organization(), request, trace.files(), doc);
    Documents.effort(doc, readMs, progress.elapsedMs() - readMs, 0);
    String method =
        String.format(
            Locale.ROOT,
            "%s, estimated saving %.1f %%,",
            Documents.word(choice.method()),
            100 * choice.estimatedGain());
    return new Found(choice.organization(), trace.cellEnd(), method);
  }

  /** Stripes with a cell that is not where the order of addresses has it. */
  private static void stripes(
      Organization organization, Request request, Optional<FileCells> files, ObjectNode doc) {
    long[] displaced = organization.displacedCells();
    long[] stripes =
        Arrays.stream(displaced).map(organization::stripe).sorted().distinct().toArray();
    doc.put("displacedCells", displaced.length).put("organizedStripes", stripes.length);
    ArrayNode shown = doc.putArray("stripes");
    for (int i = 0; i < Math.min(request.stripes(), stripes.length); i++) {
      ObjectNode row = shown.addObject().put("stripe", stripes[i]);
      for (int unit = 0; unit < organization.dataCells(); unit++) {
        long cell = organization.logicalCell(stripes[i] * organization.dataCells() + unit);
        if (cell == Organization.PADDING) {
          row.withArray("cells").addNull();
        } else if (files.isPresent()) {
          // Cells behind those of all files are of none.
          row.withArray("cells").add(cell < files.get().count() ? files.get().path(cell) : "-");
        } else {
          row.withArray("cells").add(cell);
        }
      }
    }
  }

  private static void save(TraceArguments arguments, Request request, Found found, ObjectNode doc)
      throws IOException {
    int cellSizeBytes = arguments.stripes().cellSizeBytes();
    long lengthBytes;
    try {
      lengthBytes =
          request.lengthBytes().isPresent()
              ? request.lengthBytes().get()
              : Math.multiplyExact(found.cellEnd(), (long) cellSizeBytes);
    } catch (ArithmeticException e) {
      throw new IOException(
          "Cannot save an organization: cells="
              + found.cellEnd()
              + ", expected below 2^63 bytes; give -length",
          e);
    }
    StoredOrder order =
        StoredOrder.of(found.organization(), LayoutIndex.cells(lengthBytes, cellSizeBytes));
    LayoutIndex index =
        new LayoutIndex(
            "",
            cellSizeBytes,
            arguments.stripes().dataCells(),
            arguments.stripes().parityCells(),
            lengthBytes,
            found.method() + " " + arguments.origin(),
            order);
    LayoutFiles.create(request.out().orElseThrow(), index);
    doc.putObject("saved")
        .put("file", request.out().orElseThrow().toString())
        .put("lengthBytes", lengthBytes)
        .put("runs", order.runCount());
  }

  private static void text(JsonNode d, PrintStream out) {
    Documents.traceText(d, out);
    out.println();
    Documents.choiceText(d.path("default"), out);
    out.printf(
        Locale.ROOT,
        "         %,d cells in %,d stripes are not in order of address%n",
        d.path("displacedCells").asLong(),
        d.path("organizedStripes").asLong());
    if (!d.path("stripes").isEmpty()) {
      out.println();
      out.printf("%12s  %s%n", "Stripe", d.path("trace").has("files") ? "Files" : "Cells");
    }
    for (JsonNode s : d.path("stripes")) {
      StringBuilder cells = new StringBuilder();
      s.path("cells").forEach(c -> cells.append(c.isNull() ? "-" : c.asText()).append(' '));
      out.printf("%12s  %s%n", s.path("stripe").asText(), cells.toString().trim());
    }
    long hidden = d.path("organizedStripes").asLong() - d.path("stripes").size();
    if (hidden > 0) {
      out.printf(Locale.ROOT, "%12s  %,d more, see -stripes%n", "...", hidden);
    }
    out.println();
    if (d.has("saved")) {
      out.printf(
          Locale.ROOT,
          "Saved:   %s, for a file of %,d bytes, %,d runs%n",
          d.at("/saved/file").asText(),
          d.at("/saved/lengthBytes").asLong(),
          d.at("/saved/runs").asLong());
    }
    Documents.effortText(d, out);
  }
}
