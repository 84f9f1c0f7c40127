/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.izs.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.bridge.cli.Console;
import io.hdfsparity.bridge.cli.ConsoleCommand;
import io.hdfsparity.core.cli.Arguments;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** {@code hdfs izs -getLevel}: policies of files as HDFS lists them. Needs no level manager. */
final class GetLevelCommand extends ConsoleCommand {
  private static final String REPLICATED = "replicated";

  GetLevelCommand(Console console) {
    super(
        console,
        "-getLevel",
        "<path> [-R] [-json]",
        """
    Shows the level of a file: how many of its nodes may fail.
    -R     counts the files below a directory by policy
    """);
  }

  @Override
  public int run(List<String> args) throws Exception {
    Arguments a =
        Arguments.parse(
            args, Set.of(LevelFiles.RECURSIVE, Console.JSON), Set.of(), List.of("path"));
    LevelFiles files = LevelFiles.of(console.conf(), a.operand(0), a);
    Map<String, ObjectNode> policies = new TreeMap<>();
    files.forEach(
        (path, policy) -> {
          String name = policy == null ? REPLICATED : policy.getName();
          ObjectNode counted =
              policies.computeIfAbsent(
                  name,
                  unused -> {
                    ObjectNode made = JsonNodeFactory.instance.objectNode();
                    made.put("policy", name);
                    made.put("level", policy == null ? 0 : policy.getNumParityUnits());
                    made.put("files", 0L);
                    return made;
                  });
          counted.put("files", counted.get("files").longValue() + 1);
        });
    ObjectNode doc = JsonNodeFactory.instance.objectNode();
    doc.put("path", a.operand(0));
    doc.put("policyOfNewFiles", files.policyOfNewFiles());
    doc.putArray("policies").addAll(policies.values());
    console.print(doc, a, GetLevelCommand::text);
    return 0;
  }

  private static void text(JsonNode doc, PrintStream out) {
    for (JsonNode each : doc.get("policies")) {
      String level =
          each.get("level").intValue() == 0 ? "no level" : "level " + each.get("level").intValue();
      out.printf(
          "%s  %s  %d files%n",
          level, each.get("policy").textValue(), each.get("files").longValue());
    }
    String policy = doc.get("policyOfNewFiles").textValue();
    if (!policy.isEmpty()) {
      out.println("New files below " + doc.get("path").textValue() + " get policy " + policy);
    }
  }
}
