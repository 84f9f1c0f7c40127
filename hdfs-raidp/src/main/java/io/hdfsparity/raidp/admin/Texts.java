/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Prints the manager's JSON documents for people. Stateless. */
final class Texts {
  private static final int BAR = 30;

  private Texts() {}

  /** A bar and its number, with a blank behind it. */
  static String bar(int percent) {
    int filled = percent * BAR / 100;
    return "[" + "#".repeat(filled) + "-".repeat(BAR - filled) + "] " + percent + "% ";
  }

  static void status(JsonNode d, PrintStream out) {
    JsonNode s = d.path("superchunks");
    out.printf(
        "Manager: %s, placement %s%n",
        d.path("active").asBoolean() ? "active" : "standby",
        d.path("placementAttached").asBoolean()
            ? "attached"
            : "NOT attached: new blocks are refused");
    out.printf(
        "Superchunks: %d, active %d, degraded %d, lost %d, usable for new blocks %d%n",
        s.path("total").asLong(),
        s.path("active").asLong(),
        s.path("degraded").asLong(),
        s.path("lost").asLong(),
        s.path("usable").asLong());
    if (s.path("equalCoefficients").asLong() > 0) {
      out.printf(
          "Superchunks with the same coefficient on both sides, which survive two failed disks but not any three: %d%n",
          s.path("equalCoefficients").asLong());
    }
    JsonNode f = d.path("frames");
    out.printf(
        "Frames: live %d, spare %d, blocks %d, free units %d, limbo %s, unacknowledged %d%n",
        f.path("live").asLong(),
        d.path("spareFrames").asLong(),
        f.path("blocks").asLong(),
        f.path("freeUnits").asLong(),
        SizesAndDurations.bytes(f.path("limboBytes").asLong()),
        f.path("unacknowledged").asLong());
    coverage(d.path("coverage"), out);
    out.printf(
        "Grants open: %d, assignments outstanding: %d, recovery: %s%n",
        d.path("openGrants").asLong(),
        d.path("assignmentsOutstanding").asLong(),
        d.path("recovery").asText());
    JsonNode r = d.path("repair");
    out.printf(
        "Missing replicas: waiting %d, being copied %d; since the NameNode started: copied %d, timed out %d%n",
        r.path("lacking").asLong(),
        r.path("pending").asLong(),
        r.path("copied").asLong(),
        r.path("timedOut").asLong());
    if (d.path("replicationsLowered").asLong() > 0) {
      out.printf(
          "Files that asked for more than two replicas, and have two: %d since the NameNode started%n",
          d.path("replicationsLowered").asLong());
    }
    if (d.path("balance").path("state").asText().equals("RUNNING")) {
      out.println("Balance: " + BalanceCommand.line(d.path("balance")));
    }
    furtherFailures(d.path("furtherFailures"), out);
    for (JsonNode n : d.path("nodes")) {
      out.printf(
          "Node %s:%d rack %s%s%n",
          n.path("host").asText(),
          n.path("xferPort").asInt(),
          n.path("rack").asText(),
          n.path("silence").asText().equals("NONE") ? "" : " " + n.path("silence").asText());
      for (JsonNode k : n.path("disks")) {
        out.printf(
            "  Disk %s %s frames %d paired %d blocks %d free units %d %s %s%n",
            k.path("id").asText(),
            k.path("health").asText(),
            k.path("frames").asInt(),
            k.path("paired").asInt(),
            k.path("blocks").asLong(),
            k.path("freeUnits").asLong(),
            k.path("path").asText(),
            k.path("why").asText());
      }
    }
    out.printf("Problems: %d%n", d.path("problems").size());
    for (JsonNode p : d.path("problems")) {
      out.printf(
          "  %s %s: %s%n",
          p.path("kind").asText(), p.path("subject").asText(), p.path("detail").asText());
    }
  }

  /** What keeps the plugins from being taken out. */
  static void coverage(JsonNode d, PrintStream out) {
    if (d.path("none").asBoolean()) {
      out.println("Covered: nothing; RAIDP can be taken out");
      return;
    }
    if (!d.path("known").asBoolean(true)) {
      out.println("Covered: not known yet, as DataNodes have yet to report");
      return;
    }
    out.printf(
        "Covered: %d replicas, %d units taken%s%n",
        d.path("blocks").asLong(),
        d.path("units").asLong(),
        d.path("silentNodes").asLong() == 0
            ? ""
            : "; nodes that do not report: " + d.path("silentNodes").asLong());
  }

  private static void furtherFailures(JsonNode d, PrintStream out) {
    if (!d.path("cannotBeComputed").isEmpty()) {
      out.printf(
          "Lost superchunks that the Lstors at hand cannot rebuild as a whole: %s%n",
          ids(d.path("cannotBeComputed")));
    }
    for (JsonNode each : d.path("disks")) {
      boolean alone = !each.path("lost").isEmpty();
      out.printf(
          "Disk %s must not fail now%s: superchunks %s would be lost%n",
          each.path("disk").asText(),
          alone ? "" : " together with its Lstor",
          ids(each.path(alone ? "lost" : "lostWithItsLstor")));
    }
    if (!d.path("complete").asBoolean(true)) {
      out.println(
          d.path("gap").asText().equals("REPLICAS_NOT_COUNTED")
              ? "More disks may be among those that must not fail: missing replicas are not counted yet."
              : "Which further disks must not fail was not computed: too many sides of superchunks are missing.");
    }
  }

