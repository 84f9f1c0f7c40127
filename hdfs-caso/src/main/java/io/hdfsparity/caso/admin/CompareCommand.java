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
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.caso.correlation.CorrelationAnalysis;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Organization;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.caso.organize.SequentialOrganization;
import io.hdfsparity.caso.replay.ReplayCounts;
import io.hdfsparity.caso.replay.Replayer;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.LocalPaths;
import io.hdfsparity.core.cli.Progress;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** {@code hdfs caso -compare}: what a trace would have cost under each organization. */
final class CompareCommand extends ConsoleCommand {
  private static final double PAPERS_RATIO = 0.5;

  CompareCommand(Console console) {
    super(
        console,
        "-compare",
        TraceArguments.USAGE + " [-plot FILE] [-json]",
        """
    Analyses the first part of a trace, organizes stripes by it, and replays the rest: parity cells
    updated, and cells read in addition when a node is lost, under each organization:
      bso           cells in order of address, the paper's baseline
      algorithm1    the paper's greedy as it is printed
      authors-code  the paper's greedy as its authors' public code has it: the reference figures
      default       what -analyze would choose, see there
    The trace is a local file, plain or compressed. Touches no cluster.
    """
            + String.format(Locale.ROOT, TraceArguments.HELP, PAPERS_RATIO)
            + """
        -plot FILE        also as bars, to a new local file in SVG
        -json             one JSON document
        """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = TraceArguments.parse(args, List.of(Console.JSON), List.of("-plot"));
    TraceArguments arguments = TraceArguments.of(a, PAPERS_RATIO);
    Optional<Path> plot =
        a.value("-plot").isPresent()
            ? Optional.of(LocalPaths.parseNew(a.value("-plot").get()))
            : Optional.empty();
    AnalysisOptions options = AnalysisOptions.of(console.conf());
    ObjectNode doc;
    try (Progress progress = new Progress(console.err())) {
      doc = document(arguments, options, progress);
    }
    try {
      if (plot.isPresent()) {
        ComparisonPlot.write(doc, plot.get());
      }
    } finally {
      // It took its time, and says what was found whether that could be drawn or not.
      console.print(doc, a, CompareCommand::text);
    }
    return 0;
  }

  private ObjectNode document(TraceArguments arguments, AnalysisOptions options, Progress progress)
      throws Exception {
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    LoadedTrace trace =
        LoadedTrace.read(arguments, options.maxFiles(), console, progress).withWrites(arguments);
    trace.describe(arguments, doc.putObject("trace"));
    Documents.parameters(arguments, doc.putObject("parameters"));
    long readMs = progress.elapsedMs();
    TraceSplit split = arguments.search().split(trace.writes(), trace.reads());
    CorrelationAnalysis analysis = options.analysis(arguments.search().threshold());
    progress.stage("counting correlations");
    CorrelationGraph graph = analysis.analyse(split.analysed());
    Documents.analysed(split.analysed(), graph, doc.putObject("analysed"));
    int k = arguments.stripes().dataCells();
    GroupedOrganization greedy = new PaperGreedy(k, Remainder.LAST_GROUP).organize(graph);
    Map<String, Organization> organizations = new LinkedHashMap<>();
    organizations.put("bso", new SequentialOrganization(k));
    organizations.put("algorithm1", greedy);
    organizations.put("authors-code", new PaperGreedy(k, Remainder.ADDRESS_ORDER).organize(graph));
    HeldBackOrganizer.Choice choice =
        new HeldBackOrganizer(
                k, analysis, arguments.search().seed(), options.search(), progress::stage)
            .organize(split.analysed(), split.analysedReads(), greedy);
    organizations.put("default", choice.organization());
    long organizeMs = progress.elapsedMs();
    replay(arguments, split, organizations, progress, doc);
    Documents.choice(choice, doc.putObject("default"));
    Documents.effort(doc, readMs, organizeMs - readMs, progress.elapsedMs() - organizeMs);
    return doc;
  }

  private static void replay(
      TraceArguments arguments,
      TraceSplit split,
      Map<String, Organization> organizations,
      Progress progress,
      ObjectNode doc) {
    Replayer replayer = new Replayer(arguments.stripes().parityCells());
    ReplayCounts bso = null;
    for (Map.Entry<String, Organization> each : organizations.entrySet()) {
      progress.stage("replaying " + each.getKey());
      ReplayCounts counts = replayer.replay(split, each.getValue());
      if (bso == null) {
        bso = counts;
        doc.putObject("replayed")
            .put("windows", counts.windows())
            .put("writes", counts.writeRequests())
            .put("cellWrites", counts.cellWrites())
            .put("reads", counts.readRequests())
            .put("cellReads", counts.cellReads());
      }
      ObjectNode row = doc.withArray("organizations").addObject().put("name", each.getKey());
      row.put("parityUpdates", counts.parityUpdates());
      share(row, "parityUpdatesOfBso", counts.parityUpdates(), bso.parityUpdates());
      row.put("additionalDegradedReads", counts.degradedReads());
      share(row, "additionalDegradedReadsOfBso", counts.degradedReads(), bso.degradedReads());
    }
  }

  private static void share(ObjectNode row, String name, long part, long whole) {
    if (whole > 0) {
      row.put(name, (double) part / whole);
    } else {
      row.putNull(name);
    }
  }

  private static void text(JsonNode d, PrintStream out) {
    Documents.traceText(d, out);
    JsonNode r = d.path("replayed");
    out.printf(
        Locale.ROOT,
        "Replayed: %,d windows with %,d writes of %,d cells; %,d reads of %,d cells%n%n",
        r.path("windows").asLong(),
        r.path("writes").asLong(),
        r.path("cellWrites").asLong(),
        r.path("reads").asLong(),
        r.path("cellReads").asLong());
    out.printf(
        "%-14s %16s %8s %26s %8s%n",
        "Organization", "Parity updates", "of BSO", "Additional degraded reads", "of BSO");
    for (JsonNode o : d.path("organizations")) {
      out.printf(
          Locale.ROOT,
          "%-14s %,16d %8s %,26d %8s%n",
          o.path("name").asText(),
          o.path("parityUpdates").asLong(),
          Documents.percent(o.path("parityUpdatesOfBso")),
          o.path("additionalDegradedReads").asLong(),
          Documents.percent(o.path("additionalDegradedReadsOfBso")));
    }
    out.println();
    Documents.choiceText(d.path("default"), out);
    Documents.effortText(d, out);
  }
}
