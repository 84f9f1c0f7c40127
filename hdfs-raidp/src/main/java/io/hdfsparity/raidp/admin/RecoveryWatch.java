/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.raidp.admin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hdfsparity.core.cli.SizesAndDurations;
import io.hdfsparity.raidp.wire.message.TextResponse;
import java.io.IOException;
import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * Watches a recovery until it is over. The recovery runs in the NameNode: leaving the watch does
 * not end it.
 */
final class RecoveryWatch {
  private static final String GOES_ON =
      "Recovery continues in the NameNode; watch it again with: hdfs raidp -recover -progress";
  private static final long POLL_MS = 500;
  private static final long LINE_EVERY_MS = 2_000;

  /** A recovery that has nothing to do for so long needs a person, or a disk that comes back. */
  private static final long WAITING_LIMIT_MS = 30_000;

  private static final int MAX_FAILED_POLLS = 60;

  /** How progress is drawn. */
  enum Style {
    /** One line, redrawn. */
    BAR,
    /** A line now and then, for logs. */
    LINES
  }

  /** Asks for the state of the recovery. */
  @FunctionalInterface
  interface Source {
    TextResponse status() throws IOException;
  }

  private final Source source;
  private final PrintStream out;
  private final Style style;
  private final ObjectMapper mapper = new ObjectMapper();

  RecoveryWatch(Source source, PrintStream out, Style style) {
    this.source = source;
    this.out = out;
    this.style = style;
  }

  /**
   * Draws progress until the recovery is done, or can do nothing more.
   *
   * @return the last state; a NameNode that restarts or fails over meanwhile is waited for
   */
  TextResponse untilOver() throws IOException, InterruptedException {
    // Ctrl-C ends the JVM; the hook is where it can still say what becomes of the recovery.
    Thread hook = new Thread(() -> out.println("\n" + GOES_ON));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return watch();
    } catch (InterruptedException e) {
      out.println("\n" + GOES_ON);
      throw e;
    } finally {
      removeHook(hook);
    }
  }

  private void removeHook(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException shuttingDown) {
      out.flush(); // The hook is running: that is what it is for.
    }
  }

  private TextResponse watch() throws IOException, InterruptedException {
    long waitingMs = 0;
    long sinceLineMs = LINE_EVERY_MS;
    int failedPolls = 0;
    while (true) {
      TextResponse answer;
      try {
        answer = source.status();
        failedPolls = 0;
      } catch (IOException e) {
        if (++failedPolls >= MAX_FAILED_POLLS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MS);
        continue;
      }
      JsonNode doc = mapper.readTree(answer.json());
      String state = doc.path("state").asText();
      boolean over = state.equals("DONE") || state.equals("IDLE");
      waitingMs = state.equals("WAITING") ? waitingMs + POLL_MS : 0;
      sinceLineMs += POLL_MS;
      if (style == Style.BAR) {
        out.print("\r" + line(doc) + "\u001b[K");
        out.flush();
      } else if (over || sinceLineMs >= LINE_EVERY_MS) {
        out.println(line(doc));
        sinceLineMs = 0;
      }
      if (over || waitingMs >= WAITING_LIMIT_MS) {
        if (style == Style.BAR) {
          out.println();
        }
        return answer;
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
  }

  /** One line of progress. */
  static String line(JsonNode doc) {
    long total = doc.path("bytesTotal").asLong();
    long done = doc.path("bytesDone").asLong();
    boolean over = doc.path("state").asText().equals("DONE");
    int percent = over ? 100 : total <= 0 ? 0 : (int) Math.min(99, done * 100 / total);
    long finished = 0;
    for (JsonNode move : doc.path("superchunks")) {
      finished += move.path("phase").asText().equals("DONE") ? 1 : 0;
    }
    long etaMs = doc.path("etaMs").asLong(-1);
    return Texts.bar(percent)
        + SizesAndDurations.bytes(done)
        + " of "
        + SizesAndDurations.bytes(total)
        + ", "
        + SizesAndDurations.bytes(doc.path("bytesPerSecond").asLong())
        + "/s, ETA "
        + (etaMs < 0 ? "--:--" : SizesAndDurations.minutes(etaMs))
        + ", moves "
        + finished
        + " of "
        + doc.path("superchunks").size()
        + ", "
        + doc.path("lost").asLong()
        + " lost, "
        + doc.path("degraded").asLong()
        + " degraded, "
        + doc.path("state").asText();
  }
}
