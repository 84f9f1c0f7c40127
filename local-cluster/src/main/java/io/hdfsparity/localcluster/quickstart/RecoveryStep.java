/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import com.fasterxml.jackson.databind.JsonNode;
import io.hdfsparity.localcluster.quickstart.QuickstartException.Kind;
import java.time.Duration;
import java.util.Optional;

/** Recovers from failed disks. */
final class RecoveryStep {
  private static final int ATTEMPTS = 3;
  private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(5);
  private final Admin admin;
  private final Screen screen;

  RecoveryStep(Admin admin, Screen screen) {
    this.admin = admin;
    this.screen = screen;
  }

  /**
   * Runs {@code raidp -recover -progress} until every superchunk has two replicas again.
   *
   * @throws QuickstartException when that cannot be reached
   */
  RecoveryResult run() throws QuickstartException, InterruptedException {
    RecoveryResult all = null;
    for (int attempt = 1; ; attempt++) {
      RecoveryResult result = once();
      all = all == null ? result : all.then(result);
      if (result.complete()) {
        break;
      }
      if (attempt == ATTEMPTS) {
        throw new QuickstartException(
            Kind.CLUSTER,
            "Recovery is not complete: state="
                + result.state()
                + ", expected DONE\n  "
                + String.join("\n  ", result.problems()));
      }
      screen.line(
          "not complete ("
              + result.problems().stream().findFirst().orElse("state " + result.state())
              + "); again");
    }
    Optional<String> missing = Poll.until(SETTLE_TIMEOUT, screen::progress, this::missing);
    if (missing.isPresent()) {
      throw new QuickstartException(Kind.CLUSTER, "Recovery ended, but " + missing.get());
    }
    return all;
  }

  private RecoveryResult once() throws QuickstartException {
    Admin.Answer answer = admin.run(screen::progress, "-recover", "-progress", "-json");
    screen.keepProgress();
    Optional<JsonNode> doc = answer.json();
    if (doc.isEmpty()) {
      throw new QuickstartException(
          Kind.CLUSTER,
          "raidp -recover failed: exit code " + answer.exitCode() + ", " + answer.err());
    }
    return RecoveryResult.of(doc.get());
  }

  /** What is missing until every superchunk has two frames. */
  private Optional<String> missing() throws QuickstartException {
    JsonNode superchunks = admin.json("-status", "-json").path("superchunks");
    long total = superchunks.path("total").asLong();
    long active = superchunks.path("active").asLong();
    return total > 0 && active == total
        ? Optional.empty()
        : Optional.of(active + " of " + total + " superchunks have two replicas, expected all");
  }
}
