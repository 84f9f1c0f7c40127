/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What a recovery did, from the answers of {@code raidp -recover -progress -json}. Pure.
 *
 * @param state IDLE, RUNNING, WAITING or DONE
 * @param rebuiltBytes bytes that were decoded from Lstors and mirrors
 * @param rebuiltBlocks blocks of these
 * @param copied superchunks that got a new second replica
 * @param copiedBytes bytes of these
 * @param problems moves that failed and superchunks that wait, with reasons
 */
record RecoveryResult(
    String state,
    long rebuiltBytes,
    long rebuiltBlocks,
    int copied,
    long copiedBytes,
    List<String> problems) {
  /** Before the first attempt. */
  static final RecoveryResult NONE = new RecoveryResult("IDLE", 0, 0, 0, 0, List.of());

  RecoveryResult {
    problems = List.copyOf(problems);
  }

  /**
   * The sum of this and what one attempt more did, which decides whether all is done.
   *
   * @param doc its answer
   */
  RecoveryResult then(JsonNode doc) {
    List<String> left = new ArrayList<>();
    RecoveryResult sum = this;
    for (JsonNode move : doc.path("superchunks")) {
      sum = sum.plus(move);
      if (!move.path("phase").asText().equals("DONE")) {
        String template = "superchunk %s: %s is %s %s";
        left.add(Texts.ofFields(move, template, "id", "kind", "phase", "note"));
      }
    }
    for (JsonNode waiting : doc.path("waiting")) {
      left.add(Texts.ofFields(waiting, "superchunk %s waits: %s %s", "id", "reason", "detail"));
    }
    String now = doc.path("state").asText();
    return new RecoveryResult(
        now, sum.rebuiltBytes, sum.rebuiltBlocks, sum.copied, sum.copiedBytes, left);
  }

  private RecoveryResult plus(JsonNode move) {
    long bytes = move.path("bytesDone").asLong();
    long blocks = move.path("blocksDone").asLong();
    return move.path("kind").asText().equals("REBUILD")
        ? new RecoveryResult(
            state, rebuiltBytes + bytes, rebuiltBlocks + blocks, copied, copiedBytes, problems)
        : new RecoveryResult(
            state, rebuiltBytes, rebuiltBlocks, copied + 1, copiedBytes + bytes, problems);
  }

  boolean complete() {
    return state.equals("DONE") && problems.isEmpty();
  }

  /**
   * What is not done, the state in the first line and a problem in each other; nothing if all is.
   */
  String undone() {
    if (complete()) {
      return "";
    }
    List<String> lines = new ArrayList<>();
    lines.add("state=" + state + ", expected DONE with no superchunk left");
    lines.addAll(problems);
    return String.join("\n  ", lines);
  }

  long bytes() {
    return rebuiltBytes + copiedBytes;
  }

  /** Lines of the last page. */
  void addTo(Report report, long ms) {
    String rebuilt = "{block}, {bytes}: the bytes that had no replica left";
    report.row("rebuilt from parity", rebuilt, rebuiltBlocks, rebuiltBytes);
    String more = "{superchunk}, {bytes}: those that had one replica left";
    report.row("copied", more, copied, copiedBytes);
    report.row("recovery", "{ms}, %s", ms, Texts.rate(bytes(), ms));
  }
}
