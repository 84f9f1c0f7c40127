/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.core.check.Printable;
import io.hdfsparity.core.cli.SizesAndDurations;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints what the manager says of protected directories. Stateless. */
final class AdoptionText {
  private static final Map<String, String> FILES = new LinkedHashMap<>();
  private static final Map<String, String> RELEASED = new LinkedHashMap<>();
  private static final Map<String, String> BLOCKS = new LinkedHashMap<>();

  static {
    FILES.put("COVERED", "covered: 2 replicas + parity");
    FILES.put("BEING_COVERED", "being covered");
    FILES.put("PLAIN", "plain, can be adopted where they lie");
    FILES.put("NEEDS_COPY", "plain, can be adopted after blocks are copied once");
    FILES.put("NO_SUPERCHUNK", "left plain: no superchunk of their disks can take a copy");
    FILES.put("NO_ROOM", "left plain: the superchunks of the replicas have no room");
    FILES.put("HELD_BY_SNAPSHOT", "left plain: a snapshot holds three replicas");
    FILES.put("ONE_REPLICA", "left plain: one replica");
    FILES.put("NOT_PROTECTED", "left plain: below a directory marked as plain");
    FILES.put("OPEN", "left plain: being written");
    FILES.put("TOO_MANY_BLOCKS", "left plain: more than 10,000 blocks");
    FILES.put("ERASURE_CODED", "erasure-coded");
    FILES.put("LACKS_REPLICAS", "lack good replicas; HDFS or the manager copies them first");
    FILES.put("CHANGED", "changed meanwhile; run again");
    FILES.put(
        "NODE_REFUSES", "a DataNode did not answer or refused, see the NameNode's log; run again");
    FILES.put("GONE", "deleted meanwhile");
    RELEASED.put("RELEASED", "released: plain replicas, no parity");
    RELEASED.put("PLAIN", "plain before");
    RELEASED.put("PROTECTED", "left covered: below a protected directory");
    RELEASED.put(
        "FEWER_IN_SNAPSHOT", "left covered: a snapshot asks for fewer replicas; delete it");
    RELEASED.put("NO_QUOTA", "left covered: the quota of a directory leaves no room; raise it");
    RELEASED.put("OPEN", "left covered: being written; run again when they are closed");
    RELEASED.put("LACKS_REPLICAS", "left covered: HDFS has yet to make replicas; run again");
    RELEASED.put(
        "STALE_REPORTS",
        "left covered: a DataNode has sent no heartbeat of late, or no full report since the"
            + " failover; start it, or run hdfs dfsadmin -triggerBlockReport, and again");
    RELEASED.put("TOO_MANY_BLOCKS", "left as they are: more than 10,000 blocks");
    RELEASED.put("ERASURE_CODED", "erasure-coded");
    RELEASED.put("CHANGED", "changed meanwhile; run again");
    RELEASED.put(
        "NODE_REFUSES", "a DataNode did not answer or refused, see the NameNode's log; run again");
    RELEASED.put("GONE", "deleted meanwhile");
    BLOCKS.put("COVERED", "covered");
    BLOCKS.put("BEING_COVERED", "being covered");
    BLOCKS.put("PLAIN", "plain");
    BLOCKS.put("NEEDS_COPY", "need one copy over the network");
    BLOCKS.put("NO_SUPERCHUNK", "plain, no superchunk can take a copy");
    BLOCKS.put("NO_ROOM", "plain, no room");
    BLOCKS.put("LACKS_REPLICAS", "lack good replicas");
    BLOCKS.put("UNKNOWN", "not known: a DataNode did not answer");
  }

  private AdoptionText() {}

  static void protectedPath(JsonNode d, PrintStream out) {
    mark(d, out);
    out.println(
        "Blocks that exist stay as they are. See them: hdfs raidp -status PATH. Take them in:"
            + " hdfs raidp -protect PATH -adopt -progress");
  }

  static void unprotectedPath(JsonNode d, PrintStream out) {
    if (d.has("cleared")) {
      out.printf("Marks cleared: %d%n", d.path("cleared").asLong());
    }
    mark(d, out);
    out.println(
        "Blocks that are covered stay covered with two replicas: protection belongs to the block."
            + " Give files their third replicas back: hdfs raidp -unprotect PATH -release"
            + " -progress");
    Texts.coverage(d.path("coverage"), out);
  }

