/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hdfsparity.core.cli.CommandLine;
import io.hdfsparity.core.cli.Progress;
import io.hdfsparity.ecupdate.protocol.ControlOutcome;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Has something done for the replicas of many files, by the DataNodes that have them, and sums up
 * what became of it. Used by one thread.
 */
final class ReplicaWork {
  /** Replicas that are gathered before the DataNodes are called. */
  private static final int GATHERED = 20_000;

  private static final int LISTED_FAILURES = 100;

  private final ControlNodes nodes;
  private final ControlNodes.Batch batch;
  private final TreeMap<String, TreeSet<Long>> gathered = new TreeMap<>();
  private final ArrayNode failures = JsonNodeFactory.instance.arrayNode();
  private long files;
  private long done;
  private long absent;
  private long failed;

  ReplicaWork(ControlNodes nodes, ControlNodes.Batch batch) {
    this.nodes = nodes;
    this.batch = batch;
  }

  /** Adds a file. */
  void add(HdfsFiles from, org.apache.hadoop.fs.Path file, Progress progress) throws IOException {
    from.replicas(file, gathered);
    files++;
    if (gathered.values().stream().mapToInt(Set::size).sum() >= GATHERED) {
      flush();
    }
    progress.count("replicas", done + absent + failed, "done");
  }

  /** Does what has been gathered. */
  void flush() {
    for (Map.Entry<String, TreeSet<Long>> node : gathered.entrySet()) {
      try {
        ControlOutcome outcome = nodes.each(node.getKey(), node.getValue(), batch);
        done += outcome.done();
        absent += outcome.absent();
        outcome.failures().forEach(each -> fail(node.getKey(), each.blockId(), 1, each.reason()));
      } catch (IOException e) {
        fail(node.getKey(), 0, node.getValue().size(), CommandLine.firstLine(e.getMessage()));
      }
    }
    gathered.clear();
  }

  private void fail(String node, long blockId, long count, String reason) {
    failed += count;
    if (failures.size() < LISTED_FAILURES) {
      ObjectNode each = failures.addObject().put("node", node).put("reason", reason);
      if (blockId != 0) {
        each.put("block", blockId);
      }
    }
  }

  /** What became of it. */
  void describe(ObjectNode doc) {
    doc.put("files", files).put("done", done).put("notAdmitted", absent).put("failed", failed);
    doc.set("failures", failures);
  }

  boolean hasFailed() {
    return failed > 0;
  }

  /**
   * As text.
   *
   * @param participle as in "merged"
   */
  static void print(JsonNode doc, String participle, PrintStream out) {
    for (JsonNode each : doc.path("failures")) {
      out.printf(
          "failed: DataNode %s%s: %s%n",
          each.path("node").asText(),
          each.has("block") ? ", block " + each.path("block").asText() : "",
          each.path("reason").asText());
    }
    out.printf(
        Locale.ROOT,
        "%,d replicas of %,d files %s, %,d were never updated, %,d failed%n",
        doc.path("done").asLong(),
        doc.path("files").asLong(),
        participle,
        doc.path("notAdmitted").asLong(),
        doc.path("failed").asLong());
  }
}
