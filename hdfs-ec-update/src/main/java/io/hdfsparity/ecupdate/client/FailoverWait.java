/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.client;

import io.hdfsparity.bridge.wire.NameNodeNotReadyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Repeats what needs the active NameNode while there is none: a failover or a restart makes a
 * program wait, and does not fail it.
 *
 * @param patienceMs until the last attempt is begun
 */
record FailoverWait(long patienceMs) {
  private static final System.Logger LOG = System.getLogger(FailoverWait.class.getName());
  private static final long AGAIN_MS = 100;

  /** What may be repeated. */
  @FunctionalInterface
  interface Attempt<T> {
    T make() throws IOException;
  }

  /**
   * Makes attempts until one finds an active NameNode.
   *
   * @param doing for messages, as in "Cannot ..."
   * @throws NameNodeNotReadyException when there was none for too long
   * @throws IOException that of an attempt; or when interrupted
   */
  <T> T await(String doing, Attempt<T> attempt) throws IOException {
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
    for (int i = 0; ; i++) {
      try {
        return attempt.make();
      } catch (NameNodeNotReadyException e) {
        if (System.nanoTime() - endNanos >= 0) {
          throw e;
        }
        if (i == 0) {
          LOG.log(Level.INFO, "Waits for an active NameNode to " + doing + ": " + e.getMessage());
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Cannot " + doing + ": interrupted");
      }
    }
  }
}