  private static void mark(JsonNode d, PrintStream out) {
    String where = Printable.of(d.path("markedPath").asText());
    String mark = d.path("mark").asText();
    out.printf(
        "Path %s: new blocks are %s%n",
        Printable.of(d.path("path").asText()),
        switch (mark) {
          case "PROTECTED" -> "protected, as " + where + " is marked: 2 replicas + parity";
          case "PLAIN" -> "plain, as " + where + " is marked";
          default -> "plain, no directory above is marked";
        });
  }

  /** A release that is over. */
  static void released(JsonNode d, PrintStream out) {
    mark(d, out);
    files(d, out);
    tallies(d.path("files"), RELEASED, out);
    tally("blocks released by this run", d.path("newlyCovered"), out);
    tally("replicas that were made for them", d.path("copied"), out);
    Texts.coverage(d.path("coverage"), out);
  }

  private static void files(JsonNode d, PrintStream out) {
    out.printf(
        "Files: %d, %s%n",
        d.path("done").path("count").asLong(),
        SizesAndDurations.bytes(d.path("done").path("bytes").asLong()));
  }

  /** A survey, or an adoption that is over. */
  static void report(JsonNode d, PrintStream out) {
    mark(d, out);
    files(d, out);
    tallies(d.path("files"), FILES, out);
    out.println("Blocks of the files that were looked at:");
    tallies(d.path("blocks"), BLOCKS, out);
    out.printf(
        "Block sizes; a block takes whole units of %s:%n",
        SizesAndDurations.bytes(d.path("unitBytes").asLong()));
    for (JsonNode size : d.path("blockSizes")) {
      tally(size.path("size").asText(), size, out);
    }
    if (d.path("newlyCovered").path("count").asLong() > 0) {
      tally("newly covered by this run", d.path("newlyCovered"), out);
    }
    if (d.path("copied").path("count").asLong() > 0) {
      tally("copied over the network", d.path("copied"), out);
    }
  }

  private static void tallies(JsonNode d, Map<String, String> words, PrintStream out) {
    words.forEach(
        (kind, word) -> {
          if (d.has(kind)) {
            tally(word, d.path(kind), out);
          }
        });
  }

  static void tally(String what, JsonNode d, PrintStream out) {
    out.printf(
        "  %s: %d, %s%n",
        what, d.path("count").asLong(), SizesAndDurations.bytes(d.path("bytes").asLong()));
  }

  /** One line of progress. */
  static String line(JsonNode d) {
    long done = d.path("done").path("bytes").asLong();
    boolean known = d.path("totals").path("complete").asBoolean();
    long total = Math.max(done, d.path("totals").path("bytes").asLong());
    long etaMs = d.path("etaMs").asLong(-1);
    boolean over = d.path("state").asText().equals("DONE");
    int percent = over ? 100 : !known || total == 0 ? 0 : (int) Math.min(99, done * 100 / total);
    return Texts.bar(percent)
        + SizesAndDurations.bytes(done)
        + " of "
        + (known || over ? SizesAndDurations.bytes(total) : "?")
        + ", files "
        + d.path("done").path("count").asLong()
        + (d.path("goal").asText().equals("RELEASE") ? ", released " : ", newly covered ")
        + SizesAndDurations.bytes(d.path("newlyCovered").path("bytes").asLong())
        + speed(d)
        + ", ETA "
        + (etaMs < 0 ? "--:--" : SizesAndDurations.minutes(etaMs))
        + ", "
        + d.path("state").asText();
  }

  /** Its speed, and what it costs now. */
  static String speed(JsonNode d) {
    return " at "
        + SizesAndDurations.bytes(d.path("bytesPerSecond").asLong())
        + "/s, copied over the network "
        + SizesAndDurations.bytes(d.path("copied").path("bytes").asLong())
        + ", in flight "
        + SizesAndDurations.bytes(d.path("inFlight").path("bytes").asLong());
  }
}
