/*
 * Licensed under the Apache License, Version 2.0 (the "License"); you may not use this file except in
 * compliance with the License. You may obtain a copy of the License at
 * http://www.apache.org/licenses/LICENSE-2.0
 */
package io.hdfsparity.core.check;

import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Whether something slow is in trouble, asked once for all callers. An answer counts for a while.
 * While one caller asks again, others get the trouble of the last time, if there was any, and wait
 * otherwise: callers wait together, once, and not at all while the trouble goes on. Thread-safe.
 *
 * @param <T> what the trouble is
 */
public final class SharedAnswer<T> {
  private final Supplier<Optional<T>> question;
  private final long validMs;
  private final long troubleMs;
  private final LongSupplier clockMs;

  /** Guarded by this, as all below. */
  private Optional<T> trouble = Optional.empty();

  private boolean isAnswered;
  private boolean isAsked;
  private long answeredMs;

  /**
   * @param question may take long; empty: no trouble
   * @param validMs that an answer without trouble counts
   * @param troubleMs that trouble counts
   * @param clockMs milliseconds that do not go back
   */
  public SharedAnswer(
      Supplier<Optional<T>> question, long validMs, long troubleMs, LongSupplier clockMs) {
    this.question = question;
    this.validMs = validMs;
    this.troubleMs = troubleMs;
    this.clockMs = clockMs;
  }

  /** The trouble; empty: there is none. */
  public Optional<T> trouble() throws InterruptedIOException {
    synchronized (this) {
      while (isAsked && !isFresh()) {
        if (trouble.isPresent()) {
          return trouble;
        }
        try {
          wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("Cannot wait for an answer: interrupted");
        }
      }
      if (isFresh()) {
        return trouble;
      }
      isAsked = true;
    }
    return ask();
  }

  private boolean isFresh() {
    return isAnswered
        && clockMs.getAsLong() - answeredMs < (trouble.isEmpty() ? validMs : troubleMs);
  }

  /** Outside the monitor, by one thread. */
  private Optional<T> ask() {
    Optional<T> answer = Optional.empty();
    boolean isDone = false;
    try {
      answer = question.get();
      isDone = true;
      return answer;
    } finally {
      synchronized (this) {
        isAsked = false;
        if (isDone) {
          trouble = answer;
          isAnswered = true;
          answeredMs = clockMs.getAsLong();
        }
        notifyAll();
      }
    }
  }
}
