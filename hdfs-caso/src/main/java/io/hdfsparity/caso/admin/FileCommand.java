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
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** A command that replaces one file of the cluster by a verified copy, without a trace. */
abstract class FileCommand implements Command {
  private final Console console;
  private final RewritePoints points;

  FileCommand(Console console, RewritePoints points) {
    this.console = console;
    this.points = points;
  }

  /** Replaces the file, and notes in the document what was done. */
  abstract void replace(ClusterFile file, FileRewrite rewrite, ObjectNode doc) throws IOException;

  /** Says what the document notes. */
  abstract void text(JsonNode doc, PrintStream out);

  /** What the command does, for the help. */
  abstract String purpose();

  @Override
  public final String usage() {
    return "<path>" + ClusterFile.MAPREDUCE_USAGE + " [-json]";
  }

  @Override
  public final String help() {
    return purpose()
        + ClusterFile.MAPREDUCE_HELP
        + """
        -json             one JSON document
        """;
  }

  @Override
  public final int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(Console.JSON, ClusterFile.MAPREDUCE), Set.of(), List.of("the path"));
    ClusterFile file = ClusterFile.of(a.operand(0), console.conf());
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("file", file.path());
    file.noteAppended(doc);
    try (Progress progress = new Progress(console.err())) {
      replace(file, file.rewrite(points, progress, ClusterFile.inParts(a, console.conf())), doc);
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(
        doc,
        a,
        (d, out) -> {
          ClusterFile.appendedText(d, out);
          text(d, out);
        });
    return 0;
  }

  /** Says that the file was replaced, and how long that took. */
  static void doneText(String done, JsonNode d, PrintStream out) {
    out.printf(
        Locale.ROOT,
        "%s: %s, in %.1f s%n",
        done,
        d.path("file").asText(),
        d.path("elapsedMs").asLong() / 1000.0);
  }
}
