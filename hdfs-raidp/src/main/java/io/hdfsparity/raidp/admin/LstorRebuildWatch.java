/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * Watches the rebuild of an Lstor until it is over. It runs in the DataNode: leaving the watch does
 * not end it.
 */
final class LstorRebuildWatch {
  private static final long POLL_MS = 500;
  private static final long LINE_EVERY_MS = 2_000;

  /** A rebuild that gets on no further needs a person: a replica may be damaged. */
  private static final long STUCK_MS = 120_000;

  private final RecoveryWatch.Source source;
  private final PrintStream out;
  private final ObjectMapper mapper = new ObjectMapper();

  LstorRebuildWatch(RecoveryWatch.Source source, PrintStream out) {
    this.source = source;
    this.out = out;
  }

  /**
   * @throws IOException when the rebuild gets on no further, or cannot be asked for
   */
  TextResponse untilOver() throws IOException, InterruptedException {
    long done = -1;
    long stuckMs = 0;
    long sinceLineMs = LINE_EVERY_MS;
    while (true) {
      TextResponse answer = source.status();
      JsonNode doc = mapper.readTree(answer.json());
      boolean over = !doc.path("phase").asText().equals("RUNNING");
      stuckMs = doc.path("done").asLong() == done ? stuckMs + POLL_MS : 0;
      done = doc.path("done").asLong();
      sinceLineMs += POLL_MS;
      if (over) {
        return answer;
      }
      if (sinceLineMs >= LINE_EVERY_MS) {
        out.println(line(doc));
        sinceLineMs = 0;
      }
      if (stuckMs >= STUCK_MS) {
        throw new IOException(
            "Cannot see the rebuild through: "
                + line(doc)
                + ", expected more to be done for "
                + STUCK_MS / 1000
                + " s; see the DataNode's log, and -scrub -disk "
                + doc.path("disk").asText());
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
  }

  /** One line. */
  static String line(JsonNode doc) {
    String detail = doc.path("detail").asText();
    return "Lstor of disk "
        + doc.path("disk").asText()
        + ": "
        + doc.path("phase").asText()
        + ", "
        + doc.path("done").asLong()
        + " of "
        + doc.path("total").asLong()
        + " "
        + doc.path("counted").asText()
        + (detail.isEmpty() ? "" : "; " + detail);
  }
}
