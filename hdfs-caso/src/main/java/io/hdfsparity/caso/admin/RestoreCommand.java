/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.caso.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.caso.fs.FileRewrite;
import io.hdfsparity.caso.fs.RewritePoints;
import java.io.IOException;
import java.io.PrintStream;

/** {@code hdfs caso -restore}: stores a file in its own order again. */
final class RestoreCommand extends FileCommand {
  RestoreCommand(Console console, RewritePoints points) {
    super(console, points);
  }

  @Override
  public String name() {
    return "-restore";
  }

  @Override
  String purpose() {
    return """
    Stores a file of the cluster that -organize has changed in its own order again, bit by bit as it
    was, by a copy that is compared and put in its place in one step; its index is deleted. What
    clients without CASO have appended meanwhile stays at the end. Also deletes what a run left
    behind that did not come to its end.
    """;
  }

  @Override
  void replace(ClusterFile file, FileRewrite rewrite, ObjectNode doc) throws IOException {
    doc.put("restored", rewrite.restore(file.path()));
  }

  @Override
  void text(JsonNode d, PrintStream out) {
    if (d.path("restored").asBoolean()) {
      doneText("Restored", d, out);
    } else {
      out.printf("Left as it is: %s is stored in its own order%n", d.path("file").asText());
    }
  }
}
