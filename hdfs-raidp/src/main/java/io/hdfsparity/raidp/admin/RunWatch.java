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
import java.util.function.Function;

/**
 * Watches a run of the active NameNode until it is over. The run is in memory there: leaving the
 * watch does not end it. One that says {@code GONE} after a restart or a failover is started again.
 */
final class RunWatch {
  private static final long POLL_MS = 500;
  private static final long LINE_EVERY_MS = 2_000;
  private static final int MAX_FAILED_POLLS = 120;
  private static final int MAX_RESTARTS = 50;

  /** Calls the manager. */
  @FunctionalInterface
  interface Call {
    TextResponse answer() throws IOException;
  }

  private final Call start;
  private final Call watch;
  private final Function<JsonNode, String> line;
  private final PrintStream out;
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * @param start starts the run, or joins it
   * @param watch asks how far it is
   * @param line of progress
   */
  RunWatch(Call start, Call watch, Function<JsonNode, String> line, PrintStream out) {
    this.start = start;
    this.watch = watch;
    this.line = line;
    this.out = out;
  }

  /**
   * Prints progress until the run is over.
   *
   * @return its last words
   */
  TextResponse untilOver() throws IOException, InterruptedException {
    TextResponse answer = start.answer();
    long sinceLineMs = 0;
    int failedPolls = 0;
    int restarts = 0;
    while (true) {
      JsonNode doc = mapper.readTree(answer.json());
      String state = doc.path("state").asText();
      if (!state.equals("RUNNING") && !state.equals("GONE")) {
        return answer;
      }
      if (sinceLineMs >= LINE_EVERY_MS && !state.equals("GONE")) {
        out.println(line.apply(doc));
        sinceLineMs = 0;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
      sinceLineMs += POLL_MS;
      try {
        if (state.equals("GONE") && ++restarts <= MAX_RESTARTS) {
          out.println("The NameNode has forgotten the run; it is started again");
          answer = start.answer();
        } else if (state.equals("GONE")) {
          throw new IOException(
              "Cannot see the run through: restarts=" + restarts + ", expected it to stay");
        } else {
          answer = watch.answer();
        }
        failedPolls = 0;
      } catch (IOException e) {
        if (restarts > MAX_RESTARTS || ++failedPolls >= MAX_FAILED_POLLS) {
          throw e;
        }
      }
    }
  }
}
