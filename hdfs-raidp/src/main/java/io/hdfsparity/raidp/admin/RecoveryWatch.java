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
 * not end it. A NameNode that has become the active one meanwhile may know nothing of it; then it
 * is begun again.
 */
final class RecoveryWatch {
  private static final String GOES_ON =
      "Recovery continues in the NameNode; watch it again with: hdfs raidp -recover -progress";
  private static final long LINE_EVERY_MS = 2_000;
  private static final int MAX_FAILED_POLLS = 60;
  private static final int FAILED = -1;

  /**
   * When to look, and when to give up.
   *
   * @param pollMs between two looks
   * @param waitingMs a recovery that has nothing to do for so long needs a person, or a disk that
   *     comes back
   * @param missingMs for so long missing replicas may be no fewer; HDFS orders a failed copy again
   *     after ten minutes at most
   * @param restarts how often a recovery that was forgotten is begun again
   */
  record Limits(long pollMs, long waitingMs, long missingMs, int restarts) {
    static final Limits USUAL = new Limits(500, 30_000, 720_000, 10);
  }

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

  private final Source begin;
  private final Source source;
  private final PrintStream out;
  private final Style style;
  private final Limits limits;
  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * @param begin begins the recovery again
   */
  RecoveryWatch(Source begin, Source source, PrintStream out, Style style, Limits limits) {
    this.begin = begin;
    this.source = source;
    this.out = out;
    this.style = style;
    this.limits = limits;
  }

  /**
   * Draws progress until the recovery is done, or can do nothing more. A NameNode that restarts or
   * fails over meanwhile is waited for.
   *
   * @return the last state
   * @throws IOException also when the recovery is forgotten too often
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
    int restarts = 0;
    boolean forgotten = false;
    MissingReplicas missing = new MissingReplicas(limits.missingMs());
    while (true) {
      TextResponse answer;
      try {
        answer = forgotten ? begin.status() : source.status();
        failedPolls = 0;
      } catch (IOException e) {
        if (++failedPolls >= MAX_FAILED_POLLS) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(limits.pollMs());
        continue;
      }
      JsonNode doc = mapper.readTree(answer.json());
      String state = doc.path("state").asText();
      forgotten = state.equals("IDLE");
      if (forgotten) {
        noteForgotten(++restarts);
      }
      boolean done = state.equals("DONE");
      boolean over = done && (answer.exitCode() != 0 || missing.isOver(doc, limits.pollMs()));
      waitingMs = state.equals("WAITING") ? waitingMs + limits.pollMs() : 0;
      sinceLineMs += limits.pollMs();
      if (style == Style.BAR) {
        out.print("\r" + line(doc) + "\u001b[K");
        out.flush();
      } else if (over || sinceLineMs >= LINE_EVERY_MS) {
        out.println(line(doc));
        sinceLineMs = 0;
      }
      if (over || waitingMs >= limits.waitingMs()) {
        if (style == Style.BAR) {
          out.println();
        }
        return over ? judged(answer, doc) : answer;
      }
      TimeUnit.MILLISECONDS.sleep(limits.pollMs());
    }
  }

  private void noteForgotten(int restarts) throws IOException {
    if (restarts > limits.restarts()) {
      throw new IOException(
          "Cannot see the recovery through: restarts="
              + restarts
              + ", expected a NameNode that stays the active one");
    }
    out.println(
        (style == Style.BAR ? "\n" : "")
            + "The NameNode has forgotten the recovery; it is begun again");
  }

  /** All superchunks may be pairs while blocks have one replica. */
  private TextResponse judged(TextResponse answer, JsonNode doc) {
    if (answer.exitCode() == 0 && !MissingReplicas.areCounted(doc)) {
      out.println(
          "Cannot see the recovery through: missing replicas were not counted within "
              + limits.missingMs() / 1000
              + " s, expected a NameNode that has looked at all its blocks; see its log, and watch"
              + " again");
      return new TextResponse(answer.json(), FAILED);
    }
    long missing = MissingReplicas.of(doc);
    if (missing == 0) {
      return answer;
    }
    out.println(
        "Cannot see the recovery through: replicasMissing="
            + missing
            + ", expected fewer within "
            + limits.missingMs() / 1000
            + " s; hdfs raidp -status counts them");
    return new TextResponse(answer.json(), FAILED);
  }

  /** Whether what is missing becomes less. */
  private static final class MissingReplicas {
    private final long limitMs;
    private long fewest = Long.MAX_VALUE;
    private long sinceMs;

    MissingReplicas(long limitMs) {
      this.limitMs = limitMs;
    }

    static long of(JsonNode doc) {
      return doc.path("replicasMissing").asLong();
    }

    static String words(JsonNode doc) {
      return !areCounted(doc)
          ? ", missing replicas are not counted yet"
          : of(doc) > 0 ? ", " + of(doc) + " replicas missing" : "";
    }

    static boolean areCounted(JsonNode doc) {
      return doc.path("replicasCounted").asBoolean(true);
    }

    /** Nothing is missing, or it has not become less for too long. */
    boolean isOver(JsonNode doc, long passedMs) {
      if (!areCounted(doc)) {
        fewest = Long.MAX_VALUE;
        sinceMs += passedMs;
        return sinceMs >= limitMs;
      }
      long now = of(doc);
      sinceMs = now < fewest ? 0 : sinceMs + passedMs;
      fewest = Math.min(fewest, now);
      return now == 0 || sinceMs >= limitMs;
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
        + doc.path("state").asText()
        + (over ? MissingReplicas.words(doc) : "");
  }
}