  private static String ids(JsonNode list) {
    List<String> ids = new ArrayList<>();
    list.forEach(id -> ids.add(id.asText()));
    return String.join(", ", ids);
  }

  static void layout(JsonNode d, PrintStream out) {
    for (JsonNode s : d.path("superchunks")) {
      out.printf(
          "Superchunk %d epoch %d %s%n",
          s.path("id").asLong(), s.path("epoch").asLong(), s.path("state").asText());
      s.path("replicas").forEach(r -> replica(r, out));
    }
    out.printf("Spare frames: %d%n", d.path("spares").size());
    d.path("spares").forEach(r -> replica(r, out));
  }

  private static void replica(JsonNode r, PrintStream out) {
    out.printf(
        "  %s rack %s disk %s frame %d %s %s blocks %d free units %d%n",
        r.path("node").asText(),
        r.path("rack").asText(),
        r.path("disk").asText(),
        r.path("frame").asInt(),
        r.path("storageId").asText(),
        r.path("health").asText(),
        r.path("blocks").asLong(),
        r.path("freeUnits").asLong());
  }

  static void applied(JsonNode d, PrintStream out) {
    out.printf(
        "%s %d superchunks (%s)%n",
        d.path("applied").asBoolean() ? "Assigned" : "Would assign",
        d.path("added").asInt(),
        d.path("method").asText());
    d.path("notes").forEach(n -> out.println("Note: " + n.asText()));
  }

  static void failed(JsonNode d, PrintStream out) {
    out.printf(
        "Disk %s of node %s is out of service, frames %d. Recover with: hdfs raidp -recover -progress%n",
        d.path("disk").asText(), d.path("node").asText(), d.path("frames").asInt());
    if (d.has("notChecked")) {
      out.printf("Not checked for last replicas: %s%n", d.path("notChecked").asText());
    }
  }

  static void withdrawn(JsonNode d, PrintStream out) {
    out.printf(
        "Disk %s of node %s is not declared failed any more, and is %s.%n",
        d.path("disk").asText(), d.path("node").asText(), d.path("health").asText());
    out.println(
        "If -status shows it as failed, restart its DataNode. Superchunks that were recovered"
            + " meanwhile stay where they are.");
  }

  static void fsck(JsonNode d, PrintStream out) {
    out.printf(
        "Checked: superchunks %d, blocks %d%s, rows %d, read %s%n",
        d.path("superchunks").asLong(),
        d.path("blocks").asLong(),
        d.path("plainBlocks").asLong() > 0
            ? " (" + d.path("plainBlocks").asLong() + " in no superchunk)"
            : "",
        d.path("rows").asLong(),
        SizesAndDurations.bytes(d.path("bytesRead").asLong()));
    for (JsonNode f : d.path("findings")) {
      out.printf(
          "  %s%s%s: %s%s%n",
          f.path("kind").asText(),
          f.has("superchunk") ? " superchunk " + f.path("superchunk").asLong() : "",
          f.has("block") ? " block " + f.path("block").asLong() : "",
          f.path("detail").asText(),
          f.path("repaired").asBoolean() ? " (repaired)" : "");
    }
    out.println(d.path("healthy").asBoolean() ? "Status: HEALTHY" : "Status: CORRUPT");
  }

  static void recovery(JsonNode d, PrintStream out) {
    out.println(RecoveryWatch.line(d));
    for (JsonNode m : d.path("superchunks")) {
      out.printf(
          "  superchunk %d %s %s to %s %s, %s of %s, blocks %d of %d %s%n",
          m.path("id").asLong(),
          m.path("kind").asText(),
          m.path("phase").asText(),
          m.path("node").asText(),
          m.path("receiver").asText(),
          SizesAndDurations.bytes(m.path("bytesDone").asLong()),
          SizesAndDurations.bytes(m.path("bytesTotal").asLong()),
          m.path("blocksDone").asInt(),
          m.path("blocksTotal").asInt(),
          m.path("note").asText());
    }
    for (JsonNode g : d.path("givenUp")) {
      out.printf(
          "  superchunk %d: blocks could not be rebuilt, as noted above, and it goes on without them%n",
          g.asLong());
    }
    for (JsonNode w : d.path("waiting")) {
      out.printf(
          "  superchunk %d waits: %s %s%n",
          w.path("id").asLong(), w.path("reason").asText(), w.path("detail").asText());
    }
  }

  static void lstors(JsonNode d, PrintStream out) {
    for (JsonNode l : d.path("lstors")) {
      out.printf(
          "Lstor of disk %s node %s %s daemon %s %s%n",
          l.path("disk").asText(),
          l.path("node").asText(),
          l.path("state").asText(),
          l.path("daemon").asText(),
          l.path("detail").asText());
    }
  }
}
