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
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.Progress;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code hdfs caso -restore}: stores a file in its own order again. */
final class RestoreCommand implements Command {
  private final Console console;
  private final RewritePoints points;

  RestoreCommand(Console console, RewritePoints points) {
    this.console = console;
    this.points = points;
  }

  @Override
  public String name() {
    return "-restore";
  }

  @Override
  public String usage() {
    return "<path>" + ClusterFile.MAPREDUCE_USAGE + " [-json]";
  }

  @Override
  public String help() {
    return """
    Stores a file of the cluster that -organize has changed in its own order again, bit by bit as it
    was, by a copy that is compared and put in its place in one step; its index is deleted. What
    clients without CASO have appended meanwhile stays at the end. Also deletes what a run left
    behind that did not come to its end.
    """
        + ClusterFile.MAPREDUCE_HELP
        + """
    -json             one JSON document
    """;
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(Console.JSON, ClusterFile.MAPREDUCE), Set.of(), List.of("the path"));
    ClusterFile file = ClusterFile.of(a.operand(0), console.conf());
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("file", file.path());
    file.noteAppended(doc);
    try (Progress progress = new Progress(console.err())) {
      boolean isRestored =
          file.rewrite(points, progress, ClusterFile.inParts(a, console.conf()))
              .restore(file.path());
      doc.put("restored", isRestored).put("elapsedMs", progress.elapsedMs());
    }
    console.print(doc, a, RestoreCommand::text);
    return 0;
  }

  private static void text(JsonNode d, PrintStream out) {
    ClusterFile.appendedText(d, out);
    if (d.path("restored").asBoolean()) {
      out.printf(
          Locale.ROOT,
          "Restored: %s, in %.1f s%n",
          d.path("file").asText(),
          d.path("elapsedMs").asLong() / 1000.0);
    } else {
      out.printf("Left as it is: %s is stored in its own order%n", d.path("file").asText());
    }
  }
}
