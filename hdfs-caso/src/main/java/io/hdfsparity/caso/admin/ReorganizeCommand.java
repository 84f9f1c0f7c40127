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
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Reorganizer;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.core.cli.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * {@code hdfs caso -reorganize}: changes the stripes of a stored file that another use gains by.
 */
final class ReorganizeCommand extends ConsoleCommand {
  /** The origin of the order before is kept for people, and must not grow with each change. */
  private static final int MAX_FORMER_CHARS = 500;

  private final RewritePoints points;

  ReorganizeCommand(Console console, RewritePoints points) {
    super(
        console,
        "-reorganize",
        "<path> -trace FILE [-inode N] [-ratio R] [-distance TIME] [-seed N] [-format msr]"
            + " [-strict]"
            + ClusterFile.MAPREDUCE_USAGE
            + " [-json]",
        """
    For a file that -organize has stored and that is used in another way by now: begins with the
    order that it has, lets cells change places as a newer trace asks for, and takes of that only
    the stripes that gain; all others stay as they are. What is learned from two thirds of the
    trace must save parity updates on the rest, against the order that there is, or nothing is
    changed. The file is copied, compared and put in its place as -organize does.
    """
            + FileTrace.HELP
            + ClusterFile.MAPREDUCE_HELP
            + """
        -ratio, -distance, -seed, -format, -strict: as for -analyze
        -json             one JSON document
        """);
    this.points = points;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = FileTrace.parse(args, Set.of("-threshold"));
    FileTrace of = FileTrace.of(a, console);
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("file", of.file().path());
    try (Progress progress = new Progress(console.err())) {
      reorganize(of, progress, doc);
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(doc, a, ReorganizeCommand::text);
    return 0;
  }

  private void reorganize(FileTrace of, Progress progress, ObjectNode doc)
      throws IOException, UsageException {
    LayoutIndex index = of.file().index("reorganize a file");
    TraceSplit split = of.read(console, progress, doc);
    TraceArguments arguments = of.arguments();
    Reorganizer.Change change =
        new Reorganizer(arguments.search().seed(), of.options().search(), progress::stage)
            .reorganize(
                FileOrder.organization(index.order(), arguments.stripes().dataCells()),
                split.analysed(),
                split.analysedReads());
    trial(change.present(), doc.putObject("heldBackPresent"));
    trial(change.tried(), doc.putObject("heldBackReorganized"));
    doc.put("estimatedGain", change.estimatedGain());
    doc.put("reorganized", change.stripes() > 0).put("stripes", change.stripes());
    if (change.stripes() > 0) {
      of.store(
          change.organization(), origin(change, arguments, index), split, points, progress, doc);
    }
  }

  private static void trial(HeldBackOrganizer.Trial trial, ObjectNode to) {
    to.put("stripeWrites", trial.stripeWrites()).put("degradedReads", trial.degradedReads());
  }

  private static String origin(
      Reorganizer.Change change, TraceArguments arguments, LayoutIndex index) {
    String former = index.origin();
    return String.format(
        Locale.ROOT,
        "%d stripes reorganized, estimated saving %.1f %%, by %s, ratio %s, distance %d ticks, seed"
            + " %d; before: %s",
        change.stripes(),
        100 * change.estimatedGain(),
        arguments.source().file().getFileName(),
        arguments.search().ratio(),
        arguments.search().distanceTicks(),
        arguments.search().seed(),
        former.substring(0, Math.min(MAX_FORMER_CHARS, former.length())));
  }

  private static void text(JsonNode d, PrintStream out) {
    FileTrace.traceText(d, out);
    out.printf(
        Locale.ROOT,
        "Held back: stripe writes %,d as it is, %,d reorganized; additional degraded reads %,d,"
            + " %,d; estimated saving of parity updates %.1f %%%n",
        d.at("/heldBackPresent/stripeWrites").asLong(),
        d.at("/heldBackReorganized/stripeWrites").asLong(),
        d.at("/heldBackPresent/degradedReads").asLong(),
        d.at("/heldBackReorganized/degradedReads").asLong(),
        100 * d.path("estimatedGain").asDouble());
    if (d.path("reorganized").asBoolean()) {
      out.printf(Locale.ROOT, "Changed:  %,d stripes%n", d.path("stripes").asLong());
      FileTrace.storedText(d, out);
    } else {
      out.printf("Left as it is: %s, the trace promises no gain%n", d.path("file").asText());
    }
  }
}
