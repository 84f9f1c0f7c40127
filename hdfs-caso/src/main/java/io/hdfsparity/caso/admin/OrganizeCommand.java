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
import io.hdfsparity.caso.organize.HeldBackOrganizer;
import io.hdfsparity.caso.organize.Method;
import io.hdfsparity.caso.replay.TraceSplit;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code hdfs caso -organize}: stores a file's cells by how they are used. */
final class OrganizeCommand extends ConsoleCommand {
  private final RewritePoints points;

  OrganizeCommand(Console console, RewritePoints points) {
    super(
        console,
        "-organize",
        "<path> -trace FILE [-inode N] [-ratio R] [-distance TIME] [-threshold N] [-seed N]"
            + " [-format msr] [-strict]"
            + ClusterFile.MAPREDUCE_USAGE
            + " [-json]",
        """
    Stores the cells of an erasure coded file of the cluster so that those that are written together
    share a stripe: makes a copy in that order, reads all of it back, compares it with the file, and
    puts it in its place in one step. Code and cell size are the file's. The file stays as it is if
    the trace does not promise a gain, see -analyze.
    Clients read such a file by io.hdfsparity.ParityFileSystem (fs.hdfs.impl); all others are
    refused by every NameNode, which must run the plugin of CASO. -restore puts it back.
    Run it again if it was interrupted: the file is in the one or the other order, as a whole.
    """
            + FileTrace.HELP
            + ClusterFile.MAPREDUCE_HELP
            + """
        -ratio, -distance, -threshold, -seed, -format, -strict: as for -analyze
        -json             one JSON document
        """);
    this.points = points;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = FileTrace.parse(args, Set.of());
    FileTrace of = FileTrace.of(a, console);
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("file", of.file().path());
    try (Progress progress = new Progress(console.err())) {
      organize(of, progress, doc);
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(doc, a, OrganizeCommand::text);
    return 0;
  }

  private void organize(FileTrace of, Progress progress, ObjectNode doc) throws IOException {
    TraceSplit split = of.read(console, progress, doc);
    TraceArguments arguments = of.arguments();
    HeldBackOrganizer.Choice choice =
        new HeldBackOrganizer(
                arguments.stripes().dataCells(),
                of.options().analysis(arguments.search().threshold()),
                arguments.search().seed(),
                of.options().search(),
                progress::stage)
            .organize(split.analysed(), split.analysedReads());
    Documents.choice(choice, doc.putObject("default"));
    boolean isOrganized = choice.method() != Method.SEQUENTIAL;
    doc.put("organized", isOrganized);
    if (isOrganized) {
      of.store(choice.organization(), origin(choice, arguments), split, points, progress, doc);
    }
  }

  private static String origin(HeldBackOrganizer.Choice choice, TraceArguments arguments) {
    return String.format(
        Locale.ROOT,
        "%s, estimated saving %.1f %%, %s",
        Documents.word(choice.method()),
        100 * choice.estimatedGain(),
        arguments.origin());
  }

  private static void text(JsonNode d, PrintStream out) {
    FileTrace.traceText(d, out);
    Documents.choiceText(d.path("default"), out);
    if (d.path("organized").asBoolean()) {
      FileTrace.storedText(d, out);
    } else {
      out.printf("Left as it is: %s, the trace promises no gain%n", d.path("file").asText());
    }
  }
}
