/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;

/** Changes the level of a tree of files in place, as an administrator does. */
record LevelStep(Admin admin, Screen screen) {
  private static final Duration TIMEOUT = Duration.ofMinutes(5);

  /**
   * What was done.
   *
   * @param files changed
   * @param groups block groups of these
   * @param ms of all commands together
   */
  record Result(long files, long groups, long ms) {
    Result plus(JsonNode doc, long moreMs) {
      return new Result(
          files + doc.path("changed").asLong(),
          groups + doc.path("changedGroups").asLong(),
          ms + moreMs);
    }
  }

  /**
   * Runs {@code izs -setLevel … -R}, again while files are refused: most reasons, as a node that
   * comes back, end by themselves.
   *
   * @throws QuickstartException naming a file that was refused to the end
   */
  Result run(int level, String folder) throws QuickstartException, InterruptedException {
    AtomicReference<Result> sum = new AtomicReference<>(new Result(0, 0, 0));
    Poll.await(
        "izs -setLevel failed",
        TIMEOUT,
        screen::progress,
        () -> {
          long begin = System.nanoTime();
          Admin.Answer answer =
              admin.run(screen::progress, "-setLevel %s %s -R -json", level, folder);
          long ms = Texts.msSince(begin);
          JsonNode doc = answer.json().orElseThrow(() -> failed(answer.err()));
          if (doc.has("failure")) {
            throw failed(doc.path("failure").asText());
          }
          sum.set(sum.get().plus(doc, ms));
          long refused = doc.path("refused").asLong();
          if (refused > 0 || answer.exitCode() != 0) {
            throw new Poll.NotYet(
                "%s files keep their level: %s",
                refused, doc.at("/refusals/0/examples/0").asText());
          }
        });
    return sum.get();
  }

  private static QuickstartException failed(String why) {
    return QuickstartException.cluster("izs -setLevel failed: %s", why);
  }
}
