/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import static io.hdfsparity.localcluster.quickstart.Texts.count;
import static io.hdfsparity.localcluster.quickstart.Texts.format;
import static io.hdfsparity.localcluster.quickstart.Texts.seconds;
import static io.hdfsparity.localcluster.quickstart.Texts.size;

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
    long bytes = rebuiltBytes;
    long blocks = rebuiltBlocks;
    int superchunks = copied;
    long superchunkBytes = copiedBytes;
    List<String> problems = new ArrayList<>();
    for (JsonNode move : doc.path("superchunks")) {
      if (!move.path("phase").asText().equals("DONE")) {
        problems.add(
            format(
                "superchunk %s: %s is %s %s",
                move.path("id").asLong(),
                move.path("kind").asText(),
                move.path("phase").asText(),
                move.path("note").asText()));
      }
      if (move.path("kind").asText().equals("REBUILD")) {
        bytes += move.path("bytesDone").asLong();
        blocks += move.path("blocksDone").asLong();
      } else {
        superchunks++;
        superchunkBytes += move.path("bytesDone").asLong();
      }
    }
    for (JsonNode waiting : doc.path("waiting")) {
      problems.add(
          format(
              "superchunk %s waits: %s %s",
              waiting.path("id").asLong(),
              waiting.path("reason").asText(),
              waiting.path("detail").asText()));
    }
    return new RecoveryResult(
        doc.path("state").asText(), bytes, blocks, superchunks, superchunkBytes, problems);
  }

  boolean complete() {
    return state.equals("DONE") && problems.isEmpty();
  }

  long bytes() {
    return rebuiltBytes + copiedBytes;
  }

  /** Lines of the last page. */
  void addTo(Report report, long ms) {
    report.row(
        "rebuilt from parity",
        "%s, %s: the bytes that had no replica left",
        count(rebuiltBlocks, "block"),
        size(rebuiltBytes));
    report.row(
        "copied",
        "%s, %s: those that had one replica left",
        count(copied, "superchunk"),
        size(copiedBytes));
    report.row("recovery", "%s, %s", seconds(ms), Texts.rate(bytes(), ms));
  }
}
