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
import io.hdfsparity.caso.fs.OrderedFiles;
import io.hdfsparity.caso.fs.RewritePoints;
import io.hdfsparity.caso.layout.FileOrder;
import io.hdfsparity.caso.layout.LayoutIndex;
import io.hdfsparity.caso.placement.ParityForecast;
import io.hdfsparity.core.cli.Arguments;
import io.hdfsparity.core.cli.Command;
import io.hdfsparity.core.cli.Progress;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** {@code hdfs caso -rewrite}: writes a file anew in the order that it is in. */
final class RewriteCommand implements Command {
  private final Console console;
  private final RewritePoints points;

  RewriteCommand(Console console, RewritePoints points) {
    this.console = console;
    this.points = points;
  }

  @Override
  public String name() {
    return "-rewrite";
  }

  @Override
  public String usage() {
    return "<path>" + ClusterFile.MAPREDUCE_USAGE + " [-json]";
  }

  @Override
  public String help() {
    return """
    Writes an erasure coded file of the cluster anew, in stored order or not, as it is: by a copy
    that is compared and put in its place in one step. A file can be updated in place (hdfs ecupdate)
    only as long as HDFS has rebuilt and moved none of its units; written anew, it can be again.
    Parity of a file in stored order goes where the placement policy has it without a forecast.
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
      rewrite(file, file.rewrite(points, progress, ClusterFile.inParts(a, console.conf())));
      doc.put("elapsedMs", progress.elapsedMs());
    }
    console.print(doc, a, RewriteCommand::text);
    return 0;
  }

  private static void rewrite(ClusterFile file, FileRewrite rewrite) throws IOException {
    HdfsFileStatus status = file.status();
    Optional<LayoutIndex> index = OrderedFiles.indexOfBeginning(file.fs(), status, file.path());
    if (index.isEmpty()) {
      rewrite.restoreAnew(file.path());
      return;
    }
    rewrite.organize(
        file.path(),
        new FileRewrite.NewOrder(
            status.getFileId(),
            status.getLen() == index.get().lengthBytes()
                ? index.get().order()
                : FileOrder.grown(index.get(), status.getLen()),
            index.get().origin(),
            new ParityForecast(new long[0])));
  }

  private static void text(JsonNode d, PrintStream out) {
    ClusterFile.appendedText(d, out);
    out.printf(
        Locale.ROOT,
        "Written anew: %s, in %.1f s%n",
        d.path("file").asText(),
        d.path("elapsedMs").asLong() / 1000.0);
  }
}
