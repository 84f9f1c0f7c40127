/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.admin;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The document of {@link StatusDocument} as one screen of text. Stateless. */
final class StatusText {
  private StatusText() {}

  static void print(JsonNode doc, PrintStream out) {
    out.println(
        "HDFS Parity Suite "
            + text(doc, "suiteVersion")
            + ", Hadoop "
            + text(doc, "hadoopVersion"));
    doc.get("nameNodes").forEach(each -> nameNode(each, out));
    dataNodes(doc.get("dataNodes"), out);
    doc.get("features").forEach(each -> feature(each, out));
    out.println(doc.get("healthy").booleanValue() ? "Healthy" : "NOT HEALTHY: hdfs parity doctor");
  }

  private static void nameNode(JsonNode node, PrintStream out) {
    out.print("NameNode " + text(node, "address") + ": ");
    if (node.has("failure")) {
      out.println("NO ANSWER: " + text(node, "failure"));
      return;
    }
    String name = text(node, "id");
    out.println(
        text(node, "state")
            + (name.isEmpty() ? "" : ", " + text(node, "nameservice") + " " + name)
            + (node.path("safeMode").booleanValue() ? ", SAFE MODE" : "")
            + ", suite "
            + text(node, "suiteVersion")
            + ", Hadoop "
            + text(node, "hadoopVersion"));
  }

  private static void dataNodes(JsonNode nodes, PrintStream out) {
    out.printf(
        "DataNodes: %d live, %d stale, %d dead, %d out of service; %d of %d asked answer%n",
        nodes.get("live").longValue(),
        nodes.get("stale").longValue(),
        nodes.get("dead").longValue(),
        nodes.get("outOfService").longValue(),
        nodes.get("answered").longValue(),
        nodes.get("asked").longValue());
    if (!text(nodes, "problem").isEmpty()) {
      out.println("  " + text(nodes, "problem"));
    }
    List<String> silent = new ArrayList<>();
    nodes
        .get("silent")
        .forEach(
            each ->
                silent.add("NO ANSWER: " + text(each, "address") + ": " + text(each, "failure")));
    BoundedLines.print(silent, out);
  }

  /** Of an object; Hadoop 3.4's Jackson has no other way to all of them. */
  private static Iterable<Map.Entry<String, JsonNode>> entries(JsonNode object) {
    return object::fields;
  }

  private static void feature(JsonNode feature, PrintStream out) {
    out.println("Feature " + text(feature, "part"));
    List<String> lines = new ArrayList<>();
    for (JsonNode each : feature.get("nameNodes")) {
      StringBuilder line = new StringBuilder(text(each, "place")).append(": ");
      line.append(state(each));
      for (Map.Entry<String, JsonNode> figure : entries(each.get("figures"))) {
        line.append(", ").append(figure.getKey()).append('=').append(figure.getValue().asText());
      }
      lines.add(line.toString());
    }
    List<String> counts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> each : entries(feature.get("dataNodes"))) {
      counts.add(each.getValue().longValue() + " " + each.getKey());
    }
    if (!counts.isEmpty()) {
      lines.add("DataNodes: " + String.join(", ", counts));
    }
    lines.forEach(line -> out.println("  " + line));
    List<String> troubles = new ArrayList<>();
    feature.get("troubles").forEach(each -> troubles.add(text(each, "place") + ": " + state(each)));
    BoundedLines.print(troubles, out);
  }

  private static String state(JsonNode status) {
    String reason = text(status, "reason");
    return text(status, "state") + (reason.isEmpty() ? "" : ": " + reason);
  }

  private static String text(JsonNode node, String name) {
    return node.path(name).asText();
  }
}
