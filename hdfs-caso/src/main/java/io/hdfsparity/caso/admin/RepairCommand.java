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
import io.hdfsparity.caso.fs.IndexRepair;
import io.hdfsparity.core.cli.Arguments;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code hdfs caso -repair}: rebuilds an index from its copy. */
final class RepairCommand extends ConsoleCommand {
  RepairCommand(Console console) {
    super(
        console,
        "-repair",
        "<path> [-json]",
        """
    Checks the index of a file in stored order and its copy, and makes the one of them that is missing
    or damaged anew from the other; for superusers. Only an index with the SHA-256 that the file
    names, and of this file as it is now, is used; if neither has it, nothing is changed, and the
    index has to be put back from a backup. If the file has lost the attribute that names its index,
    it gets it back. The file itself is neither read nor changed, and may be in use.
    -json             one JSON document
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a = Arguments.parse(args, Set.of(Console.JSON), Set.of(), List.of("the path"));
    ClusterFile file = ClusterFile.of(a.operand(0), console.conf());
    IndexRepair.Found found = file.repair().repair(file.status(), file.path());
    ObjectNode doc = JsonNodeFactory.instance.objectNode().put("file", file.path());
    part(doc.putObject("index"), found.index());
    part(doc.putObject("copy"), found.copy());
    part(doc.putObject("pointer"), found.pointer());
    console.print(doc, a, RepairCommand::text);
    return 0;
  }

  private static void part(ObjectNode to, Optional<String> fault) {
    to.put("repaired", fault.isPresent());
    fault.ifPresent(reason -> to.put("reason", reason));
  }

  private static void text(JsonNode d, PrintStream out) {
    for (String part : new String[] {"index", "copy", "pointer"}) {
      JsonNode p = d.path(part);
      out.printf(
          "%-9s %s%n",
          Character.toUpperCase(part.charAt(0)) + part.substring(1) + ":",
          p.path("repaired").asBoolean()
              ? "rebuilt; it was: " + p.path("reason").asText()
              : "sound");
    }
  }
}
