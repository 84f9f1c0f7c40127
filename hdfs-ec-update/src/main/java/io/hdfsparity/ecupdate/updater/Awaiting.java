/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.ecupdate.updater;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for futures, with the exceptions of I/O. Stateless. */
final class Awaiting {
  private Awaiting() {}

  static <T> T done(Future<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      // A new one: the trace of the caller, too.
      throw new IOException(cause == null ? e.toString() : String.valueOf(cause.getMessage()), e);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /**
   * Waits for a future that never fails, for some time only. One who was interrupted before still
   * waits, and stays interrupted.
   *
   * @param graceNanos how long he waits
   * @return whether it has ended by then
   * @throws InterruptedIOException if interrupted while it waits
   */
  static boolean ended(Future<?> future, long nanos, long graceNanos)
      throws InterruptedIOException {
    boolean wasInterrupted = Thread.interrupted();
    try {
      future.get(wasInterrupted ? graceNanos : nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (TimeoutException e) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("What is waited for never fails", e);
    } finally {
      if (wasInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  static InterruptedIOException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    InterruptedIOException interrupted =
        new InterruptedIOException("Interrupted; it is not known what was done");
    interrupted.initCause(e);
    return interrupted;
  }
}
