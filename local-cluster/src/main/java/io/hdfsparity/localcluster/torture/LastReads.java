/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.torture.check.HistoryChecker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Reads at the end: a cluster that was healed may need some time until it answers all of them. What
 * has no answer after that stays without; a few such reads say enough. Used by one thread.
 */
final class LastReads {
  private static final int ATTEMPTS = 18;

  /** For all together: the cluster heals while the first one is tried again. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final int MAX_UNANSWERED = 3;

  private final LongSupplier nanoTime;
  private final Pause pause;
  private final long beginNanos;
  private int unanswered;

  /** A read that is written down. */
  interface Read {
    /**
     * @return whether there was an answer
     */
    boolean by(String client) throws IOException;
  }

  /** What happens between two attempts. */
  interface Pause {
    void await() throws InterruptedException;
  }

  /** Time counts from now on. */
  LastReads() {
    this(System::nanoTime, () -> TimeUnit.SECONDS.sleep(5));
  }

  LastReads(LongSupplier nanoTime, Pause pause) {
    this.nanoTime = nanoTime;
    this.pause = pause;
    this.beginNanos = nanoTime.getAsLong();
  }

  /**
   * Reads until there is an answer; only the last attempt is one that has to have one. Nothing is
   * read when some reads before had none.
   */
  void read(Read read) throws IOException {
    if (unanswered >= MAX_UNANSWERED) {
      return;
    }
    for (int attempt = 1; attempt < ATTEMPTS && isInTime(); attempt++) {
      if (read.by(HistoryChecker.EARLIER_LAST_READER)) {
        return;
      }
      try {
        pause.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while reading all");
      }
    }
    if (!read.by(HistoryChecker.LAST_READER)) {
      unanswered++;
      System.getLogger(LastReads.class.getName())
          .log(System.Logger.Level.WARNING, "A read at the end has no answer");
    }
  }

  private boolean isInTime() {
    return nanoTime.getAsLong() - beginNanos < TIMEOUT.toNanos();
  }
}
