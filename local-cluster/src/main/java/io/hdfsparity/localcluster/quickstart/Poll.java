/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.quickstart;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Waits for a condition that nobody announces, and shows what is missing. */
final class Poll {
  private static final long PAUSE_MS = 250;

  private Poll() {}

  /** Tells what is still missing; empty when nothing is. */
  interface Question {
    Optional<String> missing() throws QuickstartException;
  }

  /**
   * Asks until nothing is missing or time is up.
   *
   * @param shown told what is missing, each time
   * @return what is missing at the end
   */
  static Optional<String> until(Duration timeout, Consumer<String> shown, Question question)
      throws QuickstartException, InterruptedException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<String> missing = question.missing();
      if (missing.isEmpty() || System.nanoTime() - deadline > 0) {
        return missing;
      }
      shown.accept(missing.get());
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
    }
  }
}
