/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;

/** Recovers from failed disks. */
record RecoveryStep(Admin admin, Screen screen) {
  private static final int ATTEMPTS = 3;
  private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(5);

  /**
   * Runs {@code raidp -recover -progress} until every superchunk has two replicas again.
   *
   * @throws QuickstartException when that cannot be reached
   */
  RecoveryResult run() throws QuickstartException, InterruptedException {
    RecoveryResult result = RecoveryResult.NONE;
    for (int attempt = 1; ; attempt++) {
      Admin.Answer answer = admin.run(screen::progress, "-recover -progress -json");
      screen.keepProgress();
      result = result.then(answer.requireJson());
      if (result.complete()) {
        break;
      }
      if (attempt == ATTEMPTS) {
        throw QuickstartException.cluster(
            "Recovery is not complete: state=%s, expected DONE\n  %s",
            result.state(), String.join("\n  ", result.problems()));
      }
      screen.line(
          "not complete (%s); again",
          result.problems().stream().findFirst().orElse("state " + result.state()));
    }
    Poll.await(
        "Recovery ended, but not all is as it was",
        SETTLE_TIMEOUT,
        screen::progress,
        this::requireTwoReplicas);
    return result;
  }

  /** Refuses until every superchunk has two frames. */
  private void requireTwoReplicas() throws Poll.NotYet, QuickstartException {
    JsonNode superchunks = admin.json("-status -json").path("superchunks");
    long total = superchunks.path("total").asLong();
    long active = superchunks.path("active").asLong();
    if (total == 0 || active != total) {
      throw new Poll.NotYet("%s of %s superchunks have two replicas, expected all", active, total);
    }
  }
}
