/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for conditions that nobody announces, by asking again and again. */
public final class Await {
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private Await() {}

  /** A question that is answered once the condition holds. */
  public interface Question {
    /** Empty when it holds; else what is still missing. */
    Optional<String> missing() throws IOException;
  }

  /**
   * Asks until nothing is missing.
   *
   * @throws IOException when something is still missing after the timeout, or from the question
   *     itself
   */
  public static void until(String what, Duration timeout, Question question) throws IOException {
    Optional<String> missing = ask(timeout, question);
    if (missing.isPresent()) {
      throw new IOException(
          "Cannot " + what + ": " + missing.get() + " after " + timeout.toSeconds() + " s");
    }
  }

  /** Asks until nothing is missing or time is up; tells what is missing then. */
  public static Optional<String> ask(Duration timeout, Question question) throws IOException {
    long deadline = System.nanoTime() + timeout.toNanos();
    while (true) {
      Optional<String> missing = question.missing();
      if (missing.isEmpty() || System.nanoTime() - deadline > 0) {
        return missing;
      }
      LockSupport.parkNanos(POLL_NANOS);
      if (Thread.interrupted()) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while waiting: " + missing.get());
      }
    }
  }
}
