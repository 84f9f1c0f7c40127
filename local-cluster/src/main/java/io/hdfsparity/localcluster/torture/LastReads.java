/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.localcluster.torture;

import io.hdfsparity.localcluster.torture.check.HistoryChecker;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Reads at the end: a cluster that was healed may need some time until it answers all of them. */
final class LastReads {
  private static final int ATTEMPTS = 18;
  private static final long PAUSE_SECONDS = 5;

  private LastReads() {}

  /** A read that is written down. */
  interface Read {
    /**
     * @return whether there was an answer
     */
    boolean by(String client) throws IOException;
  }

  /** Reads until there is an answer; only the last attempt is one that has to have one. */
  static void read(Read read) throws IOException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      if (read.by(HistoryChecker.EARLIER_LAST_READER)) {
        return;
      }
      try {
        TimeUnit.SECONDS.sleep(PAUSE_SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while reading all");
      }
    }
    if (!read.by(HistoryChecker.LAST_READER)) {
      System.getLogger(LastReads.class.getName())
          .log(System.Logger.Level.WARNING, "A read at the end has no answer");
    }
  }
}
