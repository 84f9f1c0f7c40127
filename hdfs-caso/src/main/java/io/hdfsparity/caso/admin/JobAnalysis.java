/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.caso.config.AnalysisOptions;
import io.hdfsparity.caso.correlation.CorrelationGraph;
import io.hdfsparity.caso.correlation.CorrelationOptions;
import io.hdfsparity.caso.mapreduce.CorrelationJobs;
import io.hdfsparity.caso.organize.GroupedOrganization;
import io.hdfsparity.caso.organize.Method;
import io.hdfsparity.caso.organize.PaperGreedy;
import io.hdfsparity.caso.organize.Remainder;
import io.hdfsparity.core.check.ErrorMessage;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** The part of -analyze that counts by MapReduce. */
final class JobAnalysis {
  static final String FLAG = "-mapreduce";
  static final String WORK = "-work";

  private final Configuration conf;
  private final Path work;

  private JobAnalysis(Configuration conf, Path work) {
    this.conf = conf;
    this.work = work;
  }

  static JobAnalysis of(Arguments a, TraceArguments arguments, Configuration conf)
      throws UsageException {
    if (arguments.source().format() != TraceArguments.Format.MSR) {
      throw new UsageException(FLAG + ", expected with -format msr only");
    }
    if (arguments.search().ratio() != 1) {
      throw new UsageException(
          "-ratio=" + arguments.search().ratio() + ", expected 1 with " + FLAG);
    }
    if (a.value("-out").isPresent() && a.value("-length").isEmpty()) {
      throw new UsageException("-length is missing: -out needs it with " + FLAG);
    }
    return new JobAnalysis(conf, new Path(a.value(WORK).orElse(".")));
  }

  /** Counts, organizes by the paper's greedy, and describes both. */
  GroupedOrganization organize(
      String trace,
      TraceArguments arguments,
      AnalysisOptions options,
      Progress progress,
      ObjectNode doc)
      throws IOException {
    CorrelationJobs.Counted counted =
        new CorrelationJobs(conf, work, progress::stage)
            .count(
                new Path(trace),
                arguments.source().diskNumber(),
                arguments.stripes().cellSizeBytes(),
                arguments.search().distanceTicks(),
                new CorrelationOptions(
                    arguments.search().threshold(), options.maxWindowCells(), options.maxPairs()),
                arguments.source().badLines());
    if (counted.writes() == 0) {
      throw new IOException(
          ErrorMessage.to("organize by a trace")
              .value("writes", 0)
              .value("reads", counted.reads())
              .value("bad lines", counted.badLines())
              .value("requests left out by -inode", counted.otherRequests())
              .expected("at least one write")
              .where("file", trace)
              .message());
    }
    CorrelationGraph graph = counted.graph();
    doc.putObject("trace")
        .put("file", trace)
        .put("format", "msr")
        .put("writes", counted.writes())
        .put("reads", counted.reads())
        .put("badLines", counted.badLines())
        .put("volumes", counted.volumes().size())
        .put("requestsOfOtherVolumes", counted.otherRequests());
    Documents.parameters(arguments, doc.putObject("parameters"));
    doc.putObject("analysed")
        .put("windows", counted.windows())
        .put("writes", counted.writes())
        .put("correlatedCells", graph.vertexCount())
        .put("correlatedPairs", graph.edgeCount())
        .put("leftOutWindows", graph.leftOutWindowCount());
    doc.putObject("default").put("method", Documents.word(Method.GREEDY)).putNull("estimatedGain");
    progress.stage("organizing");
    return new PaperGreedy(arguments.stripes().dataCells(), Remainder.LAST_GROUP).organize(graph);
  }
}
